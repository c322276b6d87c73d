# %% [markdown]
# # 2 · How numbers become meaning
#
# **GloVe's numbers were not filled in by anybody: they began at random. How do random numbers become meaning, and
# what does a direction between two words mean?**
#
# By the end you will have trained word vectors with your own gradients, watched groups form, and measured what
# *king − man + woman* really gives. It takes about 75 minutes.
#
# Letters of this lesson: V words in the vocabulary, n rows, m words of context, d the width of an embedding. A word
# is a row of E (V, d). Stuck? `hint("softmax")` opens one hint after another, and so for every exercise.

# %%
import numpy as np

from autograde import check, hint, yours
from course_utils import analogies, cbow, corpus, datasets, plots, word_vectors
from course_utils.explorers import embedding_space as explore
from course_utils.subwords import Subwords, ngrams

# %% [markdown]
# ## The cat drank ___
#
# You know a good deal about the missing word: *milk* fits, *water* fits, *bone* does not. A model says the same by
# one number for each word, a **score**.
#
# Scores can be negative; probabilities cannot, and they sum to 1. So: make every score positive by `np.exp`, which
# is eˣ, then divide by the sum. That is **softmax**:
#
#     softmax(x)ᵢ  =  exp(xᵢ) / (exp(x₁) + exp(x₂) + …)

# %%
words = ["milk", "water", "bone"]
scores = np.array([2.0, 1.0, -1.0])
exponentials = np.exp(scores)
shares = exponentials / exponentials.sum()

for word, score, e, share in zip(words, scores, exponentials, shares):
    print(f"{word:6} score {score:+.0f}   e^score {e:.3f}   share {share:.3f}  {'█' * round(30 * share)}")

# %% [markdown]
# **Predict, then run.** Every score grows by 1,000. What happens to the three probabilities?

# %%
guess = None  # "they grow", "they stay" or "they shrink"

with np.errstate(all="ignore"):  # without NumPy's warnings
    large = np.exp(scores + 1000)
    print("straight from the formula:", large / large.sum())

# %% [markdown]
# They *should* stay: the same factor e¹⁰⁰⁰ stands above and below the fraction. But it is too large for a computer,
# which answers `nan`, "not a number". The cure: subtract the largest score first, so that no exponent is above 0.
#
# **Write `softmax`**, for scores as large as a million, along any **axis**. In a table, `axis=-1` (the last) makes
# each row sum to 1, `axis=0` each column; each subtracts its own maximum. `keepdims=True` helps as it did with the
# lengths in lesson 1.


# %% answer: softmax
def softmax(x, axis=-1):
    """x → the same shape: positive numbers that sum to 1 along `axis`."""
    ### BEGIN SOLUTION
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% check: softmax
check("softmax", softmax)

# %% [markdown]
# ## How wrong is a prediction?
#
# Your softmax first, on the scores that were too large. Then the loss.
#
# The missing word was *milk*. A good model gave it a high probability p. Its **loss** is −ln p, with the natural
# logarithm, `np.log`: nothing for certainty, and more the less likely it thought the truth.

# %%
probabilities = yours("softmax", softmax)
print("scores:       ", np.round(probabilities(scores), 3))
print("scores + 1000:", np.round(probabilities(scores + 1000), 3))

for p in [1.0, 0.5, 0.25, 0.125, 0.01]:
    print(f"p = {p:5.3f}   loss {np.log(1 / p):.3f}")  # ln(1/p) is −ln p

# %% [markdown]
# **Write `cross_entropy`**: the mean loss over n predictions. Row i of `probs` has a probability for each word, and
# `targets[i]` is the id of the word that was right; targets come as an array or a list. If the right words had ½ and
# ¼, the result is (0.693 + 1.386) / 2.
#
# Zeros elsewhere in a row must not matter: ln 0 is −∞, so take the logarithm of the right ones only.


