# %% [markdown]
# # 3 · One word, two meanings
#
# **A word has one row. What if the word has two meanings, and what can the words around it do about that?**
#
# By the end you will have written six short functions, measured on 108 sentences how well a context tells two
# meanings apart, and looked into the layers of a real transformer. It takes about 60 minutes. Stuck? `hint("mix")`
# helps, and so for every exercise.

# %%
from timeit import timeit

import numpy as np

from autograde import check, hint, yours
from course_utils import datasets
from course_utils.embedding_space import nearest_neighbours, softmax
from course_utils.experiments import recurrence
from course_utils.experiments import senses as measure
from course_utils.experiments.sentences import MISLEADING, SENSES, TWICE
from course_utils.explorers import polysemy as explore
from course_utils.figures import plots
from course_utils.word_vectors import cosine_matrix, cosine_similarity

# %% [markdown]
# ## The row has picked a side
#
# *I ate an apple after lunch.* And: *Apple released a new iPhone.* GloVe was trained in lower case, so one row
# serves the fruit and the company.
#
# **Predict, then run.** Which words are nearest to `apple`: pears and bananas, or companies?

# %%
guess = None  # "fruit" or "company"

glove = datasets.load_glove()
for word in ["apple", "bank"]:
    near = nearest_neighbours(glove[word], glove.E, 6, exclude=[glove.ids(word)])
    print(f"{word}:", ", ".join(glove.words[i] for i in near))

for pair in ["apple fruit", "apple iphone", "bank river", "bank money"]:
    u, v = glove[pair.split()]
    print(f"{pair:13} {cosine_similarity(u, v):.2f}")

# %% [markdown]
# The company, and money. The other sense is in the row too, but fainter: a row is one compromise for every
# sentence that the word stood in.
#
# **Quiz.** GloVe has one row for apple, and microsoft, ibm and intel are among its nearest. Why these?
#
# * a: The row is the average of what apple did in its training text, and there it was mostly the company.
# * b: Lower-casing turned the fruit into the company.
# * c: The fruit was left out, because each row can hold only one meaning.

# %% answer: answer_static
answer_static = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_static = "a"
### END SOLUTION

# %% check: answer_static
check("answer_static", answer_static)

# %% [markdown]
# ## The words around it
#
# You knew at once which apple was meant, because of *ate* and *iPhone*. The first idea, then: the average of the rows
# around the word. **Write `context_average`.**


# %% answer: context_average
def context_average(X, position, window):
    """X (n, d) → (d,): the mean of the rows within `window` places of `position`, without that row.

    In "ate an apple after lunch" the neighbours of apple within 1 are an and after. Near an edge
    there are fewer; where there are none the result is zeros. window is 1 or more.
    """
    ### BEGIN SOLUTION
    near = [j for j in range(len(X)) if j != position and abs(j - position) <= window]
    if not near:
        return np.zeros(X.shape[1])
    return X[near].mean(axis=0)
    ### END SOLUTION


# %% check: context_average
check("context_average", context_average)

# %%
average = yours("context_average", context_average)

# glove_rows: the words of a text and their rows (n, d); GloVe's file lacks the words a and i
for text in ["I ate an apple after lunch.", "Apple released a new iPhone."]:
    words, X = measure.glove_rows(text)
    around = average(X, words.index("apple"), 4)
    fruit, software = (cosine_similarity(around, glove[w]) for w in ("fruit", "software"))
    print(f"{text:30} fruit {fruit:.2f}   software {software:.2f}")

# %% [markdown]
# The average moves with the sentence, without the row of `apple` itself. Does that work in general?
#
# ## A fair test: 108 sentences
#
# Nine words, two senses each, six sentences a sense, written for this course.

# %%
for word, its_senses in SENSES.items():
    print(f"{word:7}", " / ".join(its_senses))

count = sum(len(texts) for its_senses in SENSES.values() for texts in its_senses.values())
print(count, "sentences, such as:", SENSES["bank"]["money"][0], SENSES["bank"]["river"][0])

# %% [markdown]
# Make a vector of every use. For each use, average the *others* of each sense: two **middles**. Is that of its own sense
# the nearer one? A coin gets 0.5. **Write `nearest_sense`**, which decides.


