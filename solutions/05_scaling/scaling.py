# %% [markdown]
# # 5 · Why √d_k, and nothing else
#
# **The same code, wider vectors, and learning stops. Which one number mends it?**
#
# By the end you will have found the number by experiment, put it into your attention, raced it against seven others,
# and seen a model learn with it and fail without. It takes about 60 minutes.

# %%
import warnings

import numpy as np

from autograde import check, hint, yours
from course_utils import datasets, ladder, ladder_sentences, ladder_training, plots
from course_utils.embedding_space import softmax
from course_utils.explorers import scaling as explore
from course_utils.query_key_value import attention

# %% [markdown]
# ## Something goes wrong as vectors grow
#
# One query meets ten keys. All their numbers are drawn at random from the **standard normal** distribution, the bell
# curve of mean 0 and standard deviation 1. First with 4 numbers each. `attention` is lesson 4's, with nothing divided;
# we keep its weights and drop its output.

# %%
def ten_keys(d, seed=11):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((1, d)), rng.standard_normal((10, d)), rng.standard_normal((10, 2))


_, narrow = attention(*ten_keys(d=4))
print(narrow.round(2))

# %% [markdown]
# A mixed picture: several keys are heard. **Predict, then run.** Now 512 numbers each, from the same bell curve. What
# happens to the largest weight?

# %%
guess = None  # "smaller", "about the same" or "larger"

_, wide = attention(*ten_keys(d=512))
print(wide.round(2))

# %% [markdown]
# One key takes everything. Yet these numbers are as random as those before; only there are more of them. So let us look
# at the scores.
#
# ## How large is a dot product?
#
# One dot product of two random vectors first, term by term. Each term is positive or negative by luck; does the sum
# stay near 0?

# %%
rng = np.random.default_rng(3)
total = 0.0
for a, b in zip(rng.standard_normal(6), rng.standard_normal(6)):
    total += a * b
    print(f"{a:+.2f} × {b:+.2f} = {a * b:+.2f}   sum so far {total:+.2f}")

# %% [markdown]
# The sum strays from 0, as a walker strays who tosses a coin for left or right at every step. How far? For that we need
# many sums, at any width.
#
# **Write `dot_product_samples`**: n pairs of vectors of width d, all drawn independently by `rng.standard_normal`, and
# the dot product of each pair: n numbers. `rng.standard_normal((2, 3))` draws a table of 2 rows and 3 columns. With the
# same seed the numbers must be the same, so draw everything from `rng`.


# %% answer: dot_product_samples
def dot_product_samples(n, d, rng):
    """n pairs of independent standard-normal vectors of width d → their dot products, (n,).

    All randomness comes from rng, a numpy.random.Generator.
    """
    ### BEGIN SOLUTION
    X = rng.standard_normal((n, d))
    Y = rng.standard_normal((n, d))
    return (X * Y).sum(axis=1)
    ### END SOLUTION


# %% check: dot_product_samples
check("dot_product_samples", dot_product_samples)

# %% [markdown]
# Two measures of how far numbers stray: their **variance** is the mean squared distance from their mean; its root is
# the standard deviation, in this lesson their **spread**.
#
# **Predict:** from width 4 to width 400, a hundred times as many terms. How much larger is the spread of the dot
# products: 100 times, 10 times, or the same?

# %%
guess = None  # 100, 10 or 1

samples = yours("dot_product_samples", dot_product_samples)
for d in [4, 400]:
    z = samples(4000, d, np.random.default_rng(d))
    print(f"d = {d:3}   mean {z.mean():+6.2f}   variance {z.var():7.2f}   spread {z.std():6.2f}")

# %% [markdown]
# Ten times. Why? A term a · b has mean 0, and its variance is that of a times that of b (both independent, of mean 0):
# 1 · 1 = 1. Variances of independent terms add up, so for d terms **the variance is d, and the spread is √d**. Measured
# at twelve widths:

# %%
widths = [2**i for i in range(1, 13)]
spread = np.array([samples(1000, d, np.random.default_rng(d)).std() for d in widths])

for d, s in zip(widths, spread):
    print(f"d = {d:4}   spread {s:6.2f}   √d {np.sqrt(d):6.2f}   ratio {s / np.sqrt(d):.2f}")

# %%
assert abs(spread / np.sqrt(widths) - 1).max() < 0.15