# %% answer: cross_entropy
def cross_entropy(probs, targets):
    """probs (n, V), targets (n,) ids → one number: the mean of −ln p[target]."""
    ### BEGIN SOLUTION
    right = probs[np.arange(len(probs)), targets]
    return -np.log(right).mean()
    ### END SOLUTION


# %% check: cross_entropy
check("cross_entropy", cross_entropy)

# %% [markdown]
# **Quiz.** A model gives the right word half the probability it gave before. What happens to the cross-entropy of
# that word?
#
# * a: It doubles.
# * b: It rises by ln 2, about 0.69, whatever p was.
# * c: It depends on the probabilities of the other words.

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
# We train on sentences made from templates. Because we wrote the grammar, we know what there is to find: eight
# groups of words.
#
# Every word of every sentence becomes a blank once: the **target**. Up to four words on either side are its
# **context**.

# %%
sentences = corpus.sentences(10_000, seed=0)
for sentence in sentences[:5]:
    print(" ".join(sentence))
print("groups:", ", ".join(corpus.GROUPS))

blanks = cbow.blanks(sentences, window=4)
vocabulary = {word: i for i, word in enumerate(blanks.words)}
V = len(vocabulary)
context, target = blanks.contexts[3], blanks.targets[3]
print(f"{len(blanks):,} blanks, {V} different words; one blank:")
print([blanks.words[i] for i in context], "→", blanks.words[target])

# %% [markdown]
# Each word gets two vectors of d = 16 numbers: its row of E, used when it is read, and its column of U, used when it
# is predicted. E (V, d) begins at random, U (d, V) at zero.
#
# To predict, look up the rows of the context and average them. The score of each word is the dot product of that
# mean with its column of U: `mean @ U` gives all V. Then softmax.

# %%
rng = np.random.default_rng(0)  # random numbers, the same in every run
E = rng.normal(scale=0.1, size=(V, 16))
U = np.zeros((16, V))
print("the row of cat:", np.round(E[vocabulary["cat"]][:6], 2), "…")

rows = E[list(context)]  # (m, d)
mean = rows.mean(axis=0)  # (d,)
print("rows", rows.shape, "→ mean", mean.shape, "→ scores", (mean @ U).shape)

# %% [markdown]
# **Write `predict_missing`**; you may call your `softmax`. The context is an array or a list of one or more ids, and
# a word that stands twice in it counts twice.
#
# This model is called the *continuous bag of words*, CBOW (Mikolov et al. 2013).


# %% answer: predict_missing
def predict_missing(context, E, U):
    """context (m,) ids, E (V, d), U (d, V) → (V,): the probability of every word to be the missing one."""
    ### BEGIN SOLUTION
    mean = E[np.array(context)].mean(axis=0)
    e = np.exp(mean @ U - (mean @ U).max())
    return e / e.sum()
    ### END SOLUTION


# %% check: predict_missing
check("predict_missing", predict_missing)

# %% [markdown]
# **Predict:** with all of U at zero, what does the model believe, and what is its loss?

# %%
guess = None  # the loss, roughly

predict = yours("predict_missing", predict_missing)
loss_of = yours("cross_entropy", cross_entropy)
p = predict(np.array(context), E, U)
print(f"smallest {p.min():.5f}, largest {p.max():.5f}, 1/V {1 / V:.5f}")
print(f"loss {loss_of(p[None], [target]):.3f}, and ln V = {np.log(V):.3f}")  # p[None] is a table of one row

# %% [markdown]
# ## Which way is better?
#
# To learn, each number must know which way to move. Its **gradient** is the slope of the loss: how much the loss
# grows, per unit, if this number alone is raised a little. We step the other way.
#
# Begin at the scores. There the gradient of −ln p[target] is p, with 1 taken off at the target. For milk, water and
# bone:

# %%
error = probabilities(scores) - np.array([1.0, 0.0, 0.0])  # the target is milk
for word, e in zip(words, error):
    print(f"{word:6} {e:+.3f}")

print("an outer product, each number times each number:")
print(np.outer([10, 20], [1, 2, 3]))