# %% answer: nearest_sense
def nearest_sense(vector, senses):
    """vector (d,), senses (s, d), one row per sense → index of the row with the highest cosine.

    On a tie the smaller index. A vector of zeros has cosine 0 with everything, as in lesson 1.
    """
    ### BEGIN SOLUTION
    cosines = [cosine_similarity(vector, sense) for sense in senses]
    return int(np.argmax(cosines))
    ### END SOLUTION


# %% check: nearest_sense
check("nearest_sense", nearest_sense)

# %% [markdown]
# **Predict.** The static row is the same in all twelve sentences of a word, so it can only guess. How many of 108 does
# an average of the whole sentence get right: 60 %, 80 %, more?

# %%
guess = None  # a share between 0.5 and 1

nearest = yours("nearest_sense", nearest_sense)
ways = {"static row": measure.static}
ways |= {f"average ±{w}": measure.averaged(w, average) for w in (1, 2, 4, 6)}  # w words on each side
ways["average of all"] = measure.averaged(99, average)  # wider than any sentence
one_use = {name: measure.accuracy(way, nearest) for name, way in ways.items()}

assert one_use["static row"] == 0.5 and one_use["average of all"] > 0.9
print("told right by the average of all:", round(108 * one_use["average of all"]), "of 108")
plots.bars(one_use, "Share of 108 uses told right", limits=(0, 1))

# %% [markdown]
# More than nine in ten. The popular story is that only **attention** can tell senses apart: words that choose how much
# to take of each other. On ordinary sentences it is not so: **mixing in the context** is enough, the wider the better.
#
# ## An average is a matrix
#
# Before we look where it fails, let us write the average down for all words at once, as a table of **weights**: row i
# says how much word i takes of each word. **Write `uniform_weights`.**


# %% answer: uniform_weights
def uniform_weights(n, causal=False):
    """→ (n, n): row i spreads its weight evenly over all n words, and sums to 1.

    causal: only over words 0 … i, what came before it and itself, as when you read aloud.
    Three words: [[1, 0, 0], [1/2, 1/2, 0], [1/3, 1/3, 1/3]].
    """
    ### BEGIN SOLUTION
    seen = np.tril(np.ones((n, n))) if causal else np.ones((n, n))
    return seen / seen.sum(axis=1, keepdims=True)
    ### END SOLUTION


# %% check: uniform_weights
check("uniform_weights", uniform_weights)

# %% [markdown]
# Now the mixing. One word with a loop first: its new vector is a sum of all rows, each times its weight.

# %%
uniform = yours("uniform_weights", uniform_weights)
X = np.array([[2.0, 0.0], [0.0, 4.0], [1.0, 1.0]])  # three words, d = 2
row = uniform(3, causal=True)[1]  # how word 1 spreads its weight

mixed = np.zeros(2)
for weight, x in zip(row, X):
    print(f"{weight:.2f} × {x}")
    mixed += weight * x
print("sum:", mixed)

# %% [markdown]
# **Write `mix`** for all at once: a row of weights for each word that asks (*query*), a column for each that is looked at
# (*key*). **Every stage of attention is this line**; only the weights will change.


# %% answer: mix
def mix(weights, X):
    """weights (..., n_q, n_k), X (..., n_k, d) → (..., n_q, d): weighted sums of the rows of X.

    The weights may be any numbers. In front there may be more axes, the same in both: (5, n_q, n_k)
    is five sentences. NumPy's @ treats each by itself.
    """
    ### BEGIN SOLUTION
    return weights @ X
    ### END SOLUTION


# %% check: mix
check("mix", mix)

# %%
blend = yours("mix", mix)
print("only itself:", *blend(np.eye(3), X))  # np.eye: 1 on the diagonal, 0 elsewhere
print("everyone:   ", *blend(uniform(3), X).round(2))
print("causal:     ", *blend(uniform(3, causal=True), X).round(2))

words, X = measure.glove_rows("Apple released a new iPhone.")
plots.heatmap(uniform(len(words), causal=True), words, words, "Causal uniform weights")

# %% [markdown]
# "Only itself" gives back the static rows, `uniform_weights` the average, the word itself included. The table is the
# whole difference.
#
# ## The same word twice
#
# Now sentences that use a word in **both** senses:

# %%
word, its_senses, text = TWICE[0]
print(f"{len(TWICE)} sentences, for example: {text}")

words, X = measure.glove_rows(text)
mixed_rows = blend(uniform(len(words)), X)
first, second = (i for i, w in enumerate(words) if w == word)
print("both apples get the same vector:", np.allclose(mixed_rows[first], mixed_rows[second]))

