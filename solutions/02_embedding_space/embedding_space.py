# %% [markdown]
# # 2 · How numbers become meaning
#
# **GloVe's numbers were not filled in by anybody: they began at random. How do random numbers become meaning, and
# what does a direction between two words mean?**
#
# By the end you will have trained word vectors with your own gradients, watched groups form, and measured what
# *king − man + woman* really gives. It takes about 90 minutes, in two sittings: make a break
# after the training.
#
# Letters: V words in the vocabulary, n rows, m words of context, d the width of an embedding. A word is a row of E (V, d).

# %%
import numpy as np

from autograde import check, hint, predict, yours
from course_utils import datasets, word_vectors
from course_utils.experiments import analogies, bias, cbow, corpus, counts, relations
from course_utils.experiments.subwords import Subwords, ngrams
from course_utils.explorers import embedding_space as explore
from course_utils.figures import drawings, plots

# %% [markdown]
# ## The cat drank ___
#
# *Milk* fits, *bone* does not. A model says so by one number for each word, a **score**. **Softmax** makes
# probabilities of scores: make each positive by eˣ, then divide by the sum.
#
# $$\text{softmax}(x)_i \;=\; \frac{e^{x_i}}{e^{x_1} + e^{x_2} + \dots + e^{x_V}} \qquad\quad
# \underset{(V,)}{x} \;\to\; \underset{(V,)}{p}$$

# %%
words, scores = ["milk", "water", "bone"], np.array([2.0, 1.0, -1.0])
exponentials = np.exp(scores)
shares = exponentials / exponentials.sum()
for word, score, e, p in zip(words, scores, exponentials, shares):
    print(f"{word:6} score {score:+.0f}  e^score {e:.3f}  probability {p:.3f}  {'█' * round(20 * p)}")

# %%
shifted = predict("Every score grows by 1,000. By the formula, the probabilities …",
                  "grow", "stay", "shrink")

# %%
with np.errstate(all="ignore"):  # without NumPy's warnings
    large = np.exp(scores + 1000)
    print("scores + 1000:", large / large.sum())

small = np.exp(scores + 1)  # the same question with a number that a computer can hold
shifted.compare("stay" if np.allclose(small / small.sum(), shares) else "grow")

# %% [markdown]
# The same factor stands above and below the fraction, so they stay. But e¹⁰⁰⁰ is more than a computer's number can
# hold, and it answers `nan`, "not a number". The way out: subtract the largest score first. For tables, with an axis:

# %%
table = np.array([[1, 5], [7, 3]])
print(np.max(table, axis=1, keepdims=True))  # of each row, kept as a column
print(table - np.max(table, axis=1, keepdims=True))  # so that each row meets its own

# %% [markdown]
# **Write `softmax`** so that no score is too large.


# %% answer: softmax
def softmax(x, axis=-1):
    """x → the same shape: positive numbers that sum to 1 along `axis`; scores up to a million.

    In a table axis=-1, the last, makes each row sum to 1, axis=0 each column, and each subtracts
    its own maximum: np.max and .sum take axis and keepdims=True, as the lengths did in lesson 1.
    """
    ### BEGIN SOLUTION
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% check: softmax
check("softmax", softmax)

# %% [markdown]
# ## How wrong is a prediction?
#
# The missing word was *milk*, and the model gave it probability p. Its **loss** is −ln p, with the natural logarithm,
# `np.log`: nothing for certainty, and more the less likely it thought the truth. Over n blanks with targets t₁ … tₙ:
#
# $$\text{cross-entropy} \;=\; \frac{1}{n}\sum_{i=1}^{n} -\ln P_{i,\,t_i} \qquad\quad
# \underset{(n,\,V)}{P},\; \underset{(n,)}{t} \;\to\; \text{one number}$$
#
# Two lists of indices pick one number from each row:

# %%
P = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
print("row 0 at 1, row 1 at 2:", P[[0, 1], [1, 2]], "  np.arange(2):", np.arange(2))

# %% [markdown]
# **Write `cross_entropy`**: the mean loss over n predictions.


# %% answer: cross_entropy
def cross_entropy(probs, targets):
    """probs (n, V), targets (n,) ids, an array or a list → one number: the mean of −ln p[target].

    Row i of probs has a probability for each word, and targets[i] is the word that was right.
    Zeros elsewhere do not matter: ln 0 is −∞, so take the logarithm of the right ones only.
    """
    ### BEGIN SOLUTION
    right = probs[np.arange(len(probs)), targets]
    return -np.log(right).mean()
    ### END SOLUTION


