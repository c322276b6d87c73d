"""The decoder's references against loops, hand-worked numbers and the whole layer."""

import math

import numpy as np
import pytest

from course_utils import decoder, transformer
from course_utils.query_key_value import causal_mask


@pytest.fixture
def rng():
    return np.random.default_rng(8)


def random_model(rng, V=11, N=9, d=6, m=10, layers=2, n_heads=3):
    shapes = {"q": (d, d), "k": (d, d), "v": (d, d), "o": (d, d), "1": (d, m), "2": (m, d)}

    def layer():
        params = {f"W_{name}": rng.normal(size=shape) for name, shape in shapes.items()}
        params |= {f"b_{name}": rng.normal(size=shape[1]) for name, shape in shapes.items()}
        return params | {f"{part}_{i}": rng.normal(size=d) for part in ("gamma", "beta") for i in (1, 2)}

    embeddings = {"word": rng.normal(size=(V, d)), "position": rng.normal(size=(N, d))}
    embeddings |= {"gamma": rng.normal(size=d), "beta": rng.normal(size=d)}
    return {"embeddings": embeddings, "layers": [layer() for _ in range(layers)], "n_heads": n_heads, "bias": rng.normal(size=V)}


# next_token_loss


def test_the_loss_of_two_predictions_worked_by_hand():
    """Odds 3 : 1 for the token that came, then 1 : 4: −ln(3/4) and −ln(1/5), and their mean. The last row counts nothing."""
    logits = np.log(np.array([[3.0, 1.0], [4.0, 1.0], [9.0, 9.0]]))
    wanted = (-math.log(3 / 4) - math.log(1 / 5)) / 2
    assert decoder.next_token_loss(logits, [1, 0, 1]) == pytest.approx(wanted)


def test_the_loss_is_that_of_loops(rng):
    logits, ids = rng.normal(size=(7, 5)) * 3, rng.integers(0, 5, 7)
    total = 0.0
    for t in range(6):
        total += math.log(sum(math.exp(x) for x in logits[t])) - logits[t][ids[t + 1]]
    assert decoder.next_token_loss(logits, ids) == pytest.approx(total / 6)


def test_the_loss_of_logits_as_large_as_a_million():
    logits = np.array([[1e6, -1e6, 0.0], [-1e6, -1e6, -1e6], [0.0, 0.0, 0.0]])
    assert decoder.next_token_loss(logits, [0, 0, 2]) == pytest.approx(math.log(3) / 2)
    assert decoder.next_token_loss(logits, [0, 1, 2]) == pytest.approx((2e6 + math.log(3)) / 2)


def test_the_loss_of_float32_and_whole_numbers(rng):
    logits = rng.integers(-5, 6, size=(4, 3))
    as_float = decoder.next_token_loss(logits.astype(float), [0, 2, 1, 1])
    assert decoder.next_token_loss(logits, [0, 2, 1, 1]) == pytest.approx(as_float)
    assert decoder.next_token_loss(logits.astype(np.float32), np.array([0, 2, 1, 1])) == pytest.approx(as_float)


def test_one_token_predicts_nothing():
    with pytest.raises(ValueError, match="1 tokens"):
        decoder.next_token_loss(np.zeros((1, 3)), [0])


# decode


def test_decode_is_that_of_loops(rng):
    """Every query, head and key by itself; only keys up to the query are ever looked at."""
    model, ids = random_model(rng), [4, 0, 10, 4, 7]
    wanted = np.stack([logits_by_loops(ids, model)[t] for t in range(len(ids))])
    assert decoder.decode(ids, model) == pytest.approx(wanted, abs=1e-5)  # erf of the references: 1.5e-7


def logits_by_loops(ids, model):
    E = model["embeddings"]
    X = [normed(E["word"][i] + E["position"][t], E["gamma"], E["beta"]) for t, i in enumerate(ids)]
    for p in model["layers"]:
        X = layer_by_loops(X, p, model["n_heads"])
    return [np.array([sum(x * row) for row in E["word"]]) + model["bias"] for x in X]


def layer_by_loops(X, p, n_heads):
    d = len(X[0])
    e = d // n_heads
    Q, K, V = ([x @ p[f"W_{r}"] + p[f"b_{r}"] for x in X] for r in "qkv")
    out = []
    for t, x in enumerate(X):
        mixed = np.zeros(d)
        for h in range(n_heads):
            part = slice(h * e, (h + 1) * e)
            odds = [math.exp(sum(Q[t][part] * K[s][part]) / math.sqrt(e)) for s in range(t + 1)]
            for s in range(t + 1):
                mixed[part] += odds[s] / sum(odds) * V[s][part]
        x = normed(x + mixed @ p["W_o"] + p["b_o"], p["gamma_1"], p["beta_1"])
        inner = [0.5 * a * (1 + math.erf(a / math.sqrt(2))) for a in x @ p["W_1"] + p["b_1"]]
        out.append(normed(x + np.array(inner) @ p["W_2"] + p["b_2"], p["gamma_2"], p["beta_2"]))
    return out


