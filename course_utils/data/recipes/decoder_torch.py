"""Makes a decoder in PyTorch, with the names of ``course_utils.transformer``, and trains it.

A layer is that of lesson 7: post-norm, exact GELU, eps 1e-12, matrices used as ``X @ W``, here under a causal mask.
The other ``looks`` are the experiments': "all" (no mask), "last" (each token at itself only), "average" (uniform
over what came before).
"""

import time
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

EPS = 1e-12


@dataclass(frozen=True)
class Plan:
    """Sizes of a decoder."""

    vocab: int
    width: int = 160
    layers: int = 4
    heads: int = 4
    context: int = 48  # the longest row
    looks: str = "causal"  # or "all", "last", "average"
    positions: bool = True
    scaled: bool = True
    dropout: float = 0.05


class Layer(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan
        d, m = plan.width, 4 * plan.width
        for name, shape in {"q": (d, d), "k": (d, d), "v": (d, d), "o": (d, d), "1": (d, m), "2": (m, d)}.items():
            self.register_parameter(f"W_{name}", nn.Parameter(torch.randn(shape) * 0.02))
            self.register_parameter(f"b_{name}", nn.Parameter(torch.zeros(shape[1])))
        for name in "12":
            self.register_parameter(f"gamma_{name}", nn.Parameter(torch.ones(d)))
            self.register_parameter(f"beta_{name}", nn.Parameter(torch.zeros(d)))

    def forward(self, X):  # (batch, n, d)
        attended = self.mixed(X) @ self.W_o + self.b_o
        X = self.added(X, attended, self.gamma_1, self.beta_1)
        changed = F.gelu(X @ self.W_1 + self.b_1) @ self.W_2 + self.b_2
        return self.added(X, changed, self.gamma_2, self.beta_2)

    def mixed(self, X):
        batch, n, d = X.shape
        V = X @ self.W_v + self.b_v
        if self.plan.looks == "last":
            return V
        if self.plan.looks == "average":
            return V.cumsum(1) / torch.arange(1, n + 1, device=X.device)[:, None]
        h = self.plan.heads
        Q, K, V = (Y.view(batch, n, h, d // h).transpose(1, 2) for Y in (X @ self.W_q + self.b_q, X @ self.W_k + self.b_k, V))
        heads = F.scaled_dot_product_attention(
            Q, K, V, is_causal=self.plan.looks == "causal", scale=None if self.plan.scaled else 1.0
        )
        return heads.transpose(1, 2).reshape(batch, n, d)

    def added(self, X, change, gamma, beta):
        return F.layer_norm(X + F.dropout(change, self.plan.dropout, self.training), gamma.shape, gamma, beta, EPS)


class Decoder(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan
        self.word = nn.Parameter(torch.randn(plan.vocab, plan.width) * 0.02)
        # the last piece of a row is only predicted, never read: one position fewer than the longest row
        self.position = nn.Parameter(torch.randn(plan.context, plan.width)[:-1] * 0.02 * plan.positions, plan.positions)
        self.gamma, self.beta = nn.Parameter(torch.ones(plan.width)), nn.Parameter(torch.zeros(plan.width))
        self.layers = nn.ModuleList(Layer(plan) for _ in range(plan.layers))
        self.bias = nn.Parameter(torch.zeros(plan.vocab))

    def forward(self, ids):  # (batch, n) → (batch, n, V)
        X = F.layer_norm(
            F.embedding(ids, self.word) + self.position[: ids.shape[1]], self.gamma.shape, self.gamma, self.beta, EPS
        )
        X = F.dropout(X, self.plan.dropout, self.training)
        for layer in self.layers:
            X = layer(X)
        return X @ self.word.T + self.bias


def loss(model, ids):
    """Mean of −ln p of each next piece: ids (batch, n)."""
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]).float(), ids[:, 1:].reshape(-1))


def batches(documents, tokens):
    """Tensors (batch, n) of about ``tokens`` ids: documents of one length together, so that nothing is padded."""
    by_length: dict[int, list[list[int]]] = {}
    for ids in documents:
        by_length.setdefault(len(ids), []).append(ids)
    return [
        torch.tensor(same[i : i + max(1, tokens // n)])
        for n, same in sorted(by_length.items())
        for i in range(0, len(same), max(1, tokens // n))
    ]


@torch.no_grad()
def mean_loss(model, documents):
    """Mean of −ln p over every predicted piece of some documents."""
    model.eval()
    parts = [(loss(model, ids).item(), ids[:, 1:].numel()) for ids in batches(documents, 4096)]
    model.train()
    return sum(value * n for value, n in parts) / sum(n for _, n in parts)


def train(model, documents, dev, steps, every=250, seed=0, saved=None):
    """Trains in place. Returns rows (step, pieces seen, training loss since the last row, dev loss).

    saved(model, rows) is called after each row, so that an interrupted run leaves what it has.
    """
    optimizer = adamw(model)
    rows, seen, recent, start = [], 0, [], time.time()
    for step, ids in zip(range(1, steps + 1), stream(documents, seed)):
        recent.append(update(model, optimizer, ids, learning_rate(step, steps)))
        seen += ids[:, 1:].numel()
        if step % every == 0 or step == steps:
            rows.append((step, seen, sum(recent) / len(recent), mean_loss(model, dev)))
            recent = []
            minutes = (time.time() - start) / 60
            print(f"{minutes:5.1f} min  step {step}  {seen:,} pieces  loss {rows[-1][2]:.3f}  dev {rows[-1][3]:.3f}", flush=True)
            if saved:
                saved(model, rows)
    return rows


def learning_rate(step, steps, peak=1.5e-3):
    """Up in a straight line over 500 steps, or a quarter of a short run; level; down to 0 over the last three tenths."""
    return peak * min(1, step / min(500, steps // 4), (steps - step) / (0.3 * steps))


def adamw(model):
    """AdamW that decays tables and matrices only."""
    trained = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in trained if p.dim() > 1], "weight_decay": 0.05},
        {"params": [p for p in trained if p.dim() == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)


def update(model, optimizer, ids, rate):
    """One step on one batch; products in bfloat16, weights and sums in float32. Returns the loss."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    with torch.autocast("cpu", torch.bfloat16):
        value = loss(model, ids)
    optimizer.zero_grad()
    value.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return value.item()


def stream(documents, seed, tokens=1024):
    """Batches without end; documents and batches in another order at each pass."""
    order = torch.Generator().manual_seed(seed)
    while True:
        shuffled = [documents[i] for i in torch.randperm(len(documents), generator=order)]
        groups = batches(shuffled, tokens)
        for i in torch.randperm(len(groups), generator=order):
            yield groups[i]