# %% check: cross_entropy
check("cross_entropy", cross_entropy)

# %%
probabilities = yours("softmax", softmax)
loss_of = yours("cross_entropy", cross_entropy)
print("scores + 1000:", np.round(probabilities(scores + 1000), 3))
for p in [1.0, 0.5, 0.25, 0.125, 0.01]:
    print(f"p = {p:5.3f}   loss {loss_of(np.array([[p, 1 - p]]), [0]):z.3f}")

# %% [markdown]
# **Quiz.** A second model gives the right word of every blank a tenth of the probability that the first model gave
# it. How much higher is its cross-entropy?
#
# * a: Ten times as high.
# * b: By ln 10, about 2.30, whatever the probabilities were.
# * c: It depends on what it gives to the wrong words.

# %% answer: answer_halved
answer_halved = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_halved = "b"
### END SOLUTION

# %% check: answer_halved
check("answer_halved", answer_halved)

# %% [markdown]
# ## A language small enough to see through
#
# We train on sentences made from templates. We wrote the grammar, so we know what there is to find: eight groups of
# words. A **window** slides along each sentence: the word in its middle is the blank, the **target**; up to four words
# on either side are its **context**.

# %%
sentences = corpus.sentences(10_000, seed=0)
blanks = cbow.blanks(sentences, window=4)
vocabulary = {word: i for i, word in enumerate(blanks.words)}
V = len(vocabulary)
print(f"{len(blanks):,} blanks, {V} different words, in groups: {', '.join(corpus.GROUPS)}")
print("the first blank:", [blanks.words[i] for i in blanks.contexts[0]], "→", blanks.words[blanks.targets[0]])
drawings.window(sentences[0], 3, 4, "One position of the window")

# %% [markdown]
# Each word gets two vectors of d = 16 numbers: a row of E, used when it is read, and a column of U, used when it is
# predicted. From context to probabilities:

# %%
drawings.boxes([("context", "(m,) ids"), ("rows of E", "(m, d)"), ("their mean", "(d,)"),
                ("scores", "mean @ U: (V,)"), ("p", "softmax: (V,)")], "Filling in a blank")

# %% [markdown]
# $$\underset{(d,)}{\bar e} \;=\; \frac1m\sum_{c\,\in\,\text{context}} \underset{(d,)}{E_c} \qquad\qquad
# \underset{(V,)}{p} \;=\; \text{softmax}\big(\,\underset{(d,)}{\bar e}\;\underset{(d,\,V)}{U}\,\big)$$
#
# This is half of **Word2Vec** (Mikolov and others 2013): the *continuous bag of words*, CBOW. The other half,
# *skip-gram*, turns it round: from the middle word it predicts each word of the context.
#
# **Write `predict_missing`.** `E[[0, 2]]` gives rows 0 and 2, `.mean(axis=0)` the mean of each column.


# %% answer: predict_missing
def predict_missing(context, E, U):
    """context (m,) ids, E (V, d), U (d, V) → (V,): each word's probability to be the missing one.

    The context is an array or a list of one or more ids; a word twice in it counts twice.
    You may call your softmax.
    """
    ### BEGIN SOLUTION
    mean = E[np.array(context)].mean(axis=0)
    e = np.exp(mean @ U - (mean @ U).max())
    return e / e.sum()
    ### END SOLUTION


# %% check: predict_missing
check("predict_missing", predict_missing)

# %%
rng = np.random.default_rng(0)  # random numbers, the same in every run
E, U = rng.normal(scale=0.1, size=(V, 16)), np.zeros((16, V))
context, target = blanks.contexts[3], blanks.targets[3]
believed = predict(f"E is random, U is zero, and there are V = {V} words. The loss of a blank is …",
                   "0, nothing is wrong yet", "ln V", "as the random E has it")

# %%
fill_in = yours("predict_missing", predict_missing)
p = fill_in(np.array(context), E, U)
print(f"smallest {p.min():.5f}, largest {p.max():.5f}, 1/V {1 / V:.5f}")
loss = loss_of(p[None], [target])  # p[None] is a table of one row
print(f"loss {loss:.3f}, and ln V = {np.log(V):.3f}")
believed.compare("ln V" if np.isclose(loss, np.log(V)) else "as the random E has it")

