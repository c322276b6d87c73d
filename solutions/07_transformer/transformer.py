# %% [markdown]
# # 7 · Your code runs a real model
#
# **Does what I wrote run a real model?**
#
# By the end you will have written the missing parts of a layer of an **encoder**, a model that reads, and put them around
# the attention of the last lessons. Four layers of a published model then run on your own code, with the same numbers as
# in PyTorch, the library that most models run on. You use it to tell two meanings of a word apart and, going further, to
# search by meaning. It takes about 75 minutes. Stuck? `hint("layer_norm")` helps, and so for every exercise.

# %%
import math

import numpy as np

from autograde import check, earlier, hint, predict, yours
from course_utils import embedding_space, multi_head, polysemy, scaling
from course_utils.datasets import load_minilm, load_minilm_last_layers, load_minilm_outputs
from course_utils.experiments import residual_stream, search
from course_utils.experiments import senses as measure
from course_utils.explorers import transformer as explore
from course_utils.figures import plots

# %% [markdown]
# ## What you bring along
#
# Softmax is yours since lesson 2, attention since lesson 5, heads since lesson 6. The next cell looks for them in the
# notebooks that you saved, and takes each that passes its check. Where one is missing the reference stands in.

# %%
softmax, mix, scaled_dot_product_attention, split_heads, merge_heads = earlier(
    embedding_space.softmax, polysemy.mix, scaling.scaled_dot_product_attention,
    multi_head.split_heads, multi_head.merge_heads)

# %% [markdown]
# ## What attention cannot see
#
# Four words with random vectors, and attention among them. Now the same words in another order.

# %%
words = ["the", "dog", "chased", "cat"]
X = np.random.default_rng(7).normal(size=(4, 6))
order = [3, 2, 0, 1]  # cat, chased, the, dog

shuffled = predict(
    "The rows of X change places. What does attention give for the word chased?",
    "the same vector as before", "another vector", "a mixture of both")

# %%
before, _ = scaled_dot_product_attention(X, X, X)
after, _ = scaled_dot_product_attention(X[order], X[order], X[order])
largest = np.abs(before[order] - after).max()
print("after shuffling, largest difference of any word's vector below 1e-12:", largest < 1e-12)
shuffled.compare("the same vector as before" if largest < 1e-12 else "another vector")
names = [f"{w}, before" for w in words] + [f"{words[i]}, after" for i in order]
plots.heatmap(np.vstack([before, after]), names, range(6), "Attention's output, before and after shuffling",
              low=-2, high=2, digits=1)

# %% [markdown]
# Every word keeps its row; only the order of the rows is new. Weights come from dot products of two rows, and a dot
# product does not know where its rows stood. *The dog chased the cat* and *the cat chased the dog* are one and the same.
#
# **Quiz.** A model of twelve layers was trained without positions. It reads “dog bites man” and then “man bites dog”.
# What does its last layer hold for “bites”?
#
# * a: Nearly the same: twelve layers are enough to work out the order.
# * b: Exactly the same in both sentences.
# * c: Two vectors that differ, because dog and man ask different questions.

# %% answer: answer_order
answer_order = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_order = "b"
### END SOLUTION

# %% check: answer_order
check("answer_order", answer_order)

# %% [markdown]
# ## A row for each position
#
# The cure is plain: add to each word's row a row that belongs to its **position**. The 2017 paper takes waves, short ones on
# the left and longer and longer ones to the right, a sine and a cosine of each:
#
# $$P[t, 2i] = \sin\frac{t}{10000^{2i/d}} \qquad P[t, 2i+1] = \cos\frac{t}{10000^{2i/d}}$$
#
# with t the position, counted from 0, and i = 0, 1, … d/2 − 1. It is a clock with many hands. What you need of NumPy:

# %%
down, across = np.array([0, 1, 2])[:, None], np.array([1.0, 10.0])  # (3, 1) and (2,)
print((down / across).tolist())  # each with each: (3, 2)

table = np.zeros((2, 6))
table[:, 0::2] = 1  # every second column, from column 0
print(table[0])

# %% [markdown]
# **Write `sinusoidal_positions`.**


