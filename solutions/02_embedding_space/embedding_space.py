# %% [markdown]
# # 2 · How numbers become meaning
#
# **GloVe's numbers were not filled in by anybody: they began at random. How do random numbers become meaning, and
# what does a direction between two words mean?**
#
# By the end you will have trained word vectors with your own gradients, watched groups form, and measured what
# *king − man + woman* really gives. It takes about 75 minutes. Stuck? `hint("softmax")` opens one hint after another,
# and so for every exercise.
#
# Letters of this lesson: V words in the vocabulary, n rows, m words of context, d the width of an embedding. A word
# is a row of E (V, d).

# %%
import numpy as np

from autograde import check, hint, yours
from course_utils import datasets, word_vectors
from course_utils.experiments import analogies, cbow, corpus
from course_utils.experiments.subwords import Subwords, ngrams
from course_utils.explorers import embedding_space as explore
from course_utils.figures import plots

# %% [markdown]
# ## The cat drank ___
#
# *Milk* fits, *bone* does not. A model says so by one number for each word, a **score**. **Softmax** makes
# probabilities of scores: make each positive by `np.exp`, which is eˣ, then divide by the sum.
#
#     softmax(x)ᵢ  =  exp(xᵢ) / (exp(x₁) + exp(x₂) + …)
#
# **Predict, then run.** Every score grows by 1,000. What happens to the probabilities?

# %%
guess = None  # "they grow", "they stay" or "they shrink"

words = ["milk", "water", "bone"]
scores = np.array([2.0, 1.0, -1.0])
exponentials = np.exp(scores)
shares = exponentials / exponentials.sum()
for word, score, e, p in zip(words, scores, exponentials, shares):
    print(f"{word:6} score {score:+.0f}  e^score {e:.3f}  probability {p:.3f}  {'█' * round(20 * p)}")

with np.errstate(all="ignore"):  # without NumPy's warnings
    large = np.exp(scores + 1000)
    print("scores + 1000:", large / large.sum())

# %% [markdown]
# They *should* stay: the same factor e¹⁰⁰⁰ stands above and below the fraction. But a computer answers `nan`, "not a
# number". **Write `softmax`** so that it cannot: subtract the largest score first.


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
# `np.log`: nothing for certainty, and more the less likely it thought the truth.
#
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
print("scores:       ", np.round(probabilities(scores), 3))
print("scores + 1000:", np.round(probabilities(scores + 1000), 3))

for p in [1.0, 0.5, 0.25, 0.125, 0.01]:
    print(f"p = {p:5.3f}   loss {loss_of(np.array([[p, 1 - p]]), [0]):z.3f}")

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
# We train on sentences made from templates. We wrote the grammar, so we know what there is to find: eight groups of
# words. Each word of a sentence becomes a blank once, the **target**; up to four words on either side are its
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
# Each word gets two vectors of d = 16 numbers: a row of E, used when it is read, and a column of U, used when it is
# predicted. Average the context's rows; a word's score is the dot product of that mean with its column (`mean @ U`
# gives all V); then softmax.
#
# **Write `predict_missing`.** The model is called the *continuous bag of words*, CBOW (Mikolov et al. 2013).


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

# %% [markdown]
# E begins at random and U at zero. **Predict:** what does the model believe then, and what is its loss?

# %%
guess = None  # the loss, roughly

rng = np.random.default_rng(0)  # random numbers, the same in every run
E, U = rng.normal(scale=0.1, size=(V, 16)), np.zeros((16, V))
print("the row of cat:", np.round(E[vocabulary["cat"]][:6], 2), "…")

predict = yours("predict_missing", predict_missing)
p = predict(np.array(context), E, U)
print(f"smallest {p.min():.5f}, largest {p.max():.5f}, 1/V {1 / V:.5f}")
loss = loss_of(p[None], [target])  # p[None] is a table of one row
print(f"loss {loss:.3f}, and ln V = {np.log(V):.3f}")

# %% [markdown]
# ## Which way is better?
#
# To learn, each number must know which way to move. Its **gradient** is the slope of the loss: how much the loss
# grows, per unit, if this number alone is raised a little. We step the other way.
#
# At the scores it is simply p, with 1 taken off at the target. Nudge each score, and see:

# %%
error = probabilities(scores) - np.array([1.0, 0.0, 0.0])  # the target is milk
for i, word in enumerate(words):
    nudged = scores.copy()
    nudged[i] += 1e-6
    slope = (np.log(probabilities(scores)[0]) - np.log(probabilities(nudged)[0])) / 1e-6
    print(f"{word:6} gradient {error[i]:+.3f}, measured {slope:+.3f}")

