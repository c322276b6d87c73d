# %% [markdown]
# # 5 · Why √d_k
#
# **The same code, wider vectors, and learning stops. Which one number mends it?**
#
# By the end you will have found the number by experiment, put it into your attention, raced it against seven others,
# and seen a model learn with it and fail without. It takes about 65 minutes.

# %%
import numpy as np

from autograde import check, hint, predict, yours
from course_utils import datasets
from course_utils.embedding_space import softmax
from course_utils.experiments.ladder import models as ladder
from course_utils.experiments.ladder import sentences as ladder_sentences
from course_utils.experiments.ladder import training as ladder_training
from course_utils.explorers import scaling as explore
from course_utils.figures import plots
from course_utils.query_key_value import attention

# %% [markdown]
# ## Something goes wrong as vectors grow
#
# One query meets ten keys. All numbers are drawn from the **standard normal** distribution, the bell curve of mean 0 and
# standard deviation 1; first 4 in each vector. `attention` is lesson 4's; we keep its weights.

# %%
def ten_keys(d, seed=11):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((1, d)), rng.standard_normal((10, d)), rng.standard_normal((10, 2))


_, narrow = attention(*ten_keys(d=4))
print(narrow.round(2))

# %% [markdown]
# Several keys are heard. **Predict, then run.** Now 512 numbers each, from the same bell curve. What happens to the
# largest weight?

# %%
largest = predict("At d = 512, the largest weight will be …",
                  "smaller", "about the same", "larger")

# %%
_, wide = attention(*ten_keys(d=512))
print(wide.round(2))
largest.compare("larger" if wide.max() > 0.9 else "about the same")

# %% [markdown]
# One key takes everything, and yet these numbers are as random as those before. So look at the scores.
#
# ## How large is a dot product?
#
# One dot product, term by term. Each term is positive or negative by chance; does the sum stay near 0?

# %%
rng = np.random.default_rng(3)
total = 0.0
for a, b in zip(rng.standard_normal(6), rng.standard_normal(6)):
    total += a * b
    print(f"{a:+.2f} × {b:+.2f} = {a * b:+.2f}   sum so far {total:+.2f}")

# %% [markdown]
# It strays, as a walker strays who tosses a coin for left or right at every step. How far, at any width?
#
# **Write `dot_product_samples`**: the dot products of n pairs of random vectors. `rng.standard_normal((2, 3))` draws a
# table of 2 rows and 3 columns.


# %% answer: dot_product_samples
def dot_product_samples(n, d, rng):
    """n pairs of independent standard-normal vectors of width d → their dot products, (n,).

    All randomness comes from rng, a numpy.random.Generator: the same seed gives the same numbers.
    """
    ### BEGIN SOLUTION
    X = rng.standard_normal((n, d))
    Y = rng.standard_normal((n, d))
    return (X * Y).sum(axis=1)
    ### END SOLUTION


# %% check: dot_product_samples
check("dot_product_samples", dot_product_samples)

# %% [markdown]
# Two measures of how far numbers stray: their **variance**, the mean squared distance from their mean, and its root,
# the standard deviation, here called **spread**.
#
# **Predict:** from width 4 to 400, how much larger is the spread?

# %%
times = predict("From width 4 to 400 the spread grows how many times?", 100, 10, 1)

# %%
samples = yours("dot_product_samples", dot_product_samples)
spreads = []
for d in [4, 400]:
    z = samples(4000, d, np.random.default_rng(d))
    spreads.append(z.std())
    print(f"d = {d:3}   mean {z.mean():+6.2f}   variance {z.var():7.2f}   spread {z.std():6.2f}")
times.compare(spreads[1] / spreads[0])

# %% [markdown]
# Ten times. A term a · b has mean 0 and variance 1 · 1 = 1, as a and b are independent. Variances of independent terms
# add up: for d terms **the variance is d, the spread √d**.

# %%
widths = [2**i for i in range(1, 13)]
spread = np.array([samples(1000, d, np.random.default_rng(d)).std() for d in widths])