# %% [markdown]
# ## Which way is better?
#
# To learn, each number must know which way to move. Its **gradient** is the slope of the loss: how much the loss
# grows, per unit, if this number alone is raised a little. We step the other way. Three lines of school mathematics:
#
# 1. With target t, loss = −ln pₜ = −xₜ + ln S, where S = e^x₁ + … + e^x_V. Raise one score xᵢ: the first term has slope
#    −1 if i is the target, else 0; the second has slope (slope of S)/S = e^xᵢ/S = pᵢ. So **errorᵢ = pᵢ − 1 at the target,
#    pᵢ elsewhere**.
# 2. xⱼ = Σₖ meanₖ Uₖⱼ. Raise Uₖⱼ: only xⱼ moves, by meanₖ. So its slope is **meanₖ · errorⱼ**: each number of the mean
#    times each of the error, an *outer product*.
# 3. Raise meanₖ: every xⱼ moves, by Uₖⱼ. So its slope is Σⱼ Uₖⱼ errorⱼ, **U @ error**; and a context row is one m-th of
#    the mean, so it gets one m-th of that.
#
# $$\underset{(d,\,V)}{dU} \;=\; \underset{(d,)}{\bar e}\otimes\underset{(V,)}{\text{error}} \qquad\qquad
# \underset{(d,)}{dE_c} \;=\; \tfrac1m\;\underset{(d,\,V)}{U}\;\underset{(V,)}{\text{error}}$$
#
# Line 1, measured by nudging each score:

# %%
error = probabilities(scores) - np.array([1.0, 0.0, 0.0])  # the target is milk
for i, word in enumerate(words):
    nudged = scores.copy()
    nudged[i] += 1e-6
    slope = (np.log(probabilities(scores)[0]) - np.log(probabilities(nudged)[0])) / 1e-6
    print(f"{word:6} p − 1 at the target: {error[i]:+.3f}, measured {slope:+.3f}")

# %% [markdown]
# Two tools: the outer product, and adding to rows where an index comes twice.

# %%
print(np.outer([10, 20], [1, 2, 3]))  # each number times each number
total = np.zeros(3)
np.add.at(total, [0, 2, 2], 1)  # total[[0, 2, 2]] += 1 would count the second 2 once
print(total)

# %% [markdown]
# To check your steps on the way: a context [0, 2, 2], target 1, and these values.

# %%
tiny_E, tiny_U = np.array([[1.0, 0], [5, 5], [0, 1]]), np.array([[1.0, 0, 2], [0, 1, 1]])
mean = tiny_E[[0, 2, 2]].mean(axis=0)
tiny_p = probabilities(mean @ tiny_U)
print("mean", mean.round(3), "  scores", (mean @ tiny_U).round(3), "  p", tiny_p.round(3))
tiny_error = tiny_p - [0, 1, 0]
print("error", tiny_error.round(3), "  share of each context word", (tiny_U @ tiny_error / 3).round(3))

# %% [markdown]
# **Write `cbow_gradients`.**


# %% answer: cbow_gradients
def cbow_gradients(context, target, E, U):
    """context (m,), target an id, E (V, d), U (d, V) → (loss, dE, dU).

    The loss is −ln p[target]; dE and dU are its gradients, shaped like E and U. Context as before.
    A word twice in it gets two shares: np.add.at(dE, context, share) adds both,
    dE[context] += share only one.
    """
    ### BEGIN SOLUTION
    context = np.array(context)
    mean = E[context].mean(axis=0)
    e = np.exp(mean @ U - (mean @ U).max())
    error = e / e.sum()
    loss = -np.log(error[target])
    error[target] -= 1
    dE = np.zeros(E.shape)
    np.add.at(dE, context, U @ error / len(context))
    return loss, dE, np.outer(mean, error)
    ### END SOLUTION


# %% check: cbow_gradients
check("cbow_gradients", cbow_gradients)

# %%
gradients = yours("cbow_gradients", cbow_gradients)
loss, dE, _ = gradients(np.array([0, 2, 2]), 1, tiny_E, tiny_U)
for row, column in [(0, 0), (2, 1), (1, 0)]:  # word 1 is not in the context
    nudged = tiny_E.copy()
    nudged[row, column] += 1e-6
    slope = (gradients(np.array([0, 2, 2]), 1, nudged, tiny_U)[0] - loss) / 1e-6
    print(f"E[{row}, {column}]: gradient {dE[row, column]:+z.4f}, measured {slope:+z.4f}")