# %% [markdown]
# Against the gradient: milk's score should rise by what it lacks of 1, the others should fall by as much as they were
# believed. The rest is passing this *error* back:
#
# * scores = mean @ U, so the gradient of U is the outer product of the mean and the error,
# * the mean gets U @ error, and each of the m context words a share of it, U @ error / m.
#
# **Write `cbow_gradients`**: the loss, dE and dU, the gradients having the shapes of E and U. Context as before. A word
# that stands twice in it gets two shares: `np.add.at(dE, context, share)` adds both, `dE[context] += share` only one.


# %% answer: cbow_gradients
def cbow_gradients(context, target, E, U):
    """context (m,) ids, target an id, E (V, d), U (d, V) → (loss, dE, dU), the gradients of −ln p[target]."""
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

# %% [markdown]
# Trust, but verify: nudge one number of E by a tiny step, see how the loss moves, and compare with the gradient. The
# third number belongs to a word outside the context, so it should not matter.

# %%
gradients = yours("cbow_gradients", cbow_gradients)
small_E, small_U = rng.normal(size=(5, 3)), rng.normal(size=(3, 5))
blank = np.array([0, 2, 2])  # the context; the target is word 1
loss, dE, _ = gradients(blank, 1, small_E, small_U)

for row, column in [(0, 0), (2, 1), (4, 2)]:
    nudged = small_E.copy()
    nudged[row, column] += 1e-6
    slope = (gradients(blank, 1, nudged, small_U)[0] - loss) / 1e-6
    print(f"E[{row}, {column}]: gradient {dE[row, column] + 0.0:+.4f}, measured {slope + 0.0:+.4f}")
    assert abs(slope - dE[row, column]) < 1e-4

# %% [markdown]
# ## Training, with your gradients
#
# 1,000 steps; in each, your function is called for 64 blanks, and all numbers take a small step against their
# gradients. Some blanks are **held out**, never trained on: their loss shows what was learned, not remembered. It
# takes a few seconds.

# %%
training = cbow.train(blanks, predict, gradients, steps=1000, batch=64, label="training")
print(training)
print(f"held-out loss {training.held_out[0]:.2f} before, {training.held_out[-1]:.2f} after")

plots.lines(training.steps[1:], {"held-out loss": training.held_out[1:]}, "Learning to fill in the blank",
            "step", "loss", log_x=True)

# %% [markdown]
# It began at ln V, as it must. (On this axis of steps 1 to 10 is as wide as 10 to 100.) What does the model say now?


# %%
def guesses(sentence):
    """The three most likely words for ___, with their probabilities; four words on either side are read."""
    before, after = (part.split() for part in sentence.split("___"))
    context = np.array([vocabulary[word] for word in before[-4:] + after[:4]])
    p = predict(context, training.E, training.U)
    return ", ".join(f"{blanks.words[i]} {p[i]:.2f}" for i in np.argsort(-p)[:3])


for sentence in ["the cat purred and drank the ___", "the king drank a cup of ___",
                 "many tourists in ___ speak japanese", "the ___ barked and licked the water"]:
    print(f"{sentence:36} {guesses(sentence)}")

# %% [markdown]
# It knows what kind of word is missing, though not always which: any place will do for *japanese*. And it has no idea
# of order: to a bag of words, *dog bites man* is *man bites dog*.
#
# But nobody wanted the blanks filled: we wanted the rows of E. Of the words of the eight groups, what share has its
# nearest neighbour among them in its own group? And was it luck? Three more sets of sentences, other random rows, only
# 300 steps:

# %%
before, after = (cbow.own_group(training.words, rows) for rows in (training.film[0], training.E))
print(f"nearest neighbour in its own group: {before:.2f} before, {after:.2f} after")
assert after >= 0.85

for seed in (1, 2, 3):
    other = cbow.train(cbow.blanks(corpus.sentences(10_000, seed)), predict, gradients, steps=300, seed=seed)
    print(f"seed {seed}: {cbow.own_group(other.words, other.E):.2f} in their own group")

