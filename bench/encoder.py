"""The encoder's forward pass on the shipped model beside PyTorch's on the same weights, where it is installed.

One thread each, in float64 as the course has it and in float32 as models are run. The contestants take turns, so that a
busy machine slows them alike: the ratios are what counts. Goal: the reference within 1.5 times PyTorch's time in
float64. In float32 NumPy's products of matrices alone take about as long as PyTorch's whole pass.
"""

import time

import numpy as np

from course_utils.datasets import load_minilm
from course_utils.experiments.sentences import TWICE
from course_utils.transformer import encode

ROUNDS = 15
TEXTS = {"one sentence": TWICE[0][2], "128 tokens": " ".join(["the bat flew over the river"] * 21)}


def torch_encoder(model, number):
    """encode(ids) made of PyTorch's own functions; None where it is not installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    from torch.nn import functional as F

    def tensors(params):
        return {name: torch.tensor(np.ascontiguousarray(value), dtype=getattr(torch, number)) for name, value in params.items()}

    tables, layers, h = tensors(model["embeddings"]), [tensors(params) for params in model["layers"]], model["n_heads"]
    d = len(tables["gamma"])

    def heads(x):
        return x.view(len(x), h, -1).transpose(0, 1)

    def layer(x, p):
        q, k, v = (heads(torch.addmm(p[f"b_{role}"], x, p[f"W_{role}"])) for role in "qkv")
        mixed = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(x.shape)
        x = F.layer_norm(x + torch.addmm(p["b_o"], mixed, p["W_o"]), (d,), p["gamma_1"], p["beta_1"], 1e-12)
        inner = F.gelu(torch.addmm(p["b_1"], x, p["W_1"]))
        return F.layer_norm(x + torch.addmm(p["b_2"], inner, p["W_2"]), (d,), p["gamma_2"], p["beta_2"], 1e-12)

    def encoder(ids):
        with torch.no_grad():
            x = tables["word"][torch.from_numpy(ids)] + tables["position"][: len(ids)] + tables["type"][0]
            x = F.layer_norm(x, (d,), tables["gamma"], tables["beta"], 1e-12)
            for params in layers:
                x = layer(x, params)
            return x.numpy()

    return encoder


def in_type(model, number):
    def turned(params):
        return {name: value.astype(number) for name, value in params.items()}

    return {
        "embeddings": turned(model["embeddings"]),
        "layers": [turned(p) for p in model["layers"]],
        "n_heads": model["n_heads"],
    }


def main():
    minilm = load_minilm()
    for number in ("float64", "float32"):
        model, by_torch = in_type(minilm.model, number), torch_encoder(minilm.model, number)
        for name, text in TEXTS.items():
            ids = minilm.tokenizer.ids(minilm.tokenizer(text))[:128]
            calls = {"reference": lambda ids=ids, model=model: encode(ids, model)}
            if by_torch:
                calls["PyTorch"] = lambda ids=ids, by_torch=by_torch: by_torch(ids)
                np.testing.assert_allclose(calls["reference"](), calls["PyTorch"](), atol=1e-3)
            race(f"{name} ({len(ids)} tokens), {number}", calls)


def race(name, calls):
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for who, call in calls.items():
            start = time.perf_counter()
            call()
            best[who] = min(best[who], time.perf_counter() - start)
    print(f"{name}: " + ", ".join(f"{who} {1e3 * seconds:.1f} ms" for who, seconds in best.items()))
    if "PyTorch" in best:
        print(f"  reference / PyTorch = {best['reference'] / best['PyTorch']:.2f}")


if __name__ == "__main__":
    main()