# %% [markdown]
# ## Training, with your gradients
#
# In each of 1,000 steps your function is called for 64 blanks, and all numbers move a little against their gradients.
# Some blanks are **held out**, never trained on: their loss shows what was learned. (A gradient written with loops over
# every number would take minutes: after twenty steps you are told, and the reference goes on.)

# %%
training = cbow.train(blanks, fill_in, gradients, steps=1000, batch=64, label="training")
print(f"held-out loss {training.held_out[0]:.2f} before, {training.held_out[-1]:.2f} after")
plots.lines(training.steps[1:], {"held-out loss": training.held_out[1:]},
            "Learning to fill in the blank", "step (log axis)", "loss on held-out blanks",
            log_x=True, limits=(0, 6))

# %% [markdown]
# It began at ln V, as it must. What does the model say now?


# %%
def guesses(sentence):
    """The three most likely words for ___, with their probabilities."""
    before, after = (part.split() for part in sentence.split("___"))
    near = np.array([vocabulary[word] for word in before[-4:] + after[:4]])
    p = fill_in(near, training.E, training.U)
    return ", ".join(f"{blanks.words[i]} {p[i]:.2f}" for i in np.argsort(-p)[:3])


for sentence in ["the cat purred and drank the ___", "many tourists in ___ speak japanese"]:
    print(f"{sentence:36} {guesses(sentence)}")

# %% [markdown]
# It knows what kind of word is missing, though not always which. And it has no idea of order: to a bag of words, *dog
# bites man* is *man bites dog*.
#
# ## Sixteen dimensions on paper
#
# But we wanted the rows of E. To see them we need two numbers a word. For a cloud of points, look for the direction
# along which it spreads most, then for the next one at a right angle to it: its **principal components**.

# %%
cloud = rng.normal(size=(120, 2)) * [2.0, 0.6] @ np.array([[0.8, 0.6], [-0.6, 0.8]])
plots.cloud(cloud, np.linalg.svd(cloud - cloud.mean(axis=0), full_matrices=False)[2],
            "A cloud and its two directions of largest spread")

# %% [markdown]
# $$\underset{(n,\,2)}{\text{flat}} \;=\; \underset{(n,\,d)}{(X - \text{column means})}\;
# \underset{(d,\,2)}{\text{directions}^{T}}$$
#
# **Write `project_to_2d`.**


# %% answer: project_to_2d
def project_to_2d(X):
    """X (n, d) → (n, 2): where each row lies along the two directions of largest spread.

    1. Centre: subtract from each column its mean.
    2. np.linalg.svd(centred, full_matrices=False) returns three arrays. The rows of the third are
       directions of length 1, the one of largest spread first.
    3. Where a centred row lies along a direction is their dot product; do not rescale it.
    A direction may be turned round, so signs are free.
    """
    ### BEGIN SOLUTION
    centred = X - X.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:2]
    return centred @ directions.T
    ### END SOLUTION


# %% check: project_to_2d
check("project_to_2d", project_to_2d)

# %%
flat = yours("project_to_2d", project_to_2d)
five = ["animals", "vehicles", "foods", "capitals", "women"]  # of the eight groups
shown = {word: group for group in five for word in corpus.GROUPS[group]}
unit = word_vectors.unit_rows(training.vectors[list(shown)])  # every row at length 1
for when, rows in {"before": training.snapshots[0], "after": training.E}.items():
    print(f"nearest neighbour in its own group, {when}: {cbow.own_group(training.words, rows):.2f}")
plots.scatter(flat(unit), list(shown), "Five groups after training", list(shown.values()),
              "along the first direction", "along the second")

# %% [markdown]
# **Quiz.** In some text doctor and surgeon never share a sentence, but the same words stand around both. How do their
# rows lie after training with CBOW?
#
# * a: Far apart: the two never meet.
# * b: As they began, at random: no sentence links them.
# * c: Near: they help to predict the same words, so their gradients are alike.

# %% answer: answer_together
answer_together = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_together = "c"
### END SOLUTION

# %% check: answer_together
check("answer_together", answer_together)

# %% [markdown]
# ## Who is near?
#
# A picture in two dimensions leaves out fourteen. For the truth, ask for the nearest rows by cosine, all sixteen
# numbers counted. `np.argsort` gives the ids in rising order; a minus sign turns it round:

# %%
cosines = np.array([0.3, 0.9, 0.3, 0.5])
print(np.argsort(-cosines, kind="stable"))  # "stable": of equal ones, the smaller id first

# %% [markdown]
# **Write `nearest_neighbours`.**


# %% answer: nearest_neighbours
def nearest_neighbours(query, E, k, exclude=()):
    """query (d,), E (V, d) → the ids of the k rows with the highest cosine, best first.

    exclude: a tuple or list of ids that must not come back. If fewer than k are left, return those.
    Equal cosines: the smaller id first, as np.argsort(-cosines, kind="stable") has it.
    A row of zeros has cosine 0, as in lesson 1.
    """
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(E, axis=1) * np.linalg.norm(query)
    cosines = (E @ query) / np.where(lengths == 0, 1, lengths)
    order = np.argsort(-cosines, kind="stable")
    return [int(i) for i in order if i not in exclude][:k]
    ### END SOLUTION


# %% check: nearest_neighbours
check("nearest_neighbours", nearest_neighbours)

# %% [markdown]
# Now your training, snapshot by snapshot. Press play, or move the step slider, watch the heap come apart, and choose a
# word to follow its neighbours. **At which step would you first bet on a word's group?**

# %%
nearest = yours("nearest_neighbours", nearest_neighbours)
explore.snapshots(training, project_to_2d=flat, nearest_neighbours=nearest)

# %% [markdown]
# ## Six billion words
#
# GloVe read six billion words, and not with a window and a blank. It *counts* which words stand together, and then fits
# rows so that their dot products come near the **logarithms of the counts**, X (V, V), for all pairs at once. In our
# small language:
#
# $$\underset{(d,)}{w_i}\cdot\underset{(d,)}{\tilde w_j} + b_i + \tilde b_j \;\approx\; \ln X_{ij}$$

# %%
rows, columns = ["dog", "cat"], ["barked", "purred"]
X = counts.together(sentences, rows, columns)
plots.heatmap(X, rows, columns, "How often together, within 4 words", high=X.max(), digits=0)

# %%
glove = datasets.load_glove()


def neighbours(word, vectors, k=5):
    """The k nearest words to a word, itself left out."""
    found = nearest(vectors[word], vectors.E, k, (vectors.ids(word),))
    return ", ".join(vectors.words[i] for i in found)


for word in ["dog", "car", "cheese", "bank", "apple"]:
    print(f"{word:7} {neighbours(word, glove)}")

# %% [markdown]
# (Look twice at *bank* and *apple*: money only, and a company. Keep that for lesson 3.)
#
# ## A direction with a meaning
#
# From *man* to *woman* is a step. Take the same step from *king*: king − man + woman.

# %%
arrival = predict("Of all 20,010 rows, which is nearest to king − man + woman?",
                  "king", "queen", "woman", "princess")

# %%
glove_unit = word_vectors.unit_rows(glove.E)  # every row at length 1
man, woman, king = glove_unit[glove.ids(["man", "woman", "king"])]
point = king - man + woman
for i in nearest(point, glove_unit, 4):
    print(f"{glove.words[i]:9} {word_vectors.cosine_similarity(point, glove_unit[i]):.3f}")
print(f"length of the step {np.linalg.norm(woman - man):.2f}, of each row 1.00")
arrival.compare(glove.words[nearest(point, glove_unit, 1)[0]])

# %% [markdown]
# The step is short, so the sum stays beside *king*. The famous answer is first only when the three words of the question
# are left out: that is the convention. **Write `analogy`** so.


# %% answer: analogy
def analogy(a, b, c, E):
    """Three different ids, E (V, d) → the id that answers "a is to b as c is to ?".

    Bring all rows of E to length 1 first, so that no long row decides, and call the result Ê.
    The answer is the row nearest by cosine to Ê[b] − Ê[a] + Ê[c], with a, b and c left out.
    """
    ### BEGIN SOLUTION
    unit = E / np.linalg.norm(E, axis=1, keepdims=True)
    scores = unit @ (unit[b] - unit[a] + unit[c])
    scores[[a, b, c]] = -np.inf
    return int(scores.argmax())
    ### END SOLUTION


# %% check: analogy
check("analogy", analogy)