plots.lines(widths, {"measured": spread, "√d": np.sqrt(widths)},
            "The spread of dot products grows as √d", "width d", "standard deviation",
            log_x=True, log_y=True)

# %% [markdown]
# ## What softmax makes of it
#
# Of two keys with scores a and b, softmax gives the first e^a / e^b = e^(a − b) times the weight of the second. Only
# the **difference** counts. Take it to be 0, 1, and then 8 and about 23, the spreads √64 and √512:

# %%
for gap in [0, 1, 8, 23]:
    print(f"scores {gap:2} apart: one key has {np.exp(gap):,.1f} times the weight of the other")

# %% [markdown]
# So wide vectors mean a sure winner, by luck alone. Let us see it for 500 queries with ten keys each, at four widths.
# `weights_at` can also divide: a query divided by a number has all its scores divided by it. Here it divides by 1. The
# values do not matter, so the keys stand in for them.

# %%
def weights_at(d, divide_by, queries=500):
    rng = np.random.default_rng(d)
    Q, K = rng.standard_normal((queries, 1, d)), rng.standard_normal((queries, 10, d))
    return attention(Q / divide_by, K, K)[1][:, 0]  # (queries, 10)


for d in [4, 8, 64, 512]:
    print(f"d = {d:3}   largest weight {weights_at(d, 1).max(axis=1).mean():.2f}")

# %% [markdown]
# The wider, the surer: from half of the weight on one key to nearly all of it.
#
# ## A popular sum, checked
#
# "A dot product of 3547 is too large. Divide it by √64 and it is about 443, which is manageable." Let us follow that to
# the end, with two more scores beside it. **Predict:** three scores, divided by 8; what are their weights?

# %%
guess = None  # will the three weights be even, mixed, or one-sided?

scores = np.array([3547, 3200, 3040])
print("divided by √64:", scores / np.sqrt(64))
print("weights:       ", softmax(scores / np.sqrt(64)))

# %% [markdown]
# (`e-19` is NumPy's way to write · 10⁻¹⁹: nothing.) The division is right, 443.375. But 443 is no more manageable than
# 3547: the three are still tens apart, and the winner takes all. Take 380 off each, and not one weight changes:

# %%
assert 3547 / np.sqrt(64) == 443.375
assert np.allclose(softmax(scores / 8), softmax(scores / 8 - 380))

print("spread of the three scores, divided:", (scores / 8).std().round(1))
print("largest weight:", softmax(scores / 8).max().round(6))

# %% [markdown]
# (And when such a 3547 comes from vectors of 4 numbers, as it is sometimes told, the root in question is √4, not √64.)
#
# **Quiz.** Scores 3547, 3200, 3040, divided by 8: about 443, 400, 380. What does softmax make of these?
#
# * a: Soft weights: 443 is a manageable number.
# * b: One weight of 1, and nothing for the others: the scores are still tens apart.
# * c: An overflow: exp(443) is too large for float64.

# %% answer: answer_spread
answer_spread = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_spread = "b"
### END SOLUTION

# %% check: answer_spread
check("answer_spread", answer_spread)

# %% [markdown]
# ## Divide by the spread
#
# Not the size of the scores but their spread must come down, and to the same at any width. Divide all scores by a
# number, and their spread is divided by it too. We know the spread: √d. So divide by exactly that, and it becomes 1.

# %%
for d in [4, 8, 64, 512]:
    plain, scaled = (weights_at(d, by).max(axis=1).mean() for by in [1, np.sqrt(d)])
    print(f"d = {d:3}   largest weight {plain:.2f}   divided by √d {scaled:.2f}")

# %% [markdown]
# Level at every width. Which d is it? A score adds up the d_k products of one query and one key, so it is **d_k, the
# width of a query and of a key**: not the width of the embedding, nor of the values, nor the number of words.
#
# **Write `scaled_dot_product_attention`**: lesson 4's attention, its scores divided by √d_k. Return output, weights.
# All else holds as there: True in `mask` means that a query may look, one that may look nowhere gets weights and output
# 0, leading axes are batches, scores may be a million in size, arrays may hold whole numbers and stay as they were.
# `softmax` (over the last axis) and `attention` are imported above.