# %% [markdown]
# **Quiz.** A sentence uses bank twice, once for money and once for the river. Every word takes the average of the
# whole sentence, itself included. What do the two banks get?
#
# * a: Two vectors, each drawn towards the words near it.
# * b: The same vector twice, whatever the sentence says.
# * c: The vector of the sense that is more frequent, in both places.
# * d: Two vectors that differ because their positions differ.

# %% answer: answer_average
answer_average = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_average = "b"
### END SOLUTION

# %% check: answer_average
check("answer_average", answer_average)

# %% [markdown]
# In all 24, which occurrence is which, by their cosines with the two middles? A coin gets 0.5. **Predict** for 2 words on
# each side, 4 words, and the whole sentence.

# %%
guess = None  # three shares

twice = {name: measure.twice_accuracy(way) for name, way in ways.items()}
for name in ways:
    print(f"{name:15} one use {one_use[name]:.2f}   twice in a sentence {twice[name]:.2f}")

assert twice["average of all"] == 0.5 and twice["average ±4"] > 0.9

# %% [markdown]
# The whole sentence is blind, as it must be. A narrower window is not: it knows *where* it stands. "An average cannot do
# this" holds for the widest one only. But somebody must choose one width for all words. Better: **let the words decide**
# how much to take of whom.
#
# ## Let the words decide: similarity
#
# The simplest score that looks at the words is the dot product of their rows. Softmax makes weights of scores.

# %%
words, X = measure.glove_rows("Apple released a new iPhone.")
scores = X @ X[words.index("apple")]

for word, score, weight in zip(words, scores, softmax(scores)):
    print(f"{word:9} score {score:5.1f}   weight {weight:.3f}")

# %% [markdown]
# **Write `similarity_weights`**: all scores at once, X Xᵀ, and softmax over each row, the scores as they are. You may use
# `softmax`, which is imported.


# %% answer: similarity_weights
def similarity_weights(X):
    """X (..., n, d) → (..., n, n): softmax over the keys of X Xᵀ.

    For one sentence the scores are X @ X.T. With more axes in front only the last two change places:
    np.swapaxes(X, -1, -2).
    """
    ### BEGIN SOLUTION
    scores = X @ np.swapaxes(X, -1, -2)
    return softmax(scores, axis=-1)
    ### END SOLUTION


# %% check: similarity_weights
check("similarity_weights", similarity_weights)

# %%
similar = yours("similarity_weights", similarity_weights)
by_similarity = measure.mixed(similar, blend)
print(f"one use {measure.accuracy(by_similarity, nearest):.2f}")
print(f"twice in a sentence {measure.twice_accuracy(by_similarity):.2f}")

assert 11 < scores[words.index("apple")] - scores[words.index("iphone")] < 12.5
plots.heatmap(similar(X), words, words, "Weights from raw dot products")

# %% [markdown]
# Attention without anything to train, and it disappoints: each word looks at itself. A dozen points of score between
# *apple* and *iphone* are a factor of about e¹² between their weights. And a word used twice asks the same question
# twice and gets the same answer.
#
# **Quiz.** With weights from raw dot products of GloVe rows, apple gives nearly all its weight to apple. Why?
#
# * a: The rows were not brought to length 1 by the training.
# * b: Softmax always gives the first word the most.
# * c: One vector asks and answers: its product with itself is its squared length, which other rows rarely beat.

# %% answer: answer_itself
answer_itself = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_itself = "c"
### END SOLUTION

# %% check: answer_itself
check("answer_itself", answer_itself)

# %% [markdown]
# ## What people did before: carry a state along
#
# A **recurrent network** reads word by word and keeps a *state*, a vector to which each word adds something. An **LSTM**
# (long short-term memory) has *gates* besides, numbers from 0 to 1 that say how much of its memory to keep. Order
# counts, and context flows in, without attention. But what comes from far away must pass every step between.
#
# **Predict:** nudge the first word; what share of the nudge arrives 20 words later, where the same word stands again?
# (Untrained; 0.9 and 0.95 are ours.)

# %%
guess = None  # a share