off = abs(spread / np.sqrt(widths) - 1)
print(f"twelve widths, {widths[0]} to {widths[-1]}: spread and √d differ by {off.max():.0%} at most")
plots.lines(widths, {"measured": spread, "√d": np.sqrt(widths)},
            "The spread of dot products grows as √d", "width d", "standard deviation")

# %% [markdown]
# ## What softmax makes of it
#
# Of two keys with scores a and b, softmax gives the first e^a / e^b = e^(a − b) times the weight of the second. Only the
# **difference** counts. The spreads √64 and √512 are 8 and about 23:

# %%
for gap in [0, 1, 8, 23]:
    print(f"scores {gap:2} apart: one key has {np.exp(gap):,.1f} times the weight of the other")

# %% [markdown]
# So wide vectors mean a sure winner, by chance alone. Here for 500 queries at four widths. A query divided by a number has
# all its scores divided by it; for now by 1.

# %%
def weights_at(d, divide_by, queries=500, seed=0):
    rng = np.random.default_rng([seed, d])
    Q, K = rng.standard_normal((queries, 1, d)), rng.standard_normal((queries, 10, d))
    return attention(Q / divide_by, K, K)[1][:, 0]  # (queries, 10); the values do not matter here


for d in [4, 8, 64, 512]:
    print(f"d = {d:3}   largest weight {weights_at(d, 1).max(axis=1).mean():.2f}")

# %% [markdown]
# From half of the weight on one key to nearly all of it.
#
# ## A popular sum, checked
#
# "A dot product of 3547 is too large. Divided by √64 it is about 443, which is manageable." Put two more scores beside
# it. **Predict:** what are their weights?

# %%
manageable = predict("The three weights will be …", "even", "mixed", "one-sided")

# %%
scores = np.array([3547, 3200, 3040]) / np.sqrt(64)
print("divided by √64:", scores)
print("weights:       ", softmax(scores))
print("380 taken off: ", softmax(scores - 380))
manageable.compare("one-sided" if softmax(scores).max() > 0.99 else "mixed")

# %% [markdown]
# (`e-19` is · 10⁻¹⁹: nothing.) 443.375 is no more manageable than 3547: the three are still tens apart, and what counts
# is how far apart, not how large. (If that 3547 came from vectors of 4 numbers, as it is sometimes told, the root would
# be √4.)
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
# Not the size of scores but their spread must come down, to the same at any width. Scores divided by a number have their
# spread divided by it too. We know the spread, √d: divide by exactly that.

# %%
for d in [4, 8, 64, 512]:
    plain, scaled = (weights_at(d, by).max(axis=1).mean() for by in [1, np.sqrt(d)])
    print(f"d = {d:3}   largest weight {plain:.2f}   divided by √d {scaled:.2f}")

# %% [markdown]
# The same at every width. Which d is it? A score adds up the products of one query and one key, so it is **d_k, the width
# of a query and of a key**: not of the embedding, nor of the values, nor the number of words.
#
# $$\text{attention}(Q, K, V) = \text{softmax}\left(\frac{\underset{(n_q,\,d_k)}{Q}\;
# \underset{(d_k,\,n_k)}{K^\top}}{\sqrt{d_k}}\right)\; \underset{(n_k,\,d_v)}{V}$$
#
# **Write `scaled_dot_product_attention`**: lesson 4's attention, its scores divided by √d_k. All else holds as there.
# `softmax` (over the last axis) and `attention` are imported.


# %% answer: scaled_dot_product_attention
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) →
    output (..., n_q, d_v), weights (..., n_q, n_k).

    mask: bool, True where a query may look: (n_q, n_k), or with batch axes of its own. A query that
    may look nowhere gets weights 0 and output 0. Scores may be a million in size; arrays may hold
    whole numbers, and stay as they were.
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
# The query and keys from the beginning, at both widths, through your new attention:

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
# How evenly is a row of weights spread? **Entropy** is −Σ p ln p: 0 for a sure winner, and for n equal weights
# −n · (1/n) · ln(1/n) = ln n, the most there can be. Its unit is the **nat**.
#
# **Write `entropy`**, one number for each row. A weight of 0 adds nothing, although ln 0 is −∞: mind what NumPy makes of
# 0 · −∞.