print("an outer product, each number times each number:")
print(np.outer([10, 20], [1, 2, 3]))

# %% [markdown]
# Milk's score should rise by what it lacks of 1, the others fall by as much as they were believed. The rest is passing
# this *error* back:
#
# * scores = mean @ U, so the gradient of U is the outer product of the mean and the error,
# * the mean gets U @ error, and each of the m context words a share of it, U @ error / m.
#
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

# %% [markdown]
# Trust, but verify: nudge one number of E, see how the loss moves, and compare with your gradient. The third number
# belongs to a word outside the context, so it should not matter.

# %%
gradients = yours("cbow_gradients", cbow_gradients)
small_E, small_U = rng.normal(size=(5, 3)), rng.normal(size=(3, 5))
blank = np.array([0, 2, 2])  # the context; the target is word 1
loss, dE, _ = gradients(blank, 1, small_E, small_U)

for row, column in [(0, 0), (2, 1), (4, 2)]:
    nudged = small_E.copy()
    nudged[row, column] += 1e-6
    slope = (gradients(blank, 1, nudged, small_U)[0] - loss) / 1e-6
    print(f"E[{row}, {column}]: gradient {dE[row, column]:+z.4f}, measured {slope:+z.4f}")
    assert abs(slope - dE[row, column]) < 1e-4

# %% [markdown]
# ## Training, with your gradients
#
# In each of 1,000 steps your function is called for 64 blanks, and all numbers move a little against their gradients.
# Some blanks are **held out**, never trained on: their loss shows what was learned.

# %%
training = cbow.train(blanks, predict, gradients, steps=1000, batch=64, label="training")
print(training)
print(f"held-out loss {training.held_out[0]:.2f} before, {training.held_out[-1]:.2f} after")

plots.lines(training.steps[1:], {"held-out loss": training.held_out[1:]},
            "Learning to fill in the blank", "step", "loss on held-out blanks", log_x=True)

# %% [markdown]
# It began at ln V, as it must. (On this axis, steps 1 to 10 are as wide as 10 to 100.) What does the model say now?


# %%
def guesses(sentence):
    """The three most likely words for ___, with their probabilities."""
    before, after = (part.split() for part in sentence.split("___"))
    context = np.array([vocabulary[word] for word in before[-4:] + after[:4]])
    p = predict(context, training.E, training.U)
    return ", ".join(f"{blanks.words[i]} {p[i]:.2f}" for i in np.argsort(-p)[:3])


for sentence in ["the cat purred and drank the ___", "the king drank a cup of ___",
                 "many tourists in ___ speak japanese", "the ___ barked and licked the water"]:
    print(f"{sentence:36} {guesses(sentence)}")

# %% [markdown]
# It knows what kind of word is missing, though not always which. And it has no idea of order: to a bag of words, *dog
# bites man* is *man bites dog*.
#
# ## Sixteen dimensions on paper
#
# But we wanted the rows of E. To see them we need two numbers a word: of all planes, the one in which the points spread
# most, their first two **principal components**. **Write `project_to_2d`.**


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

# %% [markdown]
# Is a word's nearest neighbour, among all words of the groups, in its own group? And was it luck? Three more texts, 300
# steps each. (Where points crowd, names are left out.)

# %%
before, after = (cbow.own_group(training.words, rows) for rows in (training.snapshots[0], training.E))
print(f"nearest neighbour in its own group: {before:.2f} before, {after:.2f} after")
assert after >= 0.85
for seed in (1, 2, 3):
    text = cbow.blanks(corpus.sentences(10_000, seed))
    other = cbow.train(text, predict, gradients, steps=300, seed=seed)
    print(f"text {seed}: {cbow.own_group(other.words, other.E):.2f} in their own group")

flat = yours("project_to_2d", project_to_2d)
five = ["animals", "vehicles", "foods", "capitals", "women"]  # of the eight groups
shown = {word: group for group in five for word in corpus.GROUPS[group]}
unit = word_vectors.unit_rows(training.vectors[list(shown)])  # every row at length 1
plots.scatter(flat(unit), list(shown), "Five groups after training", list(shown.values()),
              "along the direction of largest spread", "along the second")

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
# ## Who is near?
#
# A picture in two dimensions leaves out fourteen. For the truth, ask for the nearest rows by cosine, all sixteen
# numbers counted. **Write `nearest_neighbours`.**


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
# Now the film of your training. Move the step slider, watch the heap come apart, and choose a word to follow its
# neighbours. **At which step would you first bet on a word's group?**