def normed(x, gamma, beta):
    mean = sum(x) / len(x)
    variance = sum((a - mean) ** 2 for a in x) / len(x)
    return np.array([(a - mean) / math.sqrt(variance + 1e-12) for a in x]) * gamma + beta


def test_a_row_knows_nothing_of_later_tokens(rng):
    model = random_model(rng)
    whole = decoder.decode([1, 2, 3, 4, 5], model)
    assert decoder.decode([1, 2, 3, 9, 0], model)[:3] == pytest.approx(whole[:3])
    assert decoder.decode([1, 2, 3], model) == pytest.approx(whole[:3])
    assert not np.allclose(decoder.decode([0, 2, 3, 4, 5], model)[4], whole[4])  # but of earlier ones


def test_decode_of_a_single_token_and_of_as_many_as_there_are_positions(rng):
    model = random_model(rng, N=4)
    assert decoder.decode([3], model).shape == (1, 11)
    assert decoder.decode([3, 3, 3, 3], model).shape == (4, 11)
    with pytest.raises(ValueError, match="5 tokens, but only 4 positions"):
        decoder.decode([3] * 5, model)


def test_layers_are_those_that_decode_runs(rng):
    model, ids = random_model(rng), np.array([4, 0, 10])
    hidden, weights = decoder.decode_layers(ids, model)
    assert hidden.shape == (3, 3, 6) and [w.shape for w in weights] == [(3, 3, 3)] * 2
    assert hidden[-1] @ model["embeddings"]["word"].T + model["bias"] == pytest.approx(decoder.decode(ids, model))
    assert np.triu(weights[0], 1).max() == 0  # no weight on what comes later


# next_distribution


def test_a_distribution_worked_by_hand():
    """Odds 8 : 4 : 2 : 2. At temperature 1/2 they are squared: 64 : 16 : 4 : 4."""
    logits = np.log([2.0, 8.0, 2.0, 4.0])
    assert decoder.next_distribution(logits) == pytest.approx(np.array([2, 8, 2, 4]) / 16)
    assert decoder.next_distribution(logits, 0.5) == pytest.approx(np.array([4, 64, 4, 16]) / 88)
    assert decoder.next_distribution(logits, 1.0, 2) == pytest.approx(np.array([0, 8, 0, 4]) / 12)
    assert decoder.next_distribution(logits, 0.5, 1).tolist() == [0, 1, 0, 0]


def test_of_equal_logits_the_smaller_ids_stay():
    logits = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    assert decoder.next_distribution(logits, top_k=2).tolist() == [0, 0.5, 0.5, 0, 0]
    assert decoder.next_distribution(logits, top_k=1).tolist() == [0, 1, 0, 0, 0]
    assert decoder.next_distribution(np.zeros(4), top_k=3) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_top_k_larger_than_the_vocabulary_keeps_all(rng):
    logits = rng.normal(size=5)
    assert decoder.next_distribution(logits, top_k=99).tolist() == decoder.next_distribution(logits).tolist()


def test_cold_and_hot_and_large_logits_stay_finite():
    logits = np.array([50.0, 49.0, -50.0])
    assert decoder.next_distribution(logits, 1e-3).tolist() == [1, 0, 0]
    assert decoder.next_distribution(logits, 1e6) == pytest.approx(np.full(3, 1 / 3), abs=1e-4)
    assert decoder.next_distribution(np.array([1e6, -1e6])).tolist() == [1, 0]


@pytest.mark.parametrize("temperature", [0, -1.0, float("nan")])
def test_a_temperature_that_is_not_above_zero_is_named(temperature):
    with pytest.raises(ValueError, match="temperature"):
        decoder.next_distribution(np.zeros(3), temperature)


def test_a_top_k_below_one_is_named():
    with pytest.raises(ValueError, match="top_k is 0"):
        decoder.next_distribution(np.zeros(3), top_k=0)


# draw


def test_ids_come_as_often_as_their_probabilities_say(rng):
    probs = np.array([0.5, 0.0, 0.2, 0.3, 0.0])
    counts = np.bincount([decoder.draw(probs, rng) for _ in range(20_000)], minlength=5)
    assert counts / 20_000 == pytest.approx(probs, abs=0.02)  # more than five standard deviations
    assert counts[1] == counts[4] == 0


class Always:
    """A generator that gives one number."""

    def __init__(self, number):
        self.random = lambda: number


def test_an_id_of_probability_zero_is_never_drawn_at_the_ends():
    probs = np.array([0.0, 0.5, 0.0, 0.5, 0.0])
    assert decoder.draw(probs, Always(0.0)) == 1  # not the zero before it
    assert decoder.draw(probs, Always(0.5)) == 3  # the end of one interval belongs to the next that has a length
    assert decoder.draw(probs, Always(1 - 2**-53)) == 3  # the largest number that a generator gives


