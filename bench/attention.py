"""The reference attentions beside the same formulas in einsum and, where it is installed, PyTorch's CPU kernel.

At (n, d) = (128, 768) with 12 heads, in float64. The contestants take turns, so that a busy machine slows them alike:
the ratios are what counts. Then the ladder's five stages, in seconds of CPU time.
"""

import time

import numpy as np

from course_utils.embedding_space import softmax
from course_utils.experiments.ladder.training import STAGES, data, train
from course_utils.multi_head import multi_head_attention, split_heads
from course_utils.scaling import scaled_dot_product_attention

N, D, HEADS, ROUNDS = 128, 768, 12, 15


def attention_einsum(Q, K, V):
    weights = softmax(np.einsum("hqd,hkd->hqk", Q, K) / np.sqrt(Q.shape[-1]))
    return np.einsum("hqk,hkv->hqv", weights, V), weights


def multi_head_einsum(X, W_q, W_k, W_v, W_o):
    Q, K, V = (np.einsum("nd,dhe->hne", X, W.reshape(D, HEADS, -1)) for W in (W_q, W_k, W_v))
    heads, weights = attention_einsum(Q, K, V)
    return np.einsum("hne,hed->nd", heads, W_o.reshape(HEADS, -1, D)), weights


def with_torch(Q, K, V, X, matrices):
    """PyTorch's contestants by name, none where it is not installed."""
    try:
        import torch
    except ImportError:
        return None, None
    torch.set_num_threads(1)
    q, k, v, x, *w = map(torch.from_numpy, (Q, K, V, X, *matrices))
    fused = torch.nn.functional.scaled_dot_product_attention

    def heads(y):
        return y.view(N, HEADS, -1).transpose(0, 1)

    return (
        lambda: fused(q, k, v),
        lambda: fused(heads(x @ w[0]), heads(x @ w[1]), heads(x @ w[2])).transpose(0, 1).reshape(N, D) @ w[3],
    )


def race(name, reference, einsum, torch):
    contestants = {"reference": reference, "einsum": einsum} | ({"PyTorch": torch} if torch else {})
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(ROUNDS):
        for who, call in contestants.items():
            start = time.perf_counter()
            call()
            best[who] = min(best[who], time.perf_counter() - start)
    print(f"{name}: " + ", ".join(f"{who} {1e3 * seconds:.2f} ms" for who, seconds in best.items()))
    for who in list(contestants)[1:]:
        print(f"  {who} / reference = {best[who] / best['reference']:.2f}")


def ladder():
    start = time.process_time()
    training, test = data(seed=0)
    reached = [train(make(), training, test).accuracy for make in STAGES.values()]
    seconds = time.process_time() - start
    print(f"ladder, five stages: {seconds:.1f} s of CPU time; accuracy {', '.join(f'{a:.3f}' for a in reached)}")


def main():
    rng = np.random.default_rng(0)
    X, matrices = rng.normal(size=(N, D)), rng.normal(size=(4, D, D)) / np.sqrt(D)
    Q, K, V = (split_heads(X @ W, HEADS).copy() for W in matrices[:3])
    fused, fused_heads = with_torch(Q, K, V, X, matrices)
    race("scaled_dot_product_attention", lambda: scaled_dot_product_attention(Q, K, V), lambda: attention_einsum(Q, K, V), fused)
    race(
        "multi_head_attention",
        lambda: multi_head_attention(X, *matrices, HEADS),
        lambda: multi_head_einsum(X, *matrices),
        fused_heads,
    )
    for part, other in zip(multi_head_attention(X, *matrices, HEADS), multi_head_einsum(X, *matrices)):
        np.testing.assert_allclose(part, other, atol=1e-10)
    ladder()


if __name__ == "__main__":
    main()