# %% [markdown]
# **Quiz.** Nobody told the training what an animal is. Why do the rows of *dog* and *wolf* end up close together?
#
# * a: They stand next to each other in many sentences.
# * b: Their random rows happened to begin close together.
# * c: They stand in the same contexts, so their rows are pulled in the same directions.

# %% answer: answer_together
answer_together = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_together = "c"
### END SOLUTION

# %% check: answer_together
check("answer_together", answer_together)

# %% [markdown]
# ## Sixteen dimensions on paper
#
# To see it we need two numbers a word, not sixteen. Of all planes, take the one in which the points spread most:
# the first two **principal components**.
#
# **Write `project_to_2d`.** Subtract from each column its mean. `np.linalg.svd(centred, full_matrices=False)` returns
# three arrays; the rows of the third are directions of length 1, the one of largest spread first. Where a row lies
# along a direction is their dot product. Return that for the first two, (n, 2), not rescaled; a direction may be
# turned round, so signs are free.


# %% answer: project_to_2d
def project_to_2d(X):
    """X (n, d) → (n, 2): the centred rows along their two directions of largest spread; signs are free."""
    ### BEGIN SOLUTION
    centred = X - X.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:2]
    return centred @ directions.T
    ### END SOLUTION


# %% check: project_to_2d
check("project_to_2d", project_to_2d)

# %%
flat = yours("project_to_2d", project_to_2d)
vectors = training.vectors
five = ["animals", "vehicles", "foods", "capitals", "women"]  # of the eight groups
shown = {word: group for group in five for word in corpus.GROUPS[group]}
unit = word_vectors.unit_rows(vectors[list(shown)])  # every row at length 1

plots.scatter(flat(unit), list(shown), "Five groups after training", list(shown.values()))

# %% [markdown]
# ## Who is near?
#
# A picture in two dimensions leaves out fourteen. For the truth, ask for the nearest rows by cosine, all sixteen
# numbers counted.
#
# **Write `nearest_neighbours`**: the ids of the k rows nearest to `query`, best first. `exclude` is a tuple or list of
# ids that must not come back; if fewer than k are left, return those. Equal cosines: the smaller id first, which
# `np.argsort(-cosines, kind="stable")` sees to. With a row of zeros the cosine is 0, as in lesson 1.


# %% answer: nearest_neighbours
def nearest_neighbours(query, E, k, exclude=()):
    """query (d,), E (V, d) → the ids of the k rows with the highest cosine, best first, none of `exclude`."""
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(E, axis=1) * np.linalg.norm(query)
    cosines = (E @ query) / np.where(lengths == 0, 1, lengths)
    order = np.argsort(-cosines, kind="stable")
    return [int(i) for i in order if i not in exclude][:k]
    ### END SOLUTION


# %% check: nearest_neighbours
check("nearest_neighbours", nearest_neighbours)

# %%
nearest = yours("nearest_neighbours", nearest_neighbours)


def neighbours(word, vectors, k=5):
    """The k nearest words to a word, itself left out."""
    return ", ".join(vectors.words[i] for i in nearest(vectors[word], vectors.E, k, (vectors.ids(word),)))


for word in ["dog", "bread", "queen", "paris"]:
    print(f"{word:6} {neighbours(word, vectors)}")

# %% [markdown]
# Now the film of your training. Move the step slider and watch the heap of random rows come apart; choose a word to
# follow its neighbours. **At which step would you first bet on a word's group?**

# %%
explore.film(training, project_to_2d=flat, nearest_neighbours=nearest)

# %% [markdown]
# ## Real sentences
#
# One caution. These groups are ours: we wrote them into the templates. Does meaning appear when nobody plants it?
#
# Now dictionary definitions, from WordNet. Thousands of words make every step slow, so a blank chooses only among the
# words of its own batch of blanks: your function is simply given fewer rows and columns.