# %% answer: sinusoidal_positions
def sinusoidal_positions(n, d):
    """→ (n, d): row t for position t = 0 … n − 1; d is even.

    Column 2i holds sin(t / 10000^(2i/d)), column 2i + 1 the cosine of the same angle.
    """
    ### BEGIN SOLUTION
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)  # (n, d/2)
    P = np.zeros((n, d))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P
    ### END SOLUTION


# %% check: sinusoidal_positions
check("sinusoidal_positions", sinusoidal_positions)

# %% [markdown]
# Forty positions, 32 numbers each. On the left the waves change from row to row; on the right they hardly move.

# %%
positions = yours("sinusoidal_positions", sinusoidal_positions)
P = positions(40, 32)
plots.heatmap(P, range(40), range(32), "Sinusoids: a row for each position", low=-1)

# %% [markdown]
# Why waves? A query may want "the word before". For that, how alike two rows are should depend on how far apart they
# stand, and not on where. **Look** at the dot product of row 10, and of row 20, with the rows around them.

# %%
steps = np.arange(-8, 9)
series = {f"from position {t}": P[t + steps] @ P[t] for t in (10, 20)}
apart = np.abs(series["from position 10"] - series["from position 20"]).max()
print("the two curves differ by less than 1e-9:", apart < 1e-9)
plots.lines(steps, series, "Dot product of two positions' rows", "how far apart", "dot product")

# %% [markdown]
# One curve. (sin a sin b + cos a cos b = cos(a − b): only the difference is left.)
#
# Now add the rows, and shuffle again. Each word's vector in the first order is held against its vector in the second.

# %%
def chased(rows):
    placed = rows + positions(4, 6)
    return scaled_dot_product_attention(placed, placed, placed)[0]


moved = np.abs(chased(X)[order] - chased(X[order])).max(axis=1)
plots.bars({words[i]: moved[k] for k, i in enumerate(order)},
           "Largest change of each word's vector when words move")

# %% [markdown]
# Each word's vector now depends on where it stands. Many models, BERT among them, use no formula: their rows of
# positions are numbers that training set, like those of words. Which works better? The 2017 paper found hardly any
# difference.
#
# ## Keeping numbers in hand: layer norm
#
# Layers add up, and sums grow. So each token's row is brought back, by itself, to mean 0 and variance 1; two rows that
# training set, γ and β, may then stretch and shift each column:
#
# $$\text{norm}(\underset{(d,)}{x}) = \frac{x - \text{mean}(x)}{\sqrt{\text{var}(x) + ε}}\;
# \underset{(d,)}{γ} + \underset{(d,)}{β}$$
#
# var is the mean of squared distances from the mean; ε is tiny, and stands under the root so that nothing is divided
# by 0. By hand: (1, 2, 3, 6) has mean 3, distances −2, −1, 0, 3, and variance (4 + 1 + 0 + 9) / 4 = 3.5.

# %%
X = np.array([[1.0, 2, 3, 6], [10, 20, 30, 60]])
print(X.mean(axis=-1))                 # one number a row, lying flat: (2,)
print(X.mean(axis=-1, keepdims=True))  # standing upright, so that X - mean goes row by row: (2, 1)
print(X.var(axis=-1))                  # the variance, divided by d

# %% [markdown]
# **Write `layer_norm`.**


# %% answer: layer_norm
def layer_norm(X, gamma, beta, eps=1e-12):
    """X (..., d), gamma (d,), beta (d,) → (..., d): each row normed, times gamma, plus beta.

    Normed: mean 0 and variance 1. The variance divides by d, and eps is added to it under the root.
    X may have any number of axes and hold whole numbers; it stays as it was.
    """
    ### BEGIN SOLUTION
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * gamma + beta
    ### END SOLUTION


# %% check: layer_norm
check("layer_norm", layer_norm)

# %%
size = predict("The second row is ten times the first. What will layer norm make of the two (γ 1, β 0)?",
               "two equal rows", "two rows, one ten times the other", "two rows of zeros")

# %%
norm = yours("layer_norm", layer_norm)
normed = norm(X, np.ones(4), np.zeros(4))
equal = np.abs(normed[0] - normed[1]).max() < 1e-9
size.compare("two equal rows" if equal else "two rows, one ten times the other")
plots.heatmap(np.vstack([X, normed]), ["row 0", "row 1", "row 0, normed", "row 1, normed"],
              ["x₀", "x₁", "x₂", "x₃"], "Before and after layer norm", low=-10, high=10, digits=1)

