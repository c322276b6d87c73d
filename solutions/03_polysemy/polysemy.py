# %% [markdown]
# # 3 · One word, two meanings
#
# **A word has one row. What if the word has two meanings, and what can the words around it do about that?**
#
# By the end you will have written six short functions, measured on 108 sentences how well a context tells two
# meanings apart, and looked into the layers of a real transformer. It takes about 75 minutes.

# %%
import numpy as np

from autograde import check, hint, predict, yours
from course_utils import datasets
from course_utils.embedding_space import nearest_neighbours, softmax
from course_utils.experiments import recurrence
from course_utils.experiments import senses as measure
from course_utils.experiments.sentences import MISLEADING, SENSES, TWICE
from course_utils.explorers import polysemy as explore
from course_utils.figures import drawings, plots
from course_utils.word_vectors import cosine_matrix, cosine_similarity

# %% [markdown]
# ## The row has picked a side
#
# *I ate an apple after lunch.* And: *Apple released a new iPhone.* GloVe was trained in lower case, so one row
# serves the fruit and the company.

# %%
side = predict("In GloVe, apple is nearer to …", "fruit", "iphone")

# %%
glove = datasets.load_glove()
for word in ["apple", "bank"]:
    near = nearest_neighbours(glove[word], glove.E, 6, exclude=[glove.ids(word)])
    print(f"{word}:", ", ".join(glove.words[i] for i in near))

for pair in ["apple fruit", "apple iphone", "bank river", "bank money"]:
    print(f"{pair:13} {cosine_similarity(*glove[pair.split()]):.2f}")
near = {word: cosine_similarity(glove["apple"], glove[word]) for word in ("fruit", "iphone")}
side.compare(max(near, key=near.get))

# %% [markdown]
# The company, and money. The other sense is in the row too, but fainter: a row is one compromise for every
# sentence that the word stood in.
#
# **Quiz.** A newspaper writes of river banks twenty times as often as of money banks. Static rows are trained on it. What
# is its row of bank like?
#
# * a: Mostly the river's: water and shore are near, money is fainter.
# * b: Half river and half money, because the word has two meanings.
# * c: There are two rows, because the two uses differ so much.

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
# around the word, at most w places away and without the word itself:
#
# $$\underset{(d,)}{a_i} \;=\; \frac{1}{m}\sum_{0<|j-i|\le w} \underset{(d,)}{x_j} \qquad\quad
# m \text{ such words},\quad \underset{(n,\,d)}{X} \text{ a row for each word}$$
#
# `X[[1, 3]].mean(axis=0)` is the mean of rows 1 and 3. **Write `context_average`.**


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

# glove_rows: words of a text and their rows (n, d); the course's cut of GloVe has no single letters
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
# Make a vector of every use. The mean of the vectors of one sense is its **centroid**. Is a use nearer to the centroid of
# its own sense? There is a trap: its own vector is in that mean and pulls it near. So each use is **left out** of its
# centroid when it is judged. Six points, three a sense, and the first of them judged:

# %%
fruit = np.array([[2.0, 1.6], [3.0, 0.4], [3.0, 0.2]])
company = np.array([[1.0, 3.0], [2.0, 3.2], [1.2, 2.6]])
centroids = {"fruit, itself in it": fruit.mean(axis=0),
             "fruit, left out": fruit[1:].mean(axis=0),
             "company": company.mean(axis=0)}
for name, centroid in centroids.items():
    print(f"cosine with the centroid of {name:20} {cosine_similarity(fruit[0], centroid):.3f}")

points = np.vstack([fruit, company, *centroids.values()])
plots.scatter(points, ["judged", "2", "3", "4", "5", "6", *centroids], "Six uses and their centroids",
              ["fruit"] * 3 + ["company"] * 3 + ["centroid"] * 3, "first number", "second number")

# %% [markdown]
# With itself in the mean the point would pass for a fruit; left out, it is nearer to the company. Only the second is a
# fair verdict: a new use is in no mean yet. A coin gets 0.5. **Write `nearest_sense`**, which decides. `np.argmax` gives
# the index of the largest, and of equal ones the first.


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
# The static row is the same in all twelve sentences of a word, so it can only guess: 0.5.

# %%
share = predict("What share of the 108 does an average of the whole sentence tell right?",
                0.5, 0.65, 0.8, 0.95)

# %%
nearest = yours("nearest_sense", nearest_sense)
ways = {"static row": measure.static}
ways |= {f"average ±{w}": measure.averaged(w, average) for w in (1, 2, 4, 6)}  # w words on each side
ways["average of all"] = measure.averaged(99, average)  # wider than any sentence
one_use = {name: measure.accuracy(way, nearest) for name, way in ways.items()}

print("told right by the average of all:", round(108 * one_use["average of all"]), "of 108")
share.compare(one_use["average of all"])
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
# All at once it is a matrix product: a row of weights for each word that asks (*query*), a column for each that is looked
# at (*key*). **Every stage of attention is this line**; only the weights will change.
#
# $$\underset{(n_q,\,d)}{\text{mixed}} \;=\; \underset{(n_q,\,n_k)}{W}\;\underset{(n_k,\,d)}{X}$$