# %% answer: entropy
def entropy(p, axis=-1):
    """Probabilities that sum to 1 along axis → −Σ p ln p along it (natural logarithm; 0 ln 0 is 0)."""
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
# Eight candidates, twelve widths, n_k keys; values are d_v wide, embeddings d_model (the d of earlier lessons).
# **Predict:** with which divisors does the mean entropy stay *level*? Its *range* is the largest mean minus the smallest.
# Twelve draws at *one* width have a range too, by chance; level shall mean less than twice that.

# %%
how_many = predict("How many of the eight divisors keep it level?", 0, 1, 2, 4)

# %%
n_k, d_v, d_model = 10, 16, 512
divisors = {
    "nothing": lambda d: 1, "√d_k": np.sqrt, "d_k": lambda d: d, "ln d_k": np.log,
    "√n_k": lambda d: np.sqrt(n_k), "√d_v": lambda d: np.sqrt(d_v), "8": lambda d: 8,
    "√d_model": lambda d: np.sqrt(d_model),
}
race = {name: [measure(weights_at(d, divide_by(d), queries=100)).mean() for d in widths]
        for name, divide_by in divisors.items()}
by_chance = np.ptp([measure(weights_at(64, 8, queries=100, seed=seed)).mean() for seed in range(12)])

# %%
for name, entropies in race.items():
    first, last = entropies[0], entropies[-1]
    print(f"{name:9} {first:.2f} at width 2, {last:.2f} at 4096, range {np.ptp(entropies):.2f}")
level = [name for name, entropies in race.items() if np.ptp(entropies) < 2 * by_chance]
print(f"by chance, at one width: range {by_chance:.2f}.   Level: {', '.join(level)}")
how_many.compare(len(level))

# %% [markdown]
# Only √d_k is level. Here are the divisors that grow with the width, and none:

# %%
grows = {name: race[name] for name in ["√d_k", "d_k", "ln d_k", "nothing"]}
plots.lines(widths, grows, "Divisors that grow with the width, and none", "width d_k", "mean entropy",
            log_x=True, limits=(0, 2.4))

# %% [markdown]
# d_k ends at ln 10, the most there is: ten weights as good as even, so wide queries cannot choose. With a logarithm or
# nothing they cannot doubt. And the fixed ones? Each is right at one width, where it happens to be √d_k:

# %%
fixed = {name: race[name] for name in ["√d_k", "√d_model", "8", "√d_v", "√n_k"]}
plots.lines(widths, fixed, "Fixed divisors, beside √d_k", "width d_k", "mean entropy",
            log_x=True, limits=(0, 2.4))

# %% [markdown]
# One limit of all this: here queries and keys are *independent*, with variance 1, as at the start of training. Trained ones
# are not. So others set the size elsewhere: T5 (2020) divides nothing and starts W_q smaller by √d_k instead; muP (2022),
# which wants one recipe for all widths, divides by d_k.
#
# ## Which divisor does a real model use?
#
# MiniLM's embeddings are 384 wide. Each layer attends in 12 **heads** (lesson 6) side by side, with queries and keys of
# width 32: projected as in lesson 4, with a trained row b added, then cut into 12 parts. **Predict:** which divisor
# gives back the weights that PyTorch computed?

# %%
published = predict("Which divisor did the model's makers use?", "nothing", "√32", "32", "√384")

# %%
text = "The doctor gave the patient medicine because he was sick."
minilm = datasets.load_minilm()
X, layer = minilm.run(text).hidden[0], minilm.model["layers"][0]
Q, K = (X @ layer[f"W_{role}"] + layer[f"b_{role}"] for role in "qk")  # (tokens, 384)
Q, K = (part.reshape(-1, 12, 32).swapaxes(0, 1) for part in (Q, K))  # (12 heads, tokens, 32)
stored = next(run.weights[0] for run in datasets.load_minilm_outputs() if run.sentence == text)

# %%
errors = {}
for name, by in {"nothing": 1, "√32": np.sqrt(32), "32": 32, "√384": np.sqrt(384)}.items():
    weights = attention(Q / by, K, K)[1]
    errors[name] = error = abs(weights - stored).max()
    print(f"÷ {name:8} entropy {measure(weights).mean():.2f}   differs from PyTorch by {error:.4f}")