# %%
definitions = datasets.load_definitions()
print(f"{len(definitions):,} definitions, such as:", *definitions[12])

# words found fewer than 5 times are left out, and very frequent ones thinned
real_blanks = cbow.blanks(definitions, window=5, least=5, thin=1e-3)
print(real_blanks)
real = cbow.train(real_blanks, predict, gradients, width=32, batch=16, steps=6000, rate=0.1, sampled=True,
                  label="reading definitions")
real_vectors = real.vectors

for word in ["dog", "cheese", "oak", "boat"]:
    print(f"{word:7} {neighbours(word, real_vectors)}")

# %% [markdown]
# Far from perfect, but nothing was planted: *dog* is near *hunting* and *breed*, *cheese* near things to eat; only
# *boat* keeps odd company. Two measurements.
#
# First, eight groups written down by hand, chance being about one in eight. Then relations between pairs: of the
# course's analogy questions, "paris is to france as tokyo is to ?", how many do these vectors have the words for, and
# how many do they solve?

# %%
real_groups = {
    "animals": "dog cat horse cow sheep rabbit lion wolf fox mouse goat pig deer bear",
    "vehicles": "car truck bus train bicycle boat ship wagon carriage airplane",
    "foods": "bread cheese meat soup rice cake sauce butter cream pudding",
    "drinks": "wine beer milk tea coffee whiskey rum gin brandy juice",
    "plants": "tree shrub herb flower grass fern oak pine vine",
    "body": "arm leg hand foot head eye ear nose mouth neck",
    "instruments": "guitar piano flute drum horn trumpet organ",
    "clothes": "coat shirt hat dress shoe skirt jacket trousers",
}
real_groups = {group: its.split() for group, its in real_groups.items()}
for when, rows in {"random rows": real.film[0], "trained": real.E}.items():
    print(f"{when:12} {cbow.own_group(real.words, rows, real_groups):.2f} in their own group")

asked = analogies.questions()
askable = [q for q in asked if all(word in real_vectors for word in (q.a, q.b, q.c, q.d))]
solved = analogies.score(askable, analogies.solve(askable, real_vectors))
print(f"{len(askable)} of {len(asked)} questions can be asked; share solved: {solved['all']:.2f}")

# %% [markdown]
# ## Six billion words
#
# That is what a few seconds of reading buy: groups, and hardly a relation. GloVe read six billion words (Pennington,
# Socher and Manning 2014). First its neighbours:

# %%
glove = datasets.load_glove()
print(glove)

for word in ["dog", "car", "cheese", "bank", "apple"]:
    print(f"{word:7} {neighbours(word, glove)}")

# %% [markdown]
# Look twice at the last two: GloVe's *bank* knows money only, and its *apple* is a company. Keep that for lesson 3.
#
# Fifteen animals and fifteen vehicles: their mean cosines, and their plane.

# %%
animals = ("dog cat horse cow sheep rabbit lion tiger bear wolf "
           "fox mouse goat pig elephant").split()
vehicles = ("car truck bus train bicycle motorcycle van taxi tram jeep "
            "ship boat airplane helicopter tractor").split()
thirty = glove[animals + vehicles]
cosines = word_vectors.cosine_matrix(thirty, thirty)
others = ~np.eye(15, dtype=bool)  # every pair but a word with itself

print(f"animals with animals   {cosines[:15, :15][others].mean():.2f}")
print(f"vehicles with vehicles {cosines[15:, 15:][others].mean():.2f}")
print(f"animals with vehicles  {cosines[:15, 15:].mean():.2f}")
plots.scatter(flat(thirty), animals + vehicles, "Thirty words of GloVe", ["animals"] * 15 + ["vehicles"] * 15)

# %% [markdown]
# ## A direction with a meaning
#
# From *man* to *woman* is a step. Take the same step from *king*: king − man + woman. **Predict:** which of all rows
# is nearest to the point where you arrive?

# %%
guess = None  # a word