rng = np.random.default_rng(3)
readers = {
    "recurrent network": recurrence.random_rnn(32, rng, keep=0.9),  # keep: of the state, at each step
    "LSTM": recurrence.random_lstm(32, rng, keep=0.95),
    "average so far": lambda X: blend(uniform(len(X), causal=True), X),
    "similarity": lambda X: blend(similar(X), X),
}
distances = [1, 2, 5, 10, 20, 50]
influence = recurrence.influence_by_distance(readers, distances, rng)
X = rng.normal(size=(6, 32))
for name, states in readers.items():
    order = recurrence.notices_order(states, X)
    print(f"{name:18} 20 words later {influence[name][4]:.3f}   notices the order: {order}")
plots.lines(distances, influence, "Influence of the first word on the last", "distance in words",
            "movement per nudge", log_x=True, log_y=True)

# %% [markdown]
# A recurrence loses a share at every step, an LSTM's gates less; an average thins out. Similarity splits between the two
# equal words, far or near: attention reaches any distance in **one step**, if the weights choose to.
#
# The second trouble is time: step 20 cannot begin before step 19 has ended. A matrix product with as many
# multiplications has no such order. **Predict** how much faster it is for 500 words.

# %%
guess = None  # "no faster", "twice as fast" or "more than three times as fast"

X, W, U = (rng.normal(size=shape) for shape in ((500, 64), (64, 64), (64, 64)))
steps = min(timeit(lambda: recurrence.rnn(X, W, U), number=1) for _ in range(5))
products = min(timeit(lambda: X @ W + X @ U, number=1) for _ in range(5))

print("500 steps take more than three times as long as two products:", steps > 3 * products)

# %% [markdown]
# (Part of it is Python's cost for each step; on parallel hardware the order alone is enough. Attention has another
# price: n words make n × n weights.) **ELMo** (Peters and others, 2018) used LSTM states, in both directions, as word
# vectors: context is the idea, and attention one way to bring it in.

# %% [markdown]
# ## A real model
#
# Now a trained **transformer**, a stack of *layers* that mix by attention: the first four of six layers of MiniLM. It
# cuts a text into **tokens**, words or pieces of words, with a mark at each end. Each token gets a vector per layer, a
# *hidden state*; layer 0 knows the token and its position, and has looked at no other yet.

# %%
minilm = datasets.load_minilm()
run = minilm.run("I ate an apple after lunch.")

print(run.tokens)
print("hidden states (layers 0 to 4, tokens, d):", run.hidden.shape)

# %% [markdown]
# **Write `sense_separation`**, a finer measure than right or wrong, for the uses A and B of two senses: the mean cosine of
# pairs *within* a sense minus the mean cosine of pairs *across*.


# %% answer: sense_separation
def sense_separation(A, B):
    """A (p, d), B (q, d), a row per use, two or more each → one number.

    Within: the pairs of A and the pairs of B on one pile. A row with itself is no pair; two different
    rows with equal numbers are. A row of zeros has cosine 0. For A = [[1, 0], [2, 0]] and
    B = [[0, 1], [0, 3]] all pairs within have cosine 1 and all across 0: the result is 1.
    """
    ### BEGIN SOLUTION
    within = [cosine_similarity(X[i], X[j]) for X in (A, B) for i in range(len(X)) for j in range(i)]
    return np.mean(within) - cosine_matrix(A, B).mean()
    ### END SOLUTION


# %% check: sense_separation
check("sense_separation", sense_separation)

# %%
apart = yours("sense_separation", sense_separation)
assert np.isclose(apart(np.array([[1, 0], [2, 0]]), np.array([[0, 1], [0, 3]])), 1)

for layer in range(5):
    uses = measure.uses("apple", measure.contextual(layer))
    distance = apart(uses.vectors[:6], uses.vectors[6:])
    print(f"layer {layer}: apple's senses are {distance:z.3f} apart")

# %% [markdown]
# At layer 0 the two apples are one word; from layer 1 on they are two. **Predict** how all 108 sentences do, and the 24
# with a word used twice.

# %%
guess = None  # two shares for layer 3

layers = {f"layer {layer}": measure.contextual(layer) for layer in range(5)}
model_one_use = {name: measure.accuracy(way, nearest) for name, way in layers.items()}
model_twice = {name: measure.twice_accuracy(way) for name, way in layers.items()}
both = {name: [one_use[name], twice[name]] for name in ways}
both |= {name: [model_one_use[name], model_twice[name]] for name in layers}
print("best in the worse of its two tests:")
for name in sorted(both, key=lambda name: min(both[name]), reverse=True)[:4]:
    print(f"{name:15} at least {min(both[name]):.2f}")