# %% answer: scaled_dot_product_attention
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) → (output (..., n_q, d_v), weights (..., n_q, n_k)).

    mask: bool, True where a query may look, of shape (n_q, n_k) or with leading axes that broadcast.
    """
    ### BEGIN SOLUTION
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is None:
        weights = softmax(scores)
    else:
        nowhere = ~mask.any(axis=-1, keepdims=True)
        weights = softmax(np.where(mask | nowhere, scores, -np.inf))
        weights = np.where(nowhere, 0, weights)
    return weights @ V, weights
    ### END SOLUTION


# %% check: scaled_dot_product_attention
check("scaled_dot_product_attention", scaled_dot_product_attention)

# %% [markdown]
# The query and keys from the beginning, at both widths, through your new attention. No key takes everything any more:

# %%
attend = yours("scaled_dot_product_attention", scaled_dot_product_attention)
for d in [4, 512]:
    print(f"d = {d:3} ", attend(*ten_keys(d))[1].round(2))

# %% [markdown]
# **Quiz.** A model of width 768 projects each word to queries and keys of width 64 and to values of width 128, and
# looks at 1,024 words. By what are the scores divided?
#
# * a: √768 ≈ 27.7, the width of the embedding.
# * b: √1024 = 32, since there are that many scores.
# * c: √64 = 8, the width of a query and of a key.
# * d: √128 ≈ 11.3, the width of the values.

# %% answer: answer_width
answer_width = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_width = "c"
### END SOLUTION

# %% check: answer_width
check("answer_width", answer_width)

# %% [markdown]
# ## How undecided is a row of weights?
#
# To race one divisor against another we need one number for how evenly a row is spread. **Entropy** is minus the sum of
# p · ln p. It is 0 for a sure winner. For n equal weights it is −n · (1/n) · ln(1/n) = ln n, the most there can be.
#
# **Write `entropy`**: one number for each row, or for each line along another `axis`. With natural logarithms its unit
# is called **nat**. A weight of 0 adds nothing, although ln 0 is −∞: mind what NumPy makes of 0 · −∞.


# %% answer: entropy
def entropy(p, axis=-1):
    """Probabilities that sum to 1 along axis → −Σ p ln p along it; a probability of 0 adds nothing."""
    ### BEGIN SOLUTION
    logs = np.log(np.where(p > 0, p, 1))
    return -(p * logs).sum(axis=axis)
    ### END SOLUTION


# %% check: entropy
check("entropy", entropy)

# %%
measure = yours("entropy", entropy)

for name, p in {"sure": [1, 0, 0, 0], "leaning": [0.7, 0.1, 0.1, 0.1], "even": [0.25] * 4}.items():
    print(f"{name:8} entropy {measure(np.array(p, dtype=float)) + 0:.2f}   {p}")

# %% [markdown]
# ## The race of eight divisors
#
# Eight candidates. Two of them know d_k; one knows its logarithm; the others are fixed, whatever d_k is. Their letters:
# n_k keys, values d_v wide, and embeddings d_model wide (the d of earlier lessons, here named apart from d_k).

# %%
n_k, d_v, d_model = 10, 16, 512
divisors = {
    "nothing": lambda d: 1, "√d_k": np.sqrt, "d_k": lambda d: d, "ln d_k": np.log,
    "√n_k": lambda d: np.sqrt(n_k), "√d_v": lambda d: np.sqrt(d_v), "8": lambda d: 8,
    "√d_model": lambda d: np.sqrt(d_model),
}
race = {name: [measure(weights_at(d, divide_by(d), queries=50)).mean() for d in widths]
        for name, divide_by in divisors.items()}

# %% [markdown]
# **Predict:** which of them keep the mean entropy level from width 2 to width 4096? Write down their names before you
# run the next cell. Its *range* is the largest mean minus the smallest, over all twelve widths.

# %%
guess = None  # a list of names

for name, entropies in race.items():
    first, last = entropies[0], entropies[-1]
    print(f"{name:9} {first:.2f} at width 2, {last:.2f} at 4096, range {np.ptp(entropies):.2f}")

# %%
level = [name for name, entropies in race.items() if np.ptp(entropies) < 0.15]
assert level == ["√d_k"]

grows = {name: race[name] for name in ["√d_k", "d_k", "ln d_k", "nothing"]}
plots.lines(widths, grows, "Divisors that grow with the width, and none", "width d_k", "mean entropy",
            log_x=True, limits=(0, 2.4))

# %%
fixed = {name: race[name] for name in ["√d_k", "√d_model", "8", "√d_v", "√n_k"]}
plots.lines(widths, fixed, "Fixed divisors, beside √d_k", "width d_k", "mean entropy",
            log_x=True, limits=(0, 2.4))

# %% [markdown]
# Only √d_k is level. d_k has the next smallest range, but for a bad reason: it ends at ln 10, the most there is: ten
# weights as good as even, and wide queries cannot choose. With a logarithm or nothing they cannot doubt. A fixed number
# is right at one width, where it happens to be √d_k: 8 at 64.

# %%
for name, d in {"√n_k": 10, "√d_v": 16, "8": 64, "√d_model": 512}.items():
    fixed_one, root = (measure(weights_at(d, by)).mean() for by in [divisors[name](d), np.sqrt(d)])
    print(f"{name:9} at width {d:3}: entropy {fixed_one:.2f}, with √d_k {root:.2f}")

# %% [markdown]
# Now move the width and choose the divisor yourself, and watch the curve of entropies. **Temperature** is a second
# divisor, the same at every width, for taste: below 1 sharper, above 1 softer. **Try:** does any temperature make
# another divisor than √d_k level, without pressing it against ln 10?

# %%
explore.race(entropy=measure)

# %% [markdown]
# ## Which divisor does a real model use?
#
# MiniLM, the model of lessons 3 and 4, reads a sentence of 13 tokens. Its embeddings are 384 wide. Each layer attends
# 12 times side by side, in 12 **heads** (lesson 6), each with queries and keys of width 32. Here are those of the first
# layer: projected as in lesson 4, with a row b added that training found too, then cut into 12 parts.

# %%
minilm = datasets.load_minilm()
run = minilm.run("The doctor gave the patient medicine because he was sick.")
layer = minilm.model["layers"][0]

Q, K = (run.hidden[0] @ layer[f"W_{role}"] + layer[f"b_{role}"] for role in "qk")
Q, K = (part.reshape(-1, 12, 32).swapaxes(0, 1) for part in (Q, K))  # (12 heads, tokens, 32)
scores = Q @ K.swapaxes(-1, -2)
print(Q.shape, "  spread of a query's scores, undivided:", scores.std(axis=-1).mean().round(1))

# %% [markdown]
# Wider than the √32 of random vectors: training has spread these scores. **Predict:** one of these four divisors gives
# back the weights that the model had when PyTorch ran it. Which?

# %%
guess = None  # "nothing", "√32", "32" or "√384"

stored = next(each for each in datasets.load_minilm_outputs() if each.sentence.startswith("The doctor gave"))
for name, by in {"nothing": 1, "√32": np.sqrt(32), "32": 32, "√384": np.sqrt(384)}.items():
    weights = attention(Q / by, K, K)[1]
    error = abs(weights - stored.weights[0]).max()
    print(f"÷ {name:8} entropy {measure(weights).mean():.2f}   differs from PyTorch's weights by {error:.4f}")
    assert (error < 1e-4) == (name == "√32")

# %% [markdown]
# √32: the root of the width of a query in one head, as published. (These weights were stored from a run of the model
# in PyTorch, not computed by this course's code.) Undivided, this model's attention would be far surer than it was
# trained to be; divided by the embedding's root, more even.
#
# ## Why a sure winner is bad: nothing can be learned
#
# Weights of 1.00 and 0.00 look decided, not broken. But training moves weights by small nudges of the scores. Nudge one
# score by 0.01 and see what moves:

# %%
for name, scores in {"open": [1.0, 0.0, -1.0], "sure": [20.0, 0.0, -20.0]}.items():
    before, after = softmax(np.array(scores)), softmax(np.array(scores) + [0, 0.01, 0])
    print(f"{name}: weights {before.round(2)}, moved by {(after - before).round(5) + 0}")

# %% [markdown]
# The sure row does not move, to five digits. Such a softmax is called **saturated**. How much weight i moves as score j
# alone rises is a slope, written ∂p_i / ∂score_j. The table of all these slopes is the **Jacobian**. For softmax it
# needs the weights p alone:
#
#     ∂p_i / ∂score_j  =  p_i − p_i p_i  where i = j,   and  − p_i p_j  elsewhere
#
# **Write `softmax_jacobian`**: from n weights a table (n, n), row i for weight i and column j for score j. It has p on
# the diagonal, minus all products p_i p_j (an outer product, as in lesson 2).


# %% answer: softmax_jacobian
def softmax_jacobian(p):
    """Weights p (n,) → (n, n): how much weight i moves when score j rises, diag(p) − p pᵀ."""
    ### BEGIN SOLUTION
    return np.diag(p) - np.outer(p, p)
    ### END SOLUTION


# %% check: softmax_jacobian
check("softmax_jacobian", softmax_jacobian)

# %% [markdown]
# It should foretell how the open row moved above. There score 1 rose by 0.01, so take column 1 (counted from 0) of the
# Jacobian, times 0.01:

# %%
slopes = yours("softmax_jacobian", softmax_jacobian)
p = softmax(np.array([1.0, 0.0, -1.0]))
moved = softmax(np.array([1.0, 0.01, -1.0])) - p

print("foretold:", (0.01 * slopes(p)[:, 1]).round(5))
print("measured:", moved.round(5))

# %%
plots.heatmap(slopes(p), ["weight 0", "weight 1", "weight 2"], ["score 0", "score 1", "score 2"],
              "How weights move with scores", low=-0.25, high=0.25)

# %% [markdown]
# Queries and keys act on the loss only through scores, and scores only through weights. So, by the chain rule, every
# gradient on its way to them is multiplied by this table. How large is it, with and without √d_k? We take its **norm**,
# the root of the sum of its squared entries, averaged over 100 queries:

# %%
def passes(d, divide_by):
    return np.mean([np.linalg.norm(slopes(p)) for p in weights_at(d, divide_by, queries=100)])


gradients = {"√d_k": [passes(d, np.sqrt(d)) for d in widths], "nothing": [passes(d, 1) for d in widths]}
plots.lines(widths, gradients, "What softmax lets through", "width d_k", "norm of the Jacobian",
            log_x=True, limits=(0, 0.4))

# %%
for i in [1, 5, 8, 11]:
    root, plain = gradients["√d_k"][i], gradients["nothing"][i]
    print(f"d_k = {widths[i]:4}   divided by √d_k {root:.3f}   by nothing {plain:.3f}")

assert gradients["nothing"][-1] < gradients["√d_k"][-1] / 5

# %% [markdown]
# Without √d_k the gradients **vanish**: they shrink towards 0 as width grows. The explorer once more, now with your
# Jacobian in it; its last number is that norm. **Find** two ways to make it smaller: weights too sure, and, less so,
# weights too even.

# %%
explore.race(entropy=measure, softmax_jacobian=slopes)

# %% [markdown]
# ## Does it matter? Train it
#
# A small model reads ten words and predicts the next two, with one step of attention (lesson 6 tells all about it). Its
# width is 64, and its word vectors start with spread 1, as in this lesson. Three of its five kinds of sentence:

# %%
training, test = ladder_training.data(seed=0)
for kind in range(3):
    i = int(np.argmax(test.kinds == kind))
    words, answer = (ladder_sentences.decode(row) for row in (test.ids[i], test.answers[i]))
    print(f"{ladder_sentences.KINDS[kind]:12}  {words}  →  {answer}")

# %% [markdown]
# The *last word* alone tells what follows, or one word that stands anywhere (a *bag of words* has no order). For
# *recall* one must find the earlier place of the last word, and what came after it: that needs choosing.
#
# The same model twice, the same start, the same sentences in the same order. The only difference is one division.
# **Predict** what it changes. The number behind a bar is the share of new sentences, of all kinds, that come out right.

# %%
guess = None  # "nothing", "the speed" or "whether it learns"

runs = {}
for name, scaled in [("÷ √64", True), ("not divided", False)]:
    runs[name] = ladder_training.train(ladder.Heads(1, scaled), training, test,
                                       d=64, spread=1.0, steps=400, label=name)

# %% [markdown]
# By kind of sentence. *Direction* is lesson 4's “who beats whom”; *two facts* waits for lesson 6, and neither run
# learns it:

# %%
for name, run in runs.items():
    shares = zip(ladder_sentences.KINDS, run.by_kind)
    print(f"{name:12}", "  ".join(f"{kind} {share:.2f}" for kind, share in shares))

# %%
assert runs["÷ √64"].by_kind[2] > 0.9 and runs["not divided"].by_kind[2] < 0.5
smooth = {name: run.losses.reshape(-1, 20).mean(axis=1) for name, run in runs.items()}

plots.lines(np.arange(10, 400, 20), smooth, "Learning with and without √d_k", "step", "loss")

# %% [markdown]
# Without the division the model learns last words and bags of words, which need no choosing, but in these 400 steps
# neither recall nor direction. Its attention was sure before it had learned anything:

# %%
n_words, length = len(ladder_sentences.VOCABULARY), ladder_sentences.LENGTH
for name, scaled in [("÷ √64", True), ("not divided", False)]:
    fresh = ladder.Ladder(ladder.Heads(1, scaled), n_words, length, d=64, spread=1.0)
    _, weights = fresh.predict(test.ids[:200])
    print(f"{name:12} largest weight before training {weights.max(axis=-1).mean():.2f}")

# %% [markdown]
# An honest footnote: start with *smaller* numbers, spread 0.3, and the first scores are smaller too. Then this little
# model learns recall without the division (asserted below). With the division it learned from the large start as well.

# %%
small = ladder_training.train(ladder.Heads(1, scaled=False), training, test,
                              d=64, spread=0.3, steps=400, label="small start")
assert small.by_kind[2] > 0.9

# %% [markdown]
# ## Another trouble, another cure: overflow
#
# "√d_k is a trick for numerical stability" is often said. It is not that. **Overflow** is when a number is too large
# for its type: float32 has 32 bits for a number, float64, NumPy's usual, 64. Then NumPy writes inf:

# %%
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for kind in [np.float32, np.float64]:
        limit = np.log(np.finfo(kind).max)
        beyond = np.exp(kind(limit + 1))
        print(f"{kind.__name__}: exponents up to {limit:.1f}; exp({limit + 1:.0f}) = {beyond}")

# %% [markdown]
# A softmax that takes exponentials at once fails there: inf / inf is nan, *not a number*. Dividing by √d_k only moves
# the place where it fails; taking off the largest score, as in lesson 2, ends it, since no exponent is above 0 then.

# %%
def naive_softmax(scores):
    return np.exp(scores) / np.exp(scores).sum()


scores = np.array([800.0, 799.0, 798.0])
with np.errstate(all="ignore"):
    print("naive:                ", naive_softmax(scores))
    print("naive, ÷ 8:           ", naive_softmax(scores / 8).round(2))
    print("ten times larger, ÷ 8:", naive_softmax(10 * scores / 8))
print("largest taken off:    ", softmax(10 * scores / 8).round(2))

# %% [markdown]
# And the other way round: taking off the maximum changes no weight, so it leaves a saturated row as saturated as it
# was. Two troubles, two cures.

# %%
d = 512
print("largest taken off, not divided:", f"{weights_at(d, 1).max(axis=1).mean():.2f}")
print("largest taken off, and ÷ √d_k: ", f"{weights_at(d, np.sqrt(d)).max(axis=1).mean():.2f}")

# %% [markdown]
# **Quiz.** Your softmax takes off the maximum of each row, so nothing overflows. Can the division by √d_k be left out?
#
# * a: Yes: both keep the numbers small.
# * b: No: without it wide queries saturate softmax, and its gradients vanish.
# * c: Yes, in float64; float32 needs both.

# %% answer: answer_two_cures
answer_two_cures = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_two_cures = "b"
### END SOLUTION

# %% check: answer_two_cures
check("answer_two_cures", answer_two_cures)

# %% [markdown] own words: why_root 2
# **In your own words.** A colleague doubles d_k from 64 to 128 and keeps dividing by 8, "because the paper does". (The
# paper of 2017 that introduced this division had d_k = 64.) In two or three sentences: what happens to the scores, to
# the weights, and to learning? (Marked by hand, 2 points.)
#
# ### BEGIN MARK SCHEME
# One point: the variance of a score doubles, so its spread grows by √2 (to about 1.4 after dividing by 8), and the
# weights become more one-sided. One point: a more saturated softmax passes smaller gradients, so learning gets slower;
# the divisor should be √128 ≈ 11.3. (Saying that it is not yet a catastrophe at 1.4 is right, too.)
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `dot_product_samples`: measure that dot products of random vectors spread as √d.
# * `scaled_dot_product_attention`: write attention as it is used everywhere, mask and batches included.
# * `entropy`: say in one number how open a row of weights is.
# * `softmax_jacobian`: say how much of a gradient softmax lets through, and why a sure winner cannot learn.

# %% [markdown]
# **Next.** Your attention looks once: one row of weights for each query. But "anna's friend and anna's rival" are two
# places at once. Lesson 6 looks several times, at no extra cost.