# %% [markdown]
# How large a row is, is forgotten; how its numbers stand to one another is kept.
#
# ## The way in: from ids to rows
#
# The model reads ids. Each token's first row is a sum of three: its **word**'s row, its **position**'s row, and a row for
# its **type** (0 in a single text; a second text, such as an answer to a question, would have 1). Then layer norm.
#
# **Write `embed_tokens`**, with the tables as the model has them.


# %% answer: embed_tokens
def embed_tokens(ids, params):
    """ids: n whole numbers, a list or an array → (n, d).

    params: "word" (V, d), "position" (N, d), "type" (2, d), "gamma" and "beta" (d,). Token t gets the
    row of its word, the row of position t, and row 0 of the types; then layer norm (eps 1e-12).
    """
    ### BEGIN SOLUTION
    n = len(ids)
    X = params["word"][ids] + params["position"][:n] + params["type"][0]
    return layer_norm(X, params["gamma"], params["beta"])
    ### END SOLUTION


# %% check: embed_tokens
check("embed_tokens", embed_tokens)

# %% [markdown]
# The model is that of lessons 3, 4 and 6: four of the six layers of all-MiniLM-L6-v2. PyTorch ran it on a few sentences,
# and what came out is stored. Do your rows agree?

# %%
embed = yours("embed_tokens", embed_tokens)
minilm = load_minilm()
model, stored = minilm.model, load_minilm_outputs()[1]
ids = minilm.tokenizer.ids(stored.tokens)
for token, number in list(zip(stored.tokens, ids))[:5]:
    print(f"{token:6} is row {number}")

difference = np.abs(embed(ids, model["embeddings"]) - stored.hidden[0]).max()
print(f"{embed.whose} rows {stored.hidden[0].shape} agree with PyTorch's:", difference < 1e-3)

# %% [markdown]
# ## Thinking alone: the feed-forward net
#
# Attention moves information *between* tokens. What it has brought must be worked on, at each token by itself: one
# matrix to a wider row, a bend, and one matrix back.
#
# $$\text{net}(\underset{(n,\,d)}{X}) = \text{GELU}(X\underset{(d,\,m)}{W_1} + \underset{(m,)}{b_1})\,
# \underset{(m,\,d)}{W_2} + \underset{(d,)}{b_2}$$
#
# Without the bend two matrices would be one. GELU lets large numbers through and stops negative ones, softly:
# x times the share of a normal distribution (the bell curve) that lies below x. That share is ½ (1 + erf(x / √2)), where
# erf, the *error function*, is one of those in Python's `math`.

# %%
x = np.linspace(-4, 4, 33)
erf = np.vectorize(math.erf)  # a function of one number, made to serve arrays; NumPy has none
bends = {"GELU": x / 2 * (1 + erf(x / math.sqrt(2))), "max(x, 0), ReLU": np.maximum(x, 0)}
by_tanh = x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
off = np.abs(by_tanh - bends["GELU"]).max()
print(f"a formula with tanh comes near, but is off by up to {off:.4f}")
plots.lines(x, bends, "Two bends", "x", "what comes out")

# %% [markdown]
# **Write `feed_forward`**, with the exact GELU: the model was trained with it, not with tanh.


# %% answer: feed_forward
def feed_forward(X, W_1, b_1, W_2, b_2):
    """X (..., n, d), W_1 (d, m), b_1 (m,), W_2 (m, d), b_2 (d,) → (..., n, d), exact GELU in between.

    Arrays may hold whole numbers, and stay as they were.
    """
    ### BEGIN SOLUTION
    H = X @ W_1 + b_1  # (..., n, m)
    H = H / 2 * (1 + np.vectorize(math.erf)(H / math.sqrt(2)))
    return H @ W_2 + b_2
    ### END SOLUTION


# %% check: feed_forward
check("feed_forward", feed_forward)

# %% [markdown]
# **Quiz.** A layer has width d = 1,024 and an inner width of 4 · d. Of its matrices, which part holds more numbers?
#
# * a: Attention: it has four matrices, the feed-forward net only two.
# * b: Both the same, about 4 million.
# * c: The feed-forward net: twice as many as attention.
# * d: It depends on the number of heads.