plots.heatmap(list(both.values()), list(both), ["one use", "twice"], "Share told right", low=0.5)

# %% [markdown]
# From layer 1 on the model does both tests well, without anyone choosing a width. (Do not make much of the last digits:
# the average of six words on each side comes close.)
#
# Move through the stages yourself; each point is one sentence. **Find a word that layer 1 already separates and the
# average of ±4 does not.** Below, the same for `apple` on paper.

# %%
explore.uses(context_average=average, nearest_sense=nearest, sense_separation=apart)

# %%
uses = measure.uses("apple", measure.contextual(3))
pairs = zip(uses.vectors, measure.middles_without(uses))
to_middles = np.array([cosine_matrix(vector[None], two)[0] for vector, two in pairs])
kinds = ["fruit" if sense == 0 else "company" for sense in uses.sense]
plots.scatter(to_middles, [str(i % 6 + 1) for i in range(12)], "Uses of apple at layer 3", kinds,
              "cosine with fruit", "cosine with company")

# %% [markdown]
# ## Two tests of our tests
#
# Does the score speak of the *word*? Take in its place the vector of the first *the*, *a* or *an* of each sentence, a word
# that has no senses.

# %%
def first_article(layer):
    def vectors(text, word):
        run = minilm.run(text)
        found = [i for i, token in enumerate(run.tokens) if token in ("the", "a", "an")]
        return [run.hidden[layer][found[0] if found else 1]]  # without an article: the first word

    return vectors


articles = {f"layer {layer}": measure.accuracy(first_article(layer), nearest) for layer in range(5)}
plots.bars(articles, "Sense told from an article of the sentence", limits=(0, 1))

# %% [markdown]
# By the last layers even an article knows what the sentence is about: the *topic* has been mixed in. That is not yet an
# understanding of this word.
#
# Second, sentences whose nearby words point the **wrong** way. **Predict:** who is fooled, the averages, the model, or
# both?

# %%
guess = None  # "averages", "model" or "both"

print(f"{len(MISLEADING)} sentences, for example: {MISLEADING[8][2]}")
misled = {name: measure.misled_accuracy(way, nearest) for name, way in (ways | layers).items()}
assert max(misled["average ±6"], misled["average of all"]) < 0.45
assert all(0.4 <= misled[layer] <= 0.6 for layer in layers)
print("one sentence more or less is", round(1 / len(MISLEADING), 2))
plots.bars(misled, "Share of 18 misleading sentences told right", limits=(0, 1))

# %% [markdown]
# Both. The widest averages fall below a coin, for they believe their neighbours. The model's layers stay at a coin's
# level: not fooled as badly, and no cure either.

# %% [markdown]
# ## What the numbers say
#
# One static row cannot tell senses apart. Mixing in the context can, and on ordinary sentences an average is enough:
# "only attention" is not what these numbers show. What an average lacks is **choice**: its weights are fixed before it
# has seen the words.
#
# Similarity chose by the words, but each asked with the vector by which it is found, and so it found itself. That is
# the next lesson's repair: one vector to ask, one to be found by, one to hand over.

# %% [markdown] own words: what_context_buys 3
# **In your own words.** A blog says: "A static vector mixes up the senses of a word, and only attention can solve
# this." In four or five sentences: which part do your measurements support, which part not, and what would a test
# have to look like that an average must fail? (Marked by hand, 3 points.)
#
# ### BEGIN MARK SCHEME
# One point: supported is that one fixed row cannot tell senses apart (0.5), because it is the same in every
# sentence. One point: not supported is "only attention": an average of the context gets above 0.9 on ordinary
# sentences, and a recurrent network (ELMo) makes contextual vectors too; a figure of the notebook is named. One
# point: a test that an average must fail has the same words around the use with a different answer: the word twice
# with the whole sentence averaged, or the same bag of words in another order, so that who stands where decides.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `context_average`: make a vector of a word's surroundings, edges included.
# * `nearest_sense`: decide between senses by cosine.
# * `uniform_weights`: write an average, causal or not, as a table of weights.
# * `mix`: the line that every stage of attention shares.
# * `similarity_weights`: let the words choose, and say why they choose themselves.
# * `sense_separation`: measure how far two senses lie apart, without counting a use with itself.
#
# **Next.** How can a word ask for something other than itself? Lesson 4: queries, keys and values.