glove_unit = word_vectors.unit_rows(glove.E)  # every row at length 1
man, woman, king = glove_unit[glove.ids(["man", "woman", "king"])]
point = woman - man + king

for i in nearest(point, glove_unit, 4):
    print(f"{glove.words[i]:9} {word_vectors.cosine_similarity(point, glove_unit[i]):.3f}")
assert glove.words[nearest(point, glove_unit, 1)[0]] == "king"
print(f"length of the step {np.linalg.norm(woman - man):.2f}, of each row 1.00")

# %% [markdown]
# **king itself.** The step from man to woman is short, so the sum stays beside the word it started from. The famous
# answer comes second, and it is the first once the three words of the question are left out. That is the convention.
#
# **Write `analogy`** for three different ids. Bring all rows of E to length 1 first, so that no long row decides, and
# call the result Ê. The answer is the id of the row nearest by cosine to Ê[b] − Ê[a] + Ê[c], with a, b and c left out.


# %% answer: analogy
def analogy(a, b, c, E):
    """Three ids, E (V, d) → the id that answers "a is to b as c is to ?"."""
    ### BEGIN SOLUTION
    unit = E / np.linalg.norm(E, axis=1, keepdims=True)
    scores = unit @ (unit[b] - unit[a] + unit[c])
    scores[[a, b, c]] = -np.inf
    return int(scores.argmax())
    ### END SOLUTION


# %% check: analogy
check("analogy", analogy)

# %% [markdown]
# **Quiz.** Of all 20,010 rows, which one is nearest to king − man + woman when nothing is excluded?
#
# * a: king
# * b: queen
# * c: woman
# * d: None: the sum is no word's row, so nothing is near it.

# %% answer: answer_queen
answer_queen = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_queen = "a"
### END SOLUTION

# %% check: answer_queen
check("answer_queen", answer_queen)

# %% [markdown]
# Build some yourself, also silly ones. The words of the question are grey: without the convention, one of them often
# wins. **Find a question whose answer is nonsense, and look at its cosines.**

# %%
solve = yours("analogy", analogy)
explore.analogies(analogy=solve, nearest_neighbours=nearest)

# %% [markdown]
# ## How good are analogies?
#
# One famous example proves little. Four first, then all the questions of the course, with and without leaving out the
# inputs. (Many at once need a matrix product; every twentieth answer is compared with your function's.)

# %%
for question in ["man woman king", "paris france tokyo", "big bigger small", "good bad hot"]:
    print(f"{question:19} → {glove.words[solve(*glove.ids(question.split()), glove.E)]}")

answers = analogies.solve(asked, glove)
usual = analogies.score(asked, answers)
strict = analogies.score(asked, analogies.solve(asked, glove, exclude=False))
for q, answer in list(zip(asked, answers))[::20]:
    assert glove.words[solve(*glove.ids([q.a, q.b, q.c]), glove.E)] == answer
print(f"{len(asked)} questions: {usual['all']:.2f} right, and {strict['all']:.2f} if the inputs may answer")

assert min(usual["country, language"], usual["plain, comparative"]) > 0.9
assert max(usual["country, currency"], usual["opposites"]) < 0.5
plots.bars(usual, "Analogies solved, inputs left out", "share of questions")

# %% [markdown]
# Languages and comparatives are nearly perfect, opposites and currencies mostly fail. A direction is there for some
# relations and not for others.
#
# ## Are the steps parallel?
#
# "Paris to France is nearly the same direction as Tokyo to Japan", it is often said. You can measure that.
#
# **Write `offset_cosine`**: the cosine of the step E[b] − E[a] and the step E[d] − E[c]; a, b, c and d are ids, and the
# rows stay as they are. A step of length zero gives 0.0.


# %% answer: offset_cosine
def offset_cosine(a, b, c, d, E):
    """Four ids, E (V, d) → the cosine of E[b] − E[a] and E[d] − E[c]; 0.0 if one of them is zero."""
    ### BEGIN SOLUTION
    u, v = E[b] - E[a], E[d] - E[c]
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    return float(u @ v / lengths) if lengths > 0 else 0.0
    ### END SOLUTION