# %%
drawings.product(uniform(3, causal=True), X, ("weights (n_q, n_k)", "X (n_k, d)", "mixed (n_q, d)"),
                 "Row by row: an average of what came before", digits=2)

# %% [markdown]
# **Write `mix`**.


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
# **Quiz.** The same word stands at places 2 and 5 of a sentence of six words, counted from 0. Every word takes the *causal*
# average, uniform_weights(6, causal=True). What do its two uses get?
#
# * a: The same vector: one word, one row.
# * b: The same vector: every row of the weights sums to 1.
# * c: Two vectors: the later one averages three words more.
# * d: Two vectors: the causal weights leave the word itself out.

# %% answer: answer_average
answer_average = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_average = "c"
### END SOLUTION

# %% check: answer_average
check("answer_average", answer_average)

# %% [markdown]
# In all 24, which occurrence is which, by their cosines with the two centroids? A coin gets 0.5.

# %%
wide = predict("Twice in a sentence: which average does best?",
               "2 words on each side", "4 words", "the whole sentence")

# %%
twice = {name: measure.twice_accuracy(way) for name, way in ways.items()}
for name in ways:
    print(f"{name:15} one use {one_use[name]:.2f}   twice in a sentence {twice[name]:.2f}")

three = {"2 words on each side": "average ±2", "4 words": "average ±4",
         "the whole sentence": "average of all"}
wide.compare(max(three, key=lambda name: twice[three[name]]))

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
# All scores at once, and softmax over each row, the scores as they are:
#
# $$\underset{(n,\,n)}{W} \;=\; \text{softmax}\big(\,\underset{(n,\,d)}{X}\;\underset{(d,\,n)}{X^{T}}\,\big)$$
#
# **Write `similarity_weights`.** `softmax` is imported. With more axes in front, `np.swapaxes` turns the last two:

# %%
print(np.zeros((5, 3, 2)).shape, "becomes", np.swapaxes(np.zeros((5, 3, 2)), -1, -2).shape)


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
gap = scores[words.index("apple")] - scores[words.index("iphone")]
print(f"apple's score is {gap:.1f} above iphone's: {np.exp(gap):,.0f} times its weight")
plots.heatmap(similar(X), words, words, "Weights from raw dot products")

# %% [markdown]
# Attention without anything to train, and it disappoints: each word looks at itself. And a word used twice asks the same
# question twice and gets the same answer.
#
# **Quiz.** One word's row is u, of length 2. Another's is 2.5 u: the same direction, length 5. Weights come from raw dot
# products. To which of the two does the first word give more weight?
#
# * a: To itself: nothing is more like a word than the word.
# * b: To the other: its score is 10, its own only 4.
# * c: To both the same: they point the same way, so their cosine is 1.

# %% answer: answer_itself
answer_itself = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_itself = "b"
### END SOLUTION

# %% check: answer_itself
check("answer_itself", answer_itself)

# %% [markdown]
# ## What people did before: carry a state along
#
# A **recurrent network** reads word by word and keeps a *state* h, a vector that is made anew from itself and each word:
#
# $$\underset{(d,)}{h_t} \;=\; \tanh\big(\,\underset{(d,)}{h_{t-1}}\;\underset{(d,\,d)}{W} \;+\;
# \underset{(d,)}{x_t}\;\underset{(d,\,d)}{U}\,\big)$$

# %%
drawings.recurrence("apple released a phone".split(), "One loop, and the loop laid out in time")

# %% [markdown]
# An **LSTM** (long short-term memory) has *gates* besides, numbers from 0 to 1 that say how much of its memory to keep.
# Order counts, and context flows in, without attention. But what comes from far away must pass every step between.
#
# We nudge the first word and look how far the last state moves. The same word stands there again, so that similarity has
# something to find. (Untrained; what is kept a step, 0.9 and 0.95, is our choice.)

# %%
fades = predict("In the recurrent network: of what arrives after 1 word, what share after 20?",
                0.9, 0.5, 0.1, 0.0)

# %%
rng = np.random.default_rng(3)
readers = {
    "recurrent network": recurrence.random_rnn(32, rng, keep=0.9),  # keep: of the state, at each step
    "LSTM": recurrence.random_lstm(32, rng, keep=0.95),
    "average so far": lambda X: blend(uniform(len(X), causal=True), X),
    "similarity": lambda X: blend(similar(X), X),
}
distances = [1, 2, 5, 10, 20, 50]
found = recurrence.influence_by_distance(readers, distances, rng)
influence = {name: np.array(moved) / moved[0] for name, moved in found.items()}
fades.compare(influence["recurrent network"][distances.index(20)])
plots.lines(distances, influence, "How much of the first word's influence is left",
            "distance in words (log axis)", "share of that at 1", log_x=True, limits=(0, 1.1))