# %% answer: answer_parameters
answer_parameters = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_parameters = "c"
### END SOLUTION

# %% check: answer_parameters
check("answer_parameters", answer_parameters)

# %% [markdown]
# ## The layer
#
# Two blocks, attention and the net, and one pattern for both: what the block finds is **added** to what it was given,
# then normed. A token keeps what it was, and each block writes a change onto it.
#
# $$\underset{(n,\,d)}{X'} = \text{norm}_1(\underset{(n,\,d)}{X} + \text{attention}(X)) \qquad
# \underset{(n,\,d)}{\text{output}} = \text{norm}_2(X' + \text{net}(X'))$$

# %%
plots.plan(["attention", "add", "layer\nnorm", "feed-\nforward", "add", "layer\nnorm"],
           rounds=[(0, 1), (3, 4)], shapes=["(n, d)"] * 7, title="An encoder layer")

# %% [markdown]
# Attention is lesson 6's with one thing more: each product has a **bias**, a row that is added.
#
# | step | formula | shape |
# |---|---|---|
# | ask, be found, hand over | Q = X W_q + b_q, K = X W_k + b_k, V = X W_v + b_v | (n, d) each |
# | into heads | `split_heads` of each | (h, n, d/h) |
# | look and mix | `scaled_dot_product_attention(Q, K, V, mask)` | (h, n, d/h), weights (h, n, n) |
# | together again | `merge_heads`, then W_o and b_o | (n, d) |
#
# **Write `encoder_layer`.**