# %% [markdown]
# **Quiz.** Two words a and b have exactly the same row. Which row is nearest to c − a + b when nothing is left out?
#
# * a: That of c.
# * b: That of the word that is to c as b is to a.
# * c: That of b.
# * d: None: the sum is no word's row.

# %% answer: answer_queen
answer_queen = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_queen = "a"
### END SOLUTION

# %% check: answer_queen
check("answer_queen", answer_queen)

# %% [markdown]
# Any three words of yours, then a few of ours with sliders. Words of the question are left out; without the convention,
# one of them often wins. **Find a question whose answer is nonsense, and look at its cosines.**

# %%
relations.ask("paris france tokyo", glove, nearest)  # a b c: "a is to b as c is to …"

# %%
solve = yours("analogy", analogy)
explore.analogies(analogy=solve, nearest_neighbours=nearest)

# %% [markdown]
# One example proves little. All the questions of the course, by kind:

# %%
asked = analogies.questions()
usual = analogies.score(asked, analogies.solve(asked, glove))
strict = analogies.score(asked, analogies.solve(asked, glove, exclude=False))
print(f"{len(asked)} questions: {usual['all']:.2f} right, {strict['all']:.2f} if inputs may answer")
plots.bars(usual, "Analogies solved, inputs left out", "share of questions", limits=(0, 1))

# %% [markdown]
# ## Are the steps parallel?
#
# "Paris to France is nearly the same direction as Tokyo to Japan", it is often said. **Write `offset_cosine`**, and
# measure it.


# %% answer: offset_cosine
def offset_cosine(a, b, c, d, E):
    """Four ids, E (V, d) → the cosine of the steps E[b] − E[a] and E[d] − E[c], the rows as they are.

    A step of length zero gives 0.0.
    """
    ### BEGIN SOLUTION
    u, v = E[b] - E[a], E[d] - E[c]
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    return float(u @ v / lengths) if lengths > 0 else 0.0
    ### END SOLUTION


# %% check: offset_cosine
check("offset_cosine", offset_cosine)

# %%
steps = predict("The cosine of the steps Paris → France and Tokyo → Japan is nearest to …",
                0.95, 0.75, 0.5, 0.0)

# %%
parallel = yours("offset_cosine", offset_cosine)
ids = glove.ids(["paris", "france", "tokyo", "japan"])
found = relations.parallel_steps(relations.twenty_capitals(), parallel, glove)
for kind, cosines in found.items():
    print(f"{kind} country: mean {np.mean(cosines):.2f}, from {min(cosines):.2f} to {max(cosines):.2f}")
steps.compare(parallel(*ids, glove.E))

# %% [markdown]
# Alike, not "nearly the same". Much of what the steps share is *from a capital to a country*, any country: pairs with a
# wrong country have it too. Directions carry relations, roughly and on average.
#
# ## Where this stands

# %%
drawings.timeline({2013: "Word2Vec:\nCBOW, skip-gram", 2014: "GloVe:\ncounts", 2016: "FastText:\nword pieces",
                   2017: "Attention Is All You\nNeed, for translation", 2018: "ELMo, BERT: a row\nfor every use"},
                  "From one row a word to one row a use")

# %% [markdown]
# Before 2013 words went in as one-hot rows, long and **sparse**; after it as short **dense** ones, of 100 to 300
# numbers, learned once and used everywhere. Today's models keep such a table at their entrance, 768 to 12,288 wide, and
# change its rows in every sentence: lesson 3.

# %% [markdown] own words: what_analogy_shows 2
# **In your own words.** A friend says: "Word vectors *know* that king − man + woman = queen." In two or three
# sentences: what was measured, and what would you say instead? (Marked by hand, 2 points.)
#
# ### BEGIN MARK SCHEME
# One point: the nearest row to the sum is king itself; queen is first only because the words of the question are left
# out by convention. One point: the relation holds on average and not for every pair or kind (share of questions solved,
# steps only roughly parallel), and it comes from which words are used alike, not from knowledge of people.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `softmax`: turn scores into probabilities, of any size, along any axis.
# * `cross_entropy`: say how wrong a prediction was.
# * `predict_missing`: fill in a blank from its neighbours.
# * `cbow_gradients`: say which way every number should move, and train embeddings with it.
# * `project_to_2d`: see many dimensions in the plane in which they spread most.
# * `nearest_neighbours`: ask who is near, ties and exclusions decided.
# * `analogy`: follow a direction, and say what is left out and why.
# * `offset_cosine`: measure how parallel two relations are.
#
# **Next.** One row serves every meaning of a word, and GloVe's *apple* is a company. What happens to the apple you
# eat? Lesson 3 looks at one vector with two meanings.