published.compare(min(errors, key=errors.get))

# %% [markdown]
# √32, the root of the width of a query in one head, as published. Undivided, its attention would be far surer than it was
# trained to be.
#
# ## Why a sure winner is bad: nothing can be learned
#
# Training moves weights by small nudges of the scores. Nudge one score by 0.01:

# %%
for name, scores in {"open": [1.0, 0.0, -1.0], "sure": [20.0, 0.0, -20.0]}.items():
    before, after = softmax(np.array(scores)), softmax(np.array(scores) + [0, 0.01, 0])
    print(f"{name}: weights {before.round(2)}, moved by {(after - before).round(5) + 0}")

# %% [markdown]
# The sure row does not move: such a softmax is called **saturated**. How much weight i moves as score j alone rises is
# a slope, ∂p_i / ∂score_j. The table of all slopes is the **Jacobian**:
#
#     ∂p_i / ∂score_j  =  p_i − p_i p_i  where i = j,   and  − p_i p_j  elsewhere
#
# $$\underset{(n,\,n)}{J} = \text{diag}(\underset{(n,)}{p}) - \underset{(n,\,1)}{p}\; \underset{(1,\,n)}{p^\top}$$
#
# **Write `softmax_jacobian`**: p on the diagonal, minus all products p_i p_j (an outer product, as in lesson 2).


# %% answer: softmax_jacobian
def softmax_jacobian(p):
    """Weights p (n,) → (n, n), diag(p) − p pᵀ: row i, column j for weight i as score j rises."""
    ### BEGIN SOLUTION
    return np.diag(p) - np.outer(p, p)
    ### END SOLUTION


# %% check: softmax_jacobian
check("softmax_jacobian", softmax_jacobian)

# %% [markdown]
# It should foretell how the open row moved. There score 1 rose by 0.01: take column 1 (counted from 0), times 0.01.

# %%
slopes = yours("softmax_jacobian", softmax_jacobian)
p = softmax(np.array([1.0, 0.0, -1.0]))
moved = softmax(np.array([1.0, 0.01, -1.0])) - p

print("foretold:", (0.01 * slopes(p)[:, 1]).round(5))
print("measured:", moved.round(5))
plots.heatmap(slopes(p), ["weight 0", "weight 1", "weight 2"], ["score 0", "score 1", "score 2"],
              "How weights move with scores", low=-0.25, high=0.25)

# %% [markdown]
# Queries and keys act on the loss only through scores and weights. So, by the chain rule, every gradient on its way to
# them is multiplied by this table. How large is it? Its **norm** is the root of the sum of its squared entries.

# %%
def passes(d, divide_by):
    return np.mean([np.linalg.norm(slopes(p)) for p in weights_at(d, divide_by, queries=100)])


gradients = {"√d_k": [passes(d, np.sqrt(d)) for d in widths],
             "nothing": [passes(d, 1) for d in widths]}
print("at width 4096:", {name: round(float(norms[-1]), 3) for name, norms in gradients.items()})
plots.lines(widths, gradients, "What softmax lets through", "width d_k", "norm of the Jacobian",
            log_x=True, limits=(0, 0.4))

# %% [markdown]
# Without √d_k the gradients **vanish** as width grows. Now choose yourself; the last number below is that norm.
# **Temperature** divides once more, the same at every width: below 1 sharper, above 1 softer.
#
# **Try:** make the norm small in two ways. Does any temperature make another divisor level, not pressed against ln 10?

# %%
explore.race(entropy=measure, softmax_jacobian=slopes)

# %% [markdown]
# ## Does it matter? Train it
#
# A small model reads ten words and predicts the next two, with one step of attention (more in lesson 6). It is 64 wide,
# and its word vectors start with spread 1, as here. Three of its five kinds of sentence:

# %%
training, test = ladder_training.data(seed=0)
for kind in range(3):
    i = int(np.argmax(test.kinds == kind))
    words, answer = (ladder_sentences.words_of(row) for row in (test.ids[i], test.answers[i]))
    print(f"{ladder_sentences.KINDS[kind]:12}  {words}  →  {answer}")