# %%
nearest = yours("nearest_neighbours", nearest_neighbours)


def neighbours(word, vectors, k=5):
    """The k nearest words to a word, itself left out."""
    found = nearest(vectors[word], vectors.E, k, (vectors.ids(word),))
    return ", ".join(vectors.words[i] for i in found)


for word in ["dog", "bread", "queen", "paris"]:
    print(f"{word:6} {neighbours(word, training.vectors)}")
explore.snapshots(training, project_to_2d=flat, nearest_neighbours=nearest)

# %% [markdown]
# ## Real sentences
#
# These groups are ours: we wrote them into the templates. Does meaning appear when nobody plants it? We read dictionary
# definitions, from WordNet. With thousands of words a step is slow, so a blank chooses only among the words that occur in
# the same step: your function is given fewer rows and columns.
#
# Then eight groups, luck being about one in eight, and our analogy questions: "paris is to france as tokyo is to ?"

# %%
definitions = datasets.load_definitions()
print(f"{len(definitions):,} definitions, such as:", *definitions[12])
# words found fewer than 5 times are left out, and very frequent ones skipped at random
real_blanks = cbow.blanks(definitions, window=5, least=5, thin=1e-3)
real = cbow.train(real_blanks, predict, gradients, width=32, batch=16, steps=6000, rate=0.1,
                  sampled=True, label="reading definitions")
real_vectors = real.vectors
for word in ["dog", "cheese", "oak", "boat"]:
    print(f"{word:7} {neighbours(word, real_vectors)}")

for when, rows in {"random rows": real.snapshots[0], "trained": real.E}.items():
    share = cbow.own_group(real.words, rows, corpus.DEFINED_GROUPS)
    print(f"{when:12} {share:.2f} in their own group")
asked = analogies.questions()
askable = [q for q in asked if all(word in real_vectors for word in (q.a, q.b, q.c, q.d))]
solved = analogies.score(askable, analogies.solve(askable, real_vectors))
print(f"words known for {len(askable)} of {len(asked)} questions; share solved: {solved['all']:.2f}")

# %% [markdown]
# ## Six billion words
#
# A few seconds of reading buy groups (only *boat* keeps odd company), and hardly a relation. GloVe read six billion
# words. Its neighbours, and fifteen animals and vehicles in their plane:

# %%
glove = datasets.load_glove()
for word in ["dog", "car", "cheese", "bank", "apple"]:
    print(f"{word:7} {neighbours(word, glove)}")

animals = "dog cat horse cow sheep rabbit lion tiger bear wolf fox mouse goat pig elephant".split()
vehicles = ("car truck bus train bicycle motorcycle van taxi tram jeep "
            "ship boat airplane helicopter tractor").split()
thirty, kinds = glove[animals + vehicles], ["animals"] * 15 + ["vehicles"] * 15
cosines = word_vectors.cosine_matrix(thirty, thirty)
others = ~np.eye(15, dtype=bool)  # every pair but a word with itself
print(f"animals with animals   {cosines[:15, :15][others].mean():.2f}")
print(f"vehicles with vehicles {cosines[15:, 15:][others].mean():.2f}")
print(f"animals with vehicles  {cosines[:15, 15:].mean():.2f}")
plots.scatter(flat(thirty), animals + vehicles, "Thirty words of GloVe", kinds,
              "along the direction of largest spread", "along the second")

# %% [markdown]
# (Look twice at *bank* and *apple*: money only, and a company. Keep that for lesson 3.)
#
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
# **king itself.** The step is short, so the sum stays beside *king*. The famous answer is first only when the three words
# of the question are left out: that is the convention. **Write `analogy`** so.


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
# One example proves little. Four first, then all the questions of the course, with and without leaving out the inputs.
# (Every twentieth answer is compared with your function's.)

# %%
for question in ["man woman king", "paris france tokyo", "big bigger small", "good bad hot"]:
    print(f"{question:19} → {glove.words[solve(*glove.ids(question.split()), glove.E)]}")

answers = analogies.solve(asked, glove)
usual = analogies.score(asked, answers)
strict = analogies.score(asked, analogies.solve(asked, glove, exclude=False))
for q, answer in list(zip(asked, answers))[::20]:
    assert glove.words[solve(*glove.ids([q.a, q.b, q.c]), glove.E)] == answer
print(f"{len(asked)} questions: {usual['all']:.2f} right, {strict['all']:.2f} if inputs may answer")