# %% [markdown]
# A recurrence loses a share at every step, an LSTM's gates less; an average thins out. Similarity splits between the two
# equal words, far or near: attention reaches any distance in **one step**, if the weights choose to. Training can teach
# an LSTM to keep what it will need, and it then reaches further than these untrained ones; it still carries one state
# for everything. And step 20 cannot begin before step 19 has ended, where a matrix product takes all words at once.
#
# **ELMo** (Peters and others, 2018) used LSTM states, in both directions, as word vectors: context is the idea, and
# attention one way to bring it in. (*Attention Is All You Need*, 2017, had dropped the recurrence, for translation.)

# %% [markdown]
# ## A real model
#
# Now a trained **transformer**, a stack of *layers* that mix by attention: the first four of six layers of MiniLM. It
# cuts a text into **tokens**: words, or pieces of words, where ## says that a piece goes on a word. It always takes the
# longest piece that it knows:

# %%
minilm = datasets.load_minilm()
cut = {word: minilm.run(word).tokens[1:-1] for word in ["apple", "cheesemaker", "unforgivable"]}
drawings.pieces(cut, "Words cut into MiniLM's pieces")

# %% [markdown]
# Each token gets a vector per layer, a *hidden state*; layer 0 knows the token and its position, and has looked at no
# other yet. [CLS] and [SEP] mark the ends.

# %%
run = minilm.run("I ate an apple after lunch.")
print(run.tokens)
print("hidden states (layers 0 to 4, tokens, d):", run.hidden.shape)

# %% [markdown]
# One thing to know: after its first training MiniLM was tuned so that *sentences* of like meaning get like vectors. Such
# a model has a reason to spread a sentence's topic over all its tokens. Keep that in mind below.

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
for layer in range(5):
    uses = measure.uses("apple", measure.contextual(layer))
    distance = apart(uses.vectors[:6], uses.vectors[6:])
    print(f"layer {layer}: apple's senses are {distance:z.3f} apart")

# %% [markdown]
# At layer 0 the two apples are one word; from layer 1 on they are two.

# %%
layer_3 = predict("Which is better at layer 3: all 108 sentences, or the 24 with a word used twice?",
                  "all 108", "the 24", "both the same")

# %%
layers = {f"layer {layer}": measure.contextual(layer) for layer in range(5)}
model_one_use = {name: measure.accuracy(way, nearest) for name, way in layers.items()}
model_twice = {name: measure.twice_accuracy(way) for name, way in layers.items()}
both = {name: [one_use[name], twice[name]] for name in ways}
both |= {name: [model_one_use[name], model_twice[name]] for name in layers}
one, two = both["layer 3"]
layer_3.compare("all 108" if one > two else "the 24" if two > one else "both the same")
plots.heatmap(list(both.values()), list(both), ["one use", "twice"], "Share told right", low=0.5)

# %% [markdown]
# From layer 1 on the model does both tests well, without anyone choosing a width. (Do not make much of the last digits:
# the average of six words on each side comes close.)
#
# Move through the stages yourself; each point is one sentence. **Find a word that layer 1 already separates and the
# average of ±4 does not.**

# %%
explore.uses(context_average=average, nearest_sense=nearest, sense_separation=apart)

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

# %% [markdown]
# ## Going further
#
# *Not graded: two tests of our tests.* First: does the score speak of the *word*? Take in its place the vector of the
# first *the*, *a* or *an* of each sentence, a word that has no senses.

# %%
articles = {f"layer {layer}": measure.accuracy(measure.first_article(layer), nearest) for layer in range(5)}
plots.bars(articles, "Sense told from an article of the sentence", limits=(0, 1))

# %% [markdown]
# By the last layers even an article knows what the sentence is about: the *topic* has been mixed in, as the tuning for
# sentences rewards. That is not yet an understanding of this word.
#
# Second, sentences with words that point the **wrong** way.

# %%
print(f"{len(MISLEADING)} sentences, for example: {MISLEADING[8][2]}")
fooled = predict("Who tells fewer than half of the misleading sentences right?",
                 "the average of all", "layer 4 of the model", "both", "neither")

# %%
misled = {name: measure.misled_accuracy(way, nearest) for name, way in (ways | layers).items()}
below = misled["average of all"] < 0.5, misled["layer 4"] < 0.5
fooled.compare({(True, False): "the average of all", (False, True): "layer 4 of the model",
                (True, True): "both", (False, False): "neither"}[below])
plots.bars(misled, "Share of 18 misleading sentences told right", limits=(0, 1))

# %% [markdown]
# The widest averages believe their neighbours. The model's layers stay at a coin's level: not fooled as badly, and no
# cure either; one sentence more or less is 0.06. But look at ±2: the best of all, a plain average. Does it understand
# more? Where does the most misleading word stand?

# %%
far = np.array(measure.misleading_distances())
for width in (2, 4, 6):
    print(f"within {width} words: {np.sum(far <= width):2} of {len(far)} of the most misleading words")

# %% [markdown]
# It does not see them: nearly all stand further away, because we put them there. A narrow window is right for a reason
# that has nothing to do with meaning. Ask of every good number *why* it is good.