# %% answer: encoder_layer
def encoder_layer(X, params, n_heads, mask=None):
    """X (..., n, d) → (output (..., n, d), weights (..., h, n, n)).

    params by name: W_q b_q W_k b_k W_v b_v W_o b_o gamma_1 beta_1 W_1 b_1 W_2 b_2 gamma_2 beta_2;
    matrices are used as X @ W. Norms have eps 1e-12. mask: bool, True where a token may look, for
    all heads or (h, n, n) for each its own. X and params may hold whole numbers, and stay as they were.
    """
    ### BEGIN SOLUTION
    p = params
    Q, K, V = (split_heads(X @ p[f"W_{role}"] + p[f"b_{role}"], n_heads) for role in "qkv")
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)
    attended = merge_heads(heads) @ p["W_o"] + p["b_o"]
    X = layer_norm(X + attended, p["gamma_1"], p["beta_1"])
    changed = feed_forward(X, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    return layer_norm(X + changed, p["gamma_2"], p["beta_2"]), weights
    ### END SOLUTION


# %% check: encoder_layer
check("encoder_layer", encoder_layer)

# %% [markdown]
# **Quiz.** Somebody loses one of the four biases of attention, sets it to zero, and finds that no output of the model
# changes. Which one was it?
#
# * a: b_q, the queries' bias.
# * b: b_k, the keys' bias.
# * c: b_v, the values' bias.
# * d: b_o, the bias after W_o.

# %% answer: answer_bias
answer_bias = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_bias = "b"
### END SOLUTION

# %% check: answer_bias
check("answer_bias", answer_bias)

# %% [markdown]
# ## The model
#
# Embed, then layer after layer, each on what the one before it made. No mask: this model reads the whole sentence at
# once. **Write `encode`.**


# %% answer: encode
def encode(ids, model):
    """ids: n whole numbers → (n, d), the last layer's output.

    model: "embeddings" (the params of embed_tokens), "layers" (a list of params), "n_heads".
    """
    ### BEGIN SOLUTION
    X = embed_tokens(ids, model["embeddings"])
    for params in model["layers"]:
        X, _ = encoder_layer(X, params, model["n_heads"])
    return X
    ### END SOLUTION


# %% check: encode
check("encode", encode)

# %% [markdown]
# Now the question of this lesson. Twenty sentences went through PyTorch's own implementation of this model, with the
# same weights, in single precision: numbers of about seven digits. How far away is yours?

# %%
agree = predict("The largest difference between any number of your last layer and PyTorch's is …",
                "less than 0.00001", "about 0.001", "about 0.1")

# %%
run = yours("encode", encode)
largest, numbers, typical = 0.0, 0, []
for sentence in load_minilm_last_layers():
    mine = run(minilm.tokenizer.ids(sentence.tokens), model)
    largest = max(largest, np.abs(mine - sentence.hidden).max())
    numbers += mine.size
    typical.append(np.abs(mine).mean())
print(f"{run.whose} encode: {numbers:,} numbers, {np.mean(typical):.1f} in size on average")
agree.compare("less than 0.00001" if largest < 1e-5 else
              "about 0.001" if largest < 1e-2 else "about 0.1")

# %% [markdown]
# What is left is rounding: PyTorch counted with seven digits, NumPy with sixteen. The line above, and the one at the top
# about earlier lessons, say whose code it was. If all was yours, then from ids to the last layer nothing but your own
# functions ran, and NumPy below them.
#
# ## Into the layers
#
# Pick a token and step through the layers. On the left, where it looks; in the middle, which words of 108 other
# sentences have the nearest vectors; on the right, what its vector is made of. **Try:** at which layer do the neighbours
# of *apple* in the first sentence stop being companies? And *bank*?

# %%
layer = yours("encoder_layer", encoder_layer)
explore.token_path(encoder_layer=layer)

# %% [markdown]
# Even after four layers the largest share of *apple* is its own word: blocks write changes onto what is there.
#
# ## What it is good for: two meanings
#
# Lesson 3 asked whether vectors tell two senses of a word apart, on 108 sentences. Here is the answer from layers that
# run on your code.

# %%
def states(text):
    """Tokens of a text, and its rows after the embeddings and after each layer."""
    tokens = minilm.tokenizer(text)
    hidden = [embed(minilm.tokenizer.ids(tokens), model["embeddings"])]
    for params in model["layers"]:
        hidden.append(layer(hidden[-1], params, model["n_heads"])[0])
    return tokens, hidden


texts = [text for senses in measure.SENSES.values() for group in senses.values() for text in group]
kept = {text: states(text) for text in texts}

# %%
def of_layer(number):
    def vectors(text, word):
        tokens, hidden = kept[text]
        return [hidden[number][i] for i in measure.occurrences(word, tokens)]

    return vectors


told_apart = [measure.accuracy(of_layer(number)) for number in range(5)]
print("told apart, layer by layer:", ", ".join(f"{share:.2f}" for share in told_apart))
plots.lines(range(5), {"your layers": told_apart, "chance": [0.5] * 5},
            "Two senses of a word told apart", "layer", "share of 108 sentences", limits=(0, 1))

# %% [markdown]
# Layer 0 has the word and its position, no context, and is near a coin. One layer of attention is enough for most of them.

# %% [markdown] own words: what_adds_up 3
# **In your own words.** A friend says: "Attention is all you need, so the rest of a layer is decoration." In four or
# five sentences: what would be lost without positions, without adding the input back, and without the net between?
# Name one thing of this lesson that you measured. (Marked by hand, 3 points.)
#
# ### BEGIN MARK SCHEME
# One point: without positions a layer gives the same rows in another order, so who did what to whom is lost. One point:
# without the residual each block would have to hand the whole token on; added, it writes a change onto what is there (the
# last vector is a sum in which the word itself has the largest share). One point: attention only mixes rows linearly
# for given weights, the net bends each token by itself and holds two thirds of the matrices' numbers; and a measurement
# of the notebook is named.
# ### END MARK SCHEME

# %% [markdown]
# ## What was left out
#
# * **Training.** These weights took a large collection of text and many processors. Your code runs them; the
#   gradients that made them were written out by hand only for the small models of lessons 2 and 6.
# * **Two of its six layers**, and most of its tokens: they were cut to keep the course small. What the cut costs is
#   measured in the course's tests.
# * **Batches with padding**: sentences of unlike length in one array need a mask, which `encoder_layer` takes.
# * **The tokenizer**, which cuts rare words into pieces, was given.
#
# Where to go on: the 2017 paper (*Attention Is All You Need*) can now be read from its first page to its last; BERT's
# (Devlin et al. 2019) says how weights like these are trained.
#
# ## What you can do now
#
# * `sinusoidal_positions`: give each position a row, and say why waves.
# * `layer_norm`: bring every token back to mean 0 and variance 1.
# * `embed_tokens`: turn ids into the first rows of a model.
# * `feed_forward`: work on each token by itself, with the exact GELU.
# * `encoder_layer`: two blocks, each added and normed.
# * `encode`: run a published model on your own code, and prove that it is the same.
#
# **Next.** This model reads. Hide the future, and the same layer learns to write: lesson 8.

# %% [markdown]
# ## Going further
#
# Not graded, and not counted in the time above.
#
# ### A vector is a sum
#
# The explorer's column on the right holds because a layer only ever **adds**. A norm divides each row by one number, and
# that number divides every part of a sum alike. So a token's last vector is a sum of what each block put in:

# %%
ids = minilm.tokenizer.ids(stored.tokens)
terms = residual_stream.contributions(ids, model)
off = np.abs(sum(terms.values()) - run(ids, model)).max()
print("the terms add up to the last layer:", off < 1e-5)
made_of = residual_stream.shares(terms, stored.tokens.index("apple"))
plots.bars(made_of, "What apple's last vector is made of, in shares along it")

# %% [markdown]
# This is called the **residual stream**: a row that flows through, on which every block writes. After four layers the
# largest part of *apple* is still its own word. (Shares say how much lies along the final vector, not how important it is.)
#
# ### Search by meaning
#
# A sentence's vector: the mean of its tokens' rows. Change the question, and run it again. The course's 150 sentences are
# what is searched.

# %%
def sentence_vector(text):
    return run(minilm.tokenizer.ids(minilm.tokenizer(text)), model).mean(axis=0)


library = {text: sentence_vector(text) for text in search.TEXTS}

# %%
question = "animals that fly in the night"
by_question = sentence_vector(question)
for name, vector in [("your model", lambda text: library.get(text, by_question)),
                     ("average of GloVe", search.averaged_glove)]:
    print(name)
    for found in search.nearest_texts(question, search.TEXTS, vector, k=3):
        print(f"   {found.cosine:.2f}  {found.text}")

# %% [markdown]
# A fair test, as in lesson 3: for each of the 108 sentences, is the nearest other one with the same word about the same
# sense? (By chance 5 of 11. The model was trained to put sentences of like meaning side by side, but all six of its
# layers; you run four.)

# %%
better = predict("Which finds the right sense more often?",
                 "the model", "the average of GloVe", "both alike")

# %%
by_model = search.same_sense_share(library.__getitem__)
by_glove = search.same_sense_share(search.averaged_glove)
alike = abs(by_model - by_glove) < 0.02
better.compare("both alike" if alike else
               "the model" if by_model > by_glove else "the average of GloVe")
plots.bars({"your model": by_model, "average of GloVe": by_glove, "chance": 5 / 11},
           "Nearest sentence has the same sense", limits=(0, 1))

# %% [markdown]
# ### Queries from one text, keys and values from another
#
# The 2017 model was made for translation: an **encoder** like yours reads German, a **decoder** writes English, and each
# English word asks the German ones. Queries come from one text, keys and values from the other: **cross-attention**.
# Nothing in your function forbids it: there may be as many queries as you like.
#
# $$\text{softmax}\left(\underset{(n_q,\,d_k)}{Q}\;\underset{(d_k,\,n_k)}{K^T} / \sqrt{d_k}\right)
# \underset{(n_k,\,d_v)}{V} \;\to\; (n_q, d_v)$$

# %%
def rows_of(text):
    tokens, hidden = kept.get(text) or states(text)
    return list(tokens)[1:-1], norm(hidden[3][1:-1], 1.0, 0.0)


ask, Q = rows_of("He ate fruit.")
told, K = rows_of("I ate an apple after lunch.")
output, weights = scaled_dot_product_attention(Q, K, K)
print("Q", Q.shape, " K and V", K.shape, " → output", output.shape, " weights", weights.shape)
plots.heatmap(weights, ask, told, "Rows ask, columns answer: two sentences")

# %% [markdown]
# *he* finds *i*, and *fruit* finds *apple*: here with the raw rows of layer 3, as in lesson 3. In a trained decoder
# W_q, W_k and W_v stand before it, and each layer has such a block between its own attention and its net.