assert min(usual["country, language"], usual["plain, comparative"]) > 0.9
assert max(usual["country, currency"], usual["opposites"]) < 0.5
plots.bars(usual, "Analogies solved, inputs left out", "share of questions")

# %% [markdown]
# Languages are nearly perfect, opposites mostly fail. Where does a relation come from? Train on our small language
# without the sentences that pair a capital and its country, or both with a language. **Predict:** what is lost?

# %%
guess = None  # "the groups", "who belongs to whom" or "both"

text = cbow.blanks(corpus.sentences(10_000, seed=0, pairing=False))
silent = cbow.train(text, predict, gradients, steps=1000, label="without pairs")
groups = {group: corpus.GROUPS[group] for group in ("capitals", "countries")}
places = [q for q in asked if q.a in corpus.LANDS and q.c in corpus.LANDS]
found = {"luck": [7 / 15, 1 / 8, 1 / 7]}  # 7 of the 15 others are of its group; b is left out
for name, its in {"with pairs": training, "without pairs": silent}.items():
    rows = its.vectors
    own_group = cbow.own_group(its.words, its.E, groups)  # a word's nearest is of its kind
    near = [nearest(rows[city], rows[list(groups["countries"])], 1)[0] for city in corpus.LANDS]
    own_country = np.mean(np.array(near) == np.arange(8))  # a capital's nearest country is its own
    solved = [rows.words[solve(*rows.ids([q.a, q.b, q.c]), rows.E)] == q.d for q in places]
    found[name] = [own_group, own_country, np.mean(solved)]
assert found["without pairs"][0] > 0.9 and max(found["without pairs"][1:]) < 0.3
plots.heatmap(list(found.values()), list(found), ["group", "country", "analogy"],
              "Share of capitals and countries told right")

# %% [markdown]
# The groups stay, for the sentences that are left use all capitals alike. Who belongs to whom falls to luck or near it:
# **what the text never says, the vectors cannot know.**
#
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

# %% [markdown]
# **Predict:** for Paris → France and Tokyo → Japan, about 0.95, 0.75 or 0.5? One pair may be luck, so also every two of
# twenty capitals; and again, one of them with a *wrong* country.

# %%
guess = None  # a cosine

parallel = yours("offset_cosine", offset_cosine)
ids = glove.ids(["paris", "france", "tokyo", "japan"])
print(f"paris → france, tokyo → japan: {parallel(*ids, glove.E):.3f}")

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
# Alike, not "nearly the same". Much of what the steps share is *from a capital to a country*, any country: wrong pairs
# have it too. Directions carry relations, roughly and on average.

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
# A new word has no row, but it has old pieces: FastText (Bojanowski et al. 2017) trains a vector for every run of letters
# and adds up those of a word. Here untrained: a piece gets the mean row of the words that have it, a new word the
# mean of its pieces.
#
# (To keep the table small, a fixed rule, a **hash**, sends each piece to a *bucket*; two pieces may meet in one.) Does it
# place words that GloVe lacks, and 500 that we hide?

# %%
print(ngrams("cats", 3, 4))  # < and > stand for the ends of the word
hidden = np.sort(np.random.default_rng(0).choice(len(glove), 500, replace=False))
known = np.setdiff1d(np.arange(len(glove)), hidden)
pieces = Subwords([glove.words[i] for i in known], glove.E[known])
known_pieces = {piece for i in known for piece in ngrams(glove.words[i])}
centred = glove.E - pieces.mean

for word in ["geologically", "footballing", "cheesemaker", "unforgivable", "doglike"]:
    assert word not in glove
    share = np.mean([piece in known_pieces for piece in ngrams(word)])
    near = ", ".join(glove.words[i] for i in nearest(pieces[word] - pieces.mean, centred, 4))
    print(f"{word:13} {share:4.0%} of its pieces known: {near}")

rebuilt = np.array([pieces[glove.words[i]] for i in hidden]) - pieces.mean
cosines = word_vectors.cosine_matrix(rebuilt, centred)
own = cosines[np.arange(500), hidden]
print(f"500 hidden words: cosine with the true row {own.mean():.2f}, any row {cosines.mean():.2f}")
rank = (cosines > own[:, None]).sum(axis=1)
print(f"true row among the ten nearest of {len(glove):,}: {np.mean(rank < 10):.2f}")

# %% [markdown]
# Pieces give a word a rough place: nearer to its own row than to an average one, but for most words ten others come
# first. And *doglike* lands among cricketers: half its pieces are unknown, and some fell into buckets of others.
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