# %% check: offset_cosine
check("offset_cosine", offset_cosine)

# %% [markdown]
# **Predict:** for Paris → France and Tokyo → Japan, will it be above 0.95, about 0.75, or about 0.5?
#
# One pair may be luck. So also every two of twenty capitals; and for comparison every two again, one of them with a
# *wrong* country.

# %%
guess = None

parallel = yours("offset_cosine", offset_cosine)
print(f"paris → france, tokyo → japan: {parallel(*glove.ids('paris france tokyo japan'.split()), glove.E):.3f}")

twenty = analogies.pairs()["capital, country"] + [
    ("lisbon", "portugal"), ("stockholm", "sweden"), ("oslo", "norway"), ("helsinki", "finland"),
    ("warsaw", "poland"), ("budapest", "hungary"), ("ankara", "turkey"), ("havana", "cuba")]
capitals, countries = (glove.ids(list(words)) for words in zip(*twenty))

right, wrong = [], []
for i in range(20):
    for j in range(i):
        right.append(parallel(capitals[i], countries[i], capitals[j], countries[j], glove.E))
        if j != i - 1:  # the wrong country is the previous capital's, so this pair would share it
            wrong.append(parallel(capitals[i], countries[i - 1], capitals[j], countries[j], glove.E))
print(f"right pairs: mean {np.mean(right):.2f}, from {min(right):.2f} to {max(right):.2f}")
print(f"wrong pairs: mean {np.mean(wrong):.2f}")

# %% [markdown]
# Alike, and not "nearly the same". Much of what the steps share is simply *from a capital to a country*, any country:
# wrong pairs have it too. The rest is what makes the pair right. Directions carry relations, roughly and on average.

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
# ## A word nobody has seen
#
# A table of rows has no row for a new word. But a new word has old pieces. FastText (Bojanowski et al. 2017) trains a
# vector for every run of letters and adds up those of a word.
#
# Here is the crudest version, with no training at all: each piece gets the mean row of the words that have it, and a
# new word the mean of its pieces. To keep the table small the pieces are **hashed**: a fixed rule sends each to one of
# a fixed number of *buckets*, and two pieces may meet in the same one.

# %%
print(ngrams("cats", 3, 4))  # < and > stand for the ends of the word
pieces = Subwords(glove.words, glove.E)
centred = glove.E - pieces.mean
known = {piece for word in glove.words for piece in ngrams(word)}

for word in ["geologically", "footballing", "cheesemaker", "unforgivable", "doglike"]:
    assert word not in glove
    share = np.mean([piece in known for piece in ngrams(word)])
    near = nearest(pieces[word] - pieces.mean, centred, 4)
    print(f"{word:13} {share:4.0%} of its pieces known: {', '.join(glove.words[i] for i in near)}")

# %% [markdown]
# Mostly right, but *doglike* lands among cricketers. Half its pieces stand in no known word, and some of those fell
# into buckets that belong to others.
#
# To measure it, hide 500 words, rebuild each from its pieces, and compare with its true row.

# %%
hidden = np.sort(np.random.default_rng(0).choice(len(glove), 500, replace=False))
known = np.setdiff1d(np.arange(len(glove)), hidden)
pieces = Subwords([glove.words[i] for i in known], glove.E[known])

rebuilt = np.array([pieces[glove.words[i]] for i in hidden]) - pieces.mean
cosines = word_vectors.cosine_matrix(rebuilt, glove.E - pieces.mean)
own = cosines[np.arange(500), hidden]
print(f"cosine with its true row {own.mean():.2f}, with any row {cosines.mean():.2f}")
rank = (cosines > own[:, None]).sum(axis=1)
print(f"true row among the ten nearest of {len(glove):,}: {np.mean(rank < 10):.2f}")

# %% [markdown]
# Pieces give a word a rough place: nearer to its own row than to an average one, but for most words ten others come
# first.
#
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
