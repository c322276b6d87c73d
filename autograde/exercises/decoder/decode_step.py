"""decode_step: one layer for one new token, with the keys and values that earlier ones left."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import leaves_arguments_alone
from course_utils import decoder as ref
from course_utils.multi_head import merge_heads, split_heads
from course_utils.query_key_value import causal_mask
from course_utils.scaling import scaled_dot_product_attention
from course_utils.transformer import feed_forward, layer_norm

from ..inputs.layouts import each_array, every_form, read_only
from ..transformer.draws import layer

# ---- what is asked


def case(rng, t, d=6, n_heads=3, m=8):
    """A layer, the row of a new token, and what a true cache of t others holds."""
    params, earlier = layer(rng, d, m), rng.normal(size=(t, d))
    K, V = (earlier @ params[f"W_{role}"] + params[f"b_{role}"] for role in "kv")
    return rng.normal(size=d), K, V, params, n_heads


def one_earlier(rng):
    return [case(rng, 1, 2, 1, 2), case(rng, 1), case(rng, 1, 8, 2)]


def several(rng):
    return [case(rng, 2, 2, 1, 2), case(rng, 4), case(rng, 3, 8, 2), case(rng, 5, 4, 4), case(rng, 6)]


def none_earlier(rng):
    return [case(rng, 0, 2, 1, 2), case(rng, 0), case(rng, 0, 8, 4)]


def types(rng):
    args = case(rng, 3)
    return [*every_form(args), each_array(args, read_only)]


# ---- what learners write instead


def step_with(append=lambda K, k: np.vstack([K, k]), roles="qkv", mask=None, keep=None, out=True, residual=True, norms="12"):
    """The right steps; change one to get it wrong there."""

    def answer(x, K, V, params, n_heads):
        q, k, v = (x @ params[f"W_{role}"] + params[f"b_{role}"] for role in roles)
        grown, values = append(K, k), append(V, v)
        Q, K_h, V_h = (split_heads(part, n_heads) for part in (q[None], grown, values))
        heads, _ = scaled_dot_product_attention(Q, K_h, V_h, mask(len(grown)) if mask else None)
        attended = merge_heads(heads)[0]
        if out:
            attended = attended @ params["W_o"] + params["b_o"]
        first, second = norms
        X = layer_norm((x if residual else 0) + attended, params[f"gamma_{first}"], params[f"beta_{first}"])
        changed = feed_forward(X, params["W_1"], params["b_1"], params["W_2"], params["b_2"])
        result = layer_norm(X + changed, params[f"gamma_{second}"], params[f"beta_{second}"])
        return (result, grown, values) if keep is None else keep(result, grown, values, K, V)

    return answer


def _without_biases(x, K, V, params, n_heads):
    bare = params | {name: 0 * value for name, value in params.items() if name in ("b_q", "b_k", "b_v")}
    return step_with()(x, K, V, bare, n_heads)


def _rows_kept(x, K, V, params, n_heads):
    result, _, _ = ref.decode_step(x, K, V, params, n_heads)
    return result, np.vstack([K, x]), np.vstack([V, x])


def _not_looking_at_itself(x, K, V, params, n_heads):
    if not len(K):
        return ref.decode_step(x, K, V, params, n_heads)
    mask = np.ones((1, len(K) + 1), dtype=bool)
    mask[0, -1] = False
    return step_with(mask=lambda n: mask)(x, K, V, params, n_heads)


def _forgets(x, K, V, params, n_heads):
    result, _, _ = ref.decode_step(x, K[:0], V[:0], params, n_heads)
    return result, *ref.decode_step(x, K, V, params, n_heads)[1:]


MISTAKES = (
    Misconception(
        "appended-twice",
        step_with(lambda K, k: np.vstack([K, k, k])),
        "The new row was appended twice. t + 1 rows: np.vstack([K, k]).",
    ),
    Misconception(
        "appended-in-front",
        step_with(lambda K, k: np.vstack([k, K])),
        "The new row was put on top. It comes after the others: np.vstack([K, k]).",
    ),
    Misconception(
        "cache-not-grown",
        step_with(keep=lambda r, grown, values, K, V: (r, K, V)),
        "The cache came back as it was. Return the grown K and V: (t + 1, d).",
    ),
    Misconception(
        "new-rows-only",
        step_with(keep=lambda r, grown, values, K, V: (r, grown[-1:], values[-1:])),
        "Only the new row came back. Return all of them: (t + 1, d).",
    ),
    Misconception(
        "earlier-tokens-not-looked-at", _forgets, "The new token looked at itself alone. Let its query meet all t + 1 keys."
    ),
    Misconception(
        "new-token-not-looked-at",
        _not_looking_at_itself,
        "The new token did not look at itself. Append its key and value first, then attend.",
    ),
    Misconception(
        "keys-and-values-exchanged", step_with(roles="qvk"), "Keys and values were exchanged: W_k makes the key, W_v the value."
    ),
    Misconception("query-is-the-key", step_with(roles="kkv"), "The key was used as the query. W_q makes it."),
    Misconception("biases-missing", _without_biases, "The biases of query, key and value are missing: x @ W_q + b_q."),
    Misconception("rows-kept-for-keys", _rows_kept, "The token's own row was kept. Keep its key and its value."),
    Misconception("w-o-missing", step_with(out=False), "W_o and b_o are missing after the heads are merged."),
    Misconception("residual-missing", step_with(residual=False), "x was not added to what attention found."),
    Misconception(
        "norms-exchanged", step_with(norms="21"), "The norms were exchanged: gamma_1 after attention, gamma_2 after the net."
    ),
    Misconception(
        "output-as-a-table",
        step_with(keep=lambda r, grown, values, K, V: (r[None], grown, values)),
        "The output is one row, (d,), not a table of one.",
    ),
    Misconception(
        "output-only",
        step_with(keep=lambda r, grown, values, K, V: r),
        "Three things are asked for: the output, and the grown K and V.",
    ),
)


# ---- right answers written differently


def _with_a_mask(x, K, V, params, n_heads):
    return step_with(mask=lambda n: causal_mask(n)[-1:])(x, K, V, params, n_heads)


def _head_by_head(x, K, V, p, n_heads):
    q, k, v = (x @ p[f"W_{role}"] + p[f"b_{role}"] for role in "qkv")
    K, V = np.concatenate([K, k[None]]), np.concatenate([V, v[None]])
    width, parts = len(x) // n_heads, []
    for h in range(n_heads):
        columns = slice(h * width, (h + 1) * width)
        scores = K[:, columns] @ q[columns] / width**0.5
        weights = np.exp(scores - scores.max())
        parts.append(weights @ V[:, columns] / weights.sum())
    X = layer_norm(x + np.concatenate(parts) @ p["W_o"] + p["b_o"], p["gamma_1"], p["beta_1"])
    inner = X + feed_forward(X[None], p["W_1"], p["b_1"], p["W_2"], p["b_2"])[0]
    return [layer_norm(inner, p["gamma_2"], p["beta_2"]), K, V]


def _as_a_batch(x, K, V, p, n_heads):
    return [part.tolist() for part in ref.decode_step(x, K, V, p, n_heads)]


def _in_single(x, K, V, p, n_heads):
    return tuple(part.astype(np.float32) for part in ref.decode_step(x, K, V, p, n_heads))


EXERCISE = Exercise(
    name="decode_step",
    lesson="decoder",
    reference=ref.decode_step,
    checks=(
        Check("one earlier token: its key and value are looked at, and kept", 3, one_earlier),
        Check("several earlier tokens", 3, several, side=True),
        Check("no earlier token", 1, none_earlier, side=True),
        Check("float32, whole numbers, any layout in memory", 1, types, side=True),
        leaves_arguments_alone(several),
    ),
    misconceptions=MISTAKES,
    accepted=(_with_a_mask, _head_by_head, _as_a_batch, _in_single),
    hints=(
        "Make q, k and v of x; put k below K and v below V; then attention for the one query, and the rest of the layer.",
        "split_heads takes tables: q[None] is one of a single row. After merge_heads, [0] is the row again.",
        "heads, _ = scaled_dot_product_attention(split_heads(q[None], n_heads), split_heads(K, n_heads), "
        "split_heads(V, n_heads)); attended = merge_heads(heads)[0] @ W_o + b_o; then as in encoder_layer.",
    ),
)