# %% [markdown]
# ## Going further
#
# *Not graded: four questions that go on from here.*
#
# **1 · Does meaning appear when nobody plants it?** Our groups were in the templates. We read dictionary definitions, from
# WordNet. A blank chooses only among the words of the same step: your function is given fewer rows and columns.

# %%
definitions = datasets.load_definitions()
print(f"{len(definitions):,} definitions, such as:", *definitions[12])
# words found fewer than 5 times are left out, and very frequent ones skipped at random
real_blanks = cbow.blanks(definitions, window=5, least=5, thin=1e-3)
real = cbow.train(real_blanks, fill_in, gradients, width=32, batch=16, steps=6000, rate=0.1,
                  sampled=True, label="reading definitions")

# %%
for word in ["dog", "cheese", "oak", "boat"]:
    print(f"{word:7} {neighbours(word, real.vectors)}")
for when, rows in {"random rows": real.snapshots[0], "trained": real.E}.items():
    print(f"{when:12} {cbow.own_group(real.words, rows, corpus.DEFINED_GROUPS):.2f} in their own group")
askable = [q for q in asked if all(word in real.vectors for word in (q.a, q.b, q.c, q.d))]
solved = analogies.score(askable, analogies.solve(askable, real.vectors))
print(f"words known for {len(askable)} of {len(asked)} analogies; share solved: {solved['all']:.2f}")

# %% [markdown]
# A few seconds of reading buy groups (only *boat* keeps odd company), and hardly a relation.
#
# **2 · Where does a relation come from?** Train again without the sentences that pair a capital and its country, or both
# with a language.

# %%
lost = predict("Without the pairing sentences, what is lost?",
               "the groups", "who belongs to whom", "both")

# %%
text = cbow.blanks(corpus.sentences(10_000, seed=0, pairing=False))
silent = cbow.train(text, fill_in, gradients, steps=1000, label="without pairs")
told = {"by chance": relations.CHANCE,
        "with pairs": relations.capitals_told_right(training, nearest, solve),
        "without pairs": relations.capitals_told_right(silent, nearest, solve)}
kept = np.array(told["without pairs"]) > 0.6
lost.compare("both" if not kept[0] else "who belongs to whom")
plots.heatmap(list(told.values()), list(told), ["kind", "country", "analogy"],
              "Capitals and countries told right")

# %% [markdown]
# The groups stay, for the sentences that are left use all capitals alike. **What the text never says, the vectors cannot
# know.**
#
# **3 · And what it does say, they learn.** The direction from *she* to *he* in GloVe, and where occupations lie on it:

# %%
plots.bars(bias.leaning(bias.OCCUPATIONS, glove), "Occupations between she (−) and he (+)",
           "cosine with he − she")

# %%
print("share of 600 words whose nearest neighbour leans to the same side:")
for when, out in {"as it is": False, "direction taken out": True}.items():
    print(f"  {when:20} {bias.neighbours_alike(glove, out):.2f}")

# %% [markdown]
# *Nurse* leans to she, *engineer* to he: the newspapers of the time did, and an application built on these rows does so
# too. (*Secretary* leans to he: here it is mostly a minister.) One can take the direction out of every row, and all
# these bars become 0 (Bolukbasi and others 2016). That hides the bias more than it removes it: the words that leaned
# to one side still lie together (Gonen and Goldberg 2019).
#
# **4 · A word nobody has seen** has no row, but old pieces: FastText (Bojanowski and others, 2016) trains a vector for
# every run of letters and adds up those of a word. Here untrained: a piece gets the mean row of the words that have it.

# %%
drawings.pieces({word: ngrams(word, 3, 3) for word in ["cats", "doglike"]},
                "Words cut into runs of three letters")

# %%
pieces = Subwords(glove.words, glove.E)
centred = glove.E - pieces.mean
for word in ["geologically", "footballing", "cheesemaker", "unforgivable", "doglike"]:
    near = ", ".join(glove.words[i] for i in nearest(pieces[word] - pieces.mean, centred, 4))
    print(f"{word:13} {'has no row;' if word not in glove else ''} near: {near}")

# %% [markdown]
# Pieces give a word a rough place. *Doglike* lands among strangers: half its pieces were never seen.