def test_probabilities_that_sum_to_one_only_by_rounding():
    probs = np.full(10, 0.1, dtype=np.float32)  # a little more or less than 1 in sum
    assert decoder.draw(probs, Always(1 - 2**-53)) == 9
    tenths = np.append(np.full(10, 0.1), 0.0)  # sums to 0.9999999999999999
    assert decoder.draw(tenths, Always(1 - 2**-53)) == 9


def test_the_same_seed_draws_the_same_and_another_something_else():
    probs = np.full(50, 0.02)

    def drawn(seed):
        rng = np.random.default_rng(seed)
        return [decoder.draw(probs, rng) for _ in range(20)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert type(decoder.draw(probs, np.random.default_rng(0))) is int


# generate


def test_generate_is_a_loop_of_decode(rng):
    model, ids = random_model(rng), [4, 0]
    wanted = list(ids)
    for _ in range(6):
        logits = decoder.decode(wanted, model)[-1]
        wanted.append(max(range(11), key=lambda i, logits=logits: (logits[i], -i)))
    assert decoder.generate(ids, 6, model).tolist() == wanted
    assert decoder.generate(np.array(ids), 0, model).tolist() == ids  # nothing asked for
    assert ids == [4, 0]


def test_of_equally_likely_tokens_the_smaller_id_is_written(rng):
    model = random_model(rng)
    model["embeddings"]["word"] = np.zeros((11, 6))  # logits are the bias alone
    model["bias"] = np.array([0.0, 2, 1, 2, 2, 0, 0, 0, 0, 0, 2])
    assert decoder.generate([5], 3, model).tolist() == [5, 1, 1, 1]


def test_a_text_fills_the_positions_and_not_one_more(rng):
    model = random_model(rng, N=5)
    assert len(decoder.generate([1, 2], 3, model)) == 5
    with pytest.raises(ValueError, match="2 tokens and 4 more are 6, but there are 5 positions"):
        decoder.generate([1, 2], 4, model)


# decode_step


def test_steps_give_what_the_whole_layer_gives(rng):
    params = random_model(rng)["layers"][0]
    X = rng.normal(size=(7, 6))
    whole, _ = transformer.encoder_layer(X, params, 3, causal_mask(7))
    K = V = np.zeros((0, 6))
    for t, x in enumerate(X):
        output, K, V = decoder.decode_step(x, K, V, params, 3)
        assert output.shape == (6,) and K.shape == V.shape == (t + 1, 6)
        assert output == pytest.approx(whole[t])
    assert K == pytest.approx(X @ params["W_k"] + params["b_k"])
    assert V == pytest.approx(X @ params["W_v"] + params["b_v"])


def test_a_step_does_not_change_the_cache_that_it_was_given(rng):
    params = random_model(rng)["layers"][0]
    K, V = rng.normal(size=(2, 3, 6))
    before = K.copy(), V.copy()
    decoder.decode_step(rng.normal(size=6), K, V, params, 2)
    assert (K == before[0]).all() and (V == before[1]).all()


def test_a_step_through_all_layers_continues_a_text(rng):
    """The cached way through the whole model ends at the logits of decode."""
    model, ids = random_model(rng), [4, 0, 10, 7]
    E, caches = model["embeddings"], [(np.zeros((0, 6)),) * 2 for _ in model["layers"]]
    for t, i in enumerate(ids):
        x = transformer.layer_norm(E["word"][i] + E["position"][t], E["gamma"], E["beta"])
        for layer, params in enumerate(model["layers"]):
            x, *caches[layer] = decoder.decode_step(x, *caches[layer], params, model["n_heads"])
    assert E["word"] @ x + model["bias"] == pytest.approx(decoder.decode(ids, model)[-1])


# induction_score


def test_induction_is_that_of_loops(rng):
    weights = rng.random(size=(3, 10, 10))
    wanted = [sum(weights[h][5 + i][i + 1] for i in range(4)) / 4 for h in range(3)]
    assert decoder.induction_score(weights) == pytest.approx(wanted)


def test_a_head_that_looks_at_what_followed_scores_one_and_its_neighbours_nothing():
    n = 4
    what_followed, same_token, token_before = (np.zeros((2 * n, 2 * n)) for _ in range(3))
    for i in range(n):
        what_followed[n + i, (i + 1) % n] = 1
        same_token[n + i, i] = 1
        token_before[n + i, n + i - 1] = 1
    scores = decoder.induction_score(np.stack([what_followed, same_token, token_before]))
    assert scores.tolist() == [1, 0, 0]


def test_the_shortest_text_given_twice():
    weights = np.zeros((1, 4, 4))
    weights[0, 2, 1] = 0.75
    assert decoder.induction_score(weights).tolist() == [0.75]