# %% [markdown]
# The *last word* alone decides, or one word anywhere (*bag of words*). For *recall* one must find the earlier place of
# the last word, and what came after it: that needs choosing.
#
# **Predict:** the same start, the same sentences; one division is the only difference. What does it change? (Behind a
# bar: the share of new sentences that come out right. *Direction* is lesson 4's “who beats whom”; *two facts* waits for
# lesson 6.)

# %%
changes = predict("Without the division, what changes?",
                  "nothing", "the speed", "whether it learns")

# %%
runs = {}
for name, scaled in [("÷ √64", True), ("not divided", False)]:
    runs[name] = ladder_training.train(ladder.Heads(1, scaled), training, test,
                                       d=64, spread=1.0, steps=400, label=name)
for name, run in runs.items():
    shares = zip(ladder_sentences.KINDS, run.by_kind)
    print(f"{name:12}", "  ".join(f"{kind} {share:.2f}" for kind, share in shares))
learns = runs["not divided"].by_kind[2] > 0.5
changes.compare("the speed" if learns else "whether it learns")

smooth = {name: run.losses.reshape(-1, 20).mean(axis=1) for name, run in runs.items()}
plots.lines(np.arange(10, 400, 20), smooth, "Learning with and without √d_k", "step", "loss")

# %% [markdown]
# Without the division it learns what needs no choosing; in these 400 steps neither recall nor direction. Was its
# attention sure before it had learned anything? An honest third run starts from *smaller* numbers, undivided.

# %%
runs["smaller start"] = ladder_training.train(ladder.Heads(1, scaled=False), training, test,
                                              d=64, spread=0.3, steps=400)

n_words, length = len(ladder_sentences.VOCABULARY), ladder_sentences.LENGTH
for (name, run), scaled, spread in zip(runs.items(), [True, False, False], [1.0, 1.0, 0.3]):
    fresh = ladder.Ladder(ladder.Heads(1, scaled), n_words, length, d=64, spread=spread)
    largest = fresh.predict(test.ids[:200])[1].max(axis=-1).mean()
    print(f"{name:14} largest weight before training {largest:.2f}   recall after {run.by_kind[2]:.2f}")

# %% [markdown]
# So a small start can stand in for the division in this little model: what matters is that softmax is not saturated. The
# division sees to that from either start.
#
# ## Another trouble, another cure: overflow
#
# "√d_k is a trick for numerical stability" is often said. **Overflow** is when a number is too large for its type:
# float32 has 32 bits for a number, float64, NumPy's usual, 64. Then NumPy writes inf, and inf / inf is nan, *not a
# number*.

# %%
def naive_softmax(scores):
    return np.exp(scores) / np.exp(scores).sum()


for kind in [np.float32, np.float64]:
    limit = np.log(np.finfo(kind).max)
    scores = np.array([limit + 3, limit + 2, limit + 1], dtype=kind)
    print(f"{kind.__name__}: scores {scores.round(1)}, exponents up to {limit:.1f}")
    with np.errstate(all="ignore"):
        print("  naive                ", naive_softmax(scores))
        print("  naive, ÷ 8           ", naive_softmax(scores / 8).round(2))
        print("  ten times larger, ÷ 8", naive_softmax(10 * scores / 8))
    print("  largest taken off    ", softmax(10 * scores / 8).round(2))

# %% [markdown]
# Dividing only moves the place where it fails. Taking off the largest score, as in lesson 2, ends it: no exponent is
# above 0 then. And the other way round, does that save a saturated row?

# %%
for name, by in {"largest score taken off": 1, "and divided by √d_k": np.sqrt(512)}.items():
    print(f"{name:24} largest weight at width 512: {weights_at(512, by).max(axis=1).mean():.2f}")

# %% [markdown]
# It does not: taking off a number changes no weight. Two troubles, two cures.
#
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
#
# **Next.** Your attention looks once: one row of weights for each query. But "anna's friend and anna's rival" are two
# places at once. Lesson 6 looks several times, at no extra cost.
