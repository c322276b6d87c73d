# %% [markdown]
# # 8 · Your code writes
#
# **Can what I wrote write?**
#
# By the end you will have turned last lesson's layer into a language model that writes: predict the next word, draw
# one, append it, repeat. You will know how well it predicts, what makes it quick, and what it cannot do. It takes about
# 80 minutes. Stuck? `hint("decode")` helps, and so for every exercise.

# %%
from time import perf_counter

import numpy as np

from autograde import check, earlier, hint, predict, yours
from course_utils import embedding_space, multi_head, polysemy, query_key_value, scaling, transformer
from course_utils.datasets import load_decoder
from course_utils.experiments import asked, cache_work, held_out, repeats, word_order
from course_utils.explorers import decoder as explore
from course_utils.figures import plots

# %% [markdown]
# ## What you bring along
#
# All of the model's parts are yours already: softmax since lesson 2, the mask since lesson 4, attention and heads since 5
# and 6, the layer since 7. The next cell takes each that passes its check from the notebooks that you saved.

# %%
(softmax, mix, causal_mask, scaled_dot_product_attention, split_heads, merge_heads,
 previous_token_score, layer_norm, feed_forward, encoder_layer) = earlier(
    embedding_space.softmax, polysemy.mix, query_key_value.causal_mask,
    scaling.scaled_dot_product_attention, multi_head.split_heads, multi_head.merge_heads,
    multi_head.previous_token_score, transformer.layer_norm, transformer.feed_forward,
    transformer.encoder_layer)

# %% [markdown]
# ## Hide the future
#
# A model that writes sees only what is there so far. So in training it must not look ahead either: lesson 4's **causal mask**.
# All else in the layer stays as you wrote it.
#
# This model was trained for the course, on the entries of a dictionary (WordNet). It reads **pieces**: frequent words whole,
# rare ones cut, where ## means "joined to the one before". [CLS] begins every text.

# %%
language = load_decoder()
model, vocabulary = language.model, np.array(language.tokenizer.vocab)
ids = language.ids("The weather today is really")
print(vocabulary[ids].tolist())
print(f"{len(vocabulary):,} pieces, {len(model['layers'])} layers, "
      f"{language.figures['parameters']:,} numbers that training set")

# %% [markdown]
# On the way in, a row for the piece plus one for its position, then layer norm (no type row here). On the way out, the
# last layer's rows meet **the same word table** E in dot products: for each of V pieces a score, its **logit**, to come next.
#
# $$\underset{(n,\,V)}{\text{logits}} = \underset{(n,\,d)}{H}\;\underset{(d,\,V)}{E^T} + \underset{(V,)}{b}$$

# %%
plots.plan(["embed"] + ["layer,\nmasked"] * 4 + ["times\nEᵀ, + b"], rounds=[],
           shapes=["(n,)"] + ["(n, d)"] * 5 + ["(n, V)"], title="A decoder")

# %% [markdown]
# **Write `decode`.**


# %% answer: decode
def decode(ids, model):
    """ids: n whole numbers, at most N → logits (n, V). Row t depends on ids 0 … t only.

    model: "embeddings" with "word" (V, d), "position" (N, d), "gamma" and "beta" (d,); "layers", a list of
    encoder_layer's params; "n_heads"; "bias" (V,). Norms have eps 1e-12.
    """
    ### BEGIN SOLUTION
    tables, n = model["embeddings"], len(ids)
    X = layer_norm(tables["word"][ids] + tables["position"][:n], tables["gamma"], tables["beta"])
    for params in model["layers"]:
        X, _ = encoder_layer(X, params, model["n_heads"], causal_mask(n))
    return X @ tables["word"].T + model["bias"]
    ### END SOLUTION


# %% check: decode
check("decode", decode)

# %% [markdown]
# *The weather today is really ___.* Lesson 4 stopped at this blank. Now your code fills it.

# %%
blank = predict("Will the likeliest piece be a word for weather, such as cold?", "yes", "no")

# %%
run = yours("decode", decode)
p = softmax(run(ids, model)[-1])
ten = np.argsort(-p)[:10]
weather = "cold hot warm cool wet dry bad good nice fine rainy sunny".split()
blank.compare("yes" if vocabulary[ten[0]] in weather else "no")
plots.bars({vocabulary[i]: p[i] for i in ten}, "The weather today is really …", "probability")

# %% [markdown]
# [SEP] ends a line. Nothing is sure, and what this model has read is a dictionary: it rarely speaks of the weather.
#
# ## How well does it predict?
#
# The row of every other token predicts as well: the one after it. So each text tests the model many times. **Loss** is lesson
# 2's mean surprise, −ln p of what really came; row t is held against token t + 1:
#
# $$\text{loss} = \frac{1}{n-1}\sum_{t=0}^{n-2} -\ln \underset{(n,\,V)}{P}[t,\; id_{t+1}]\qquad
# P = \text{softmax}(\text{logits})$$

# %%
for t in range(len(ids) - 1):
    print(f"row {t}, after {language.text(ids[: t + 1])!r:27} must predict", vocabulary[ids[t + 1]])

table = np.array([[0.1, 0.9], [0.3, 0.7], [0.5, 0.5]])
print(table[np.arange(2), [1, 0]])  # row 0, column 1; row 1, column 0

# %% [markdown]
# The last row's next token is not known: it does not count. Logits may be huge, so subtract each row's largest first, and take
# −ln p as ln(Σ e^z) − z[id]: a p that rounds to 0 has no logarithm. **Write `next_token_loss`.**


# %% answer: next_token_loss
def next_token_loss(logits, ids):
    """logits (n, V), ids (n,), n ≥ 2 → float: the mean of −ln softmax(logits[t])[ids[t + 1]].

    t runs from 0 to n − 2. Logits may be as large as 10⁶ in size.
    """
    ### BEGIN SOLUTION
    shifted = logits - np.max(logits, axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return float(-log_p[np.arange(len(ids) - 1), ids[1:]].mean())
    ### END SOLUTION


# %% check: next_token_loss
check("next_token_loss", next_token_loss)

# %% [markdown]
# Three texts, two of them with the same words:

# %%
loss = yours("next_token_loss", next_token_loss)
surprises = {}
for text in ["dog : a small animal with a long tail", "tail long a with animal small a : dog",
             "the weather today is really"]:
    read = language.ids(text)
    surprises[text] = loss(run(read, model), read)
plots.bars(surprises, "Loss of the model on three texts", "nats a piece")

# %% [markdown]
# Backwards, the same words surprise it far more. e to the loss is the **perplexity**: as unsure as a guess among so many
# pieces, all alike.
#
# Now text that it never saw in training. Its rivals count: how often a piece came at all (**unigram**), came after the one
# before it (**bigram**), or after the two before it (**trigram**).

# %%
beaten = predict("Which is best on text that none of them saw?", "unigram", "bigram", "trigram", "decoder")

# %%
unseen = held_out.perplexities()
beaten.compare(min(unseen, key=unseen.get))
plots.bars(unseen, "Perplexity on held-out lines, lower is better", "perplexity", digits=1)

# %% [markdown]
# The more of what came before is read, the better. Counting ends soon, for most long rows of words never came before. The
# decoder reads them all the same: it need not have seen these very words together.
#
# What if the mask is forgotten? Four layers were trained without it, on the same text.

# %%
unmasked = predict("Without the mask, the loss on unseen text will be …",
                   "higher", "about the same", "next to nothing")

# %%
blind, masked = held_out.control("four layers, no mask"), held_out.control("four heads")
many = len(masked.steps)
ratio = blind.loss / masked.loss
unmasked.compare("next to nothing" if ratio < 0.1 else "higher" if ratio > 1.1 else "about the same")
for beginning, text in blind.texts.items():
    print(f"no mask: {beginning!r} is continued to {text!r}")
plots.lines(masked.steps, {"mask, one layer": masked.losses, "none, four layers": blind.losses[:many]},
            "Loss on unseen text while training", "steps", "loss", limits=(0, 7))

# %% [markdown]
# A wonderful loss, and it cannot write one word: it learned to read the answer off the next position, and when it
# writes, nothing stands there yet. **A loss that is too good is a reason to look for a leak.**

# %% [markdown]
# **Quiz.** A colleague's model of prices predicts tomorrow's from the last thirty days. On unseen years it is almost
# never wrong; used this morning for tomorrow, it is no better than a coin. What is the likeliest reason?
#
# * a: It has too few parameters.
# * b: It learned the old years by heart.
# * c: In every test, something of the day after could be read from the input; this morning it could not.
# * d: The temperature is too high.

# %% answer: answer_leak
answer_leak = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_leak = "c"
### END SOLUTION

# %% check: answer_leak
check("answer_leak", answer_leak)

# %% [markdown]
# ## From scores to a choice
#
# Which piece to write? Two knobs. **Temperature** T divides the scores: below 1 the likely gain, above 1 the unlikely.
# **Top-k** keeps the k best and leaves the rest out.
#
# $$p_i = \frac{e^{z_i / T}}{\sum_{j\;\text{kept}} e^{z_j / T}} \;\text{ if } i \text{ is kept, else } 0
# \qquad \underset{(V,)}{z} \to \underset{(V,)}{p}$$

# %%
z = np.array([1.0, 3.0, 2.0])
order = np.argsort(-z, kind="stable")  # ids, the largest score first; of equal ones the smaller id
print(order, order[:2], softmax(z / 0.5).round(2), softmax(z / 2).round(2))

# %% [markdown]
# **Write `next_distribution`.**


# %% answer: next_distribution
def next_distribution(logits, temperature=1.0, top_k=None):
    """logits (V,), temperature > 0 → (V,): softmax(logits / temperature) over the top_k largest.

    Zero elsewhere; top_k None: all are kept. Of equal logits the smaller id is kept first.
    """
    ### BEGIN SOLUTION
    kept = np.argsort(-np.asarray(logits, dtype=float), kind="stable")[:top_k]
    probs = np.zeros(len(logits))
    probs[kept] = softmax(logits[kept] / temperature)
    return probs
    ### END SOLUTION


# %% check: next_distribution
check("next_distribution", next_distribution)

# %%
choose = yours("next_distribution", next_distribution)
z = run(language.ids("the king of"), model)[-1]
best = np.argsort(-z)[:8]
settings = {"T 0.5": (0.5, None), "T 1": (1.0, None), "T 2": (2.0, None), "T 1, top 3": (1.0, 3)}
rows = np.array([choose(z, T, k)[best] for T, k in settings.values()])
plots.heatmap(rows, list(settings), vocabulary[best], "the king of …: the eight likeliest pieces")

# %% [markdown]
# Every row sums to 1 over all pieces; at T 2 most of it has gone to those that are not shown.
#
# To **draw** a piece, lay the probabilities end to end on a line from 0 to 1, and throw a dart at it: the longer a piece,
# the likelier it is hit.

# %%
ends = np.cumsum([0.2, 0.5, 0.3])  # where each ends on the line
dart = np.random.default_rng(0).random()  # a number from 0 to 1
print(ends, round(dart, 2), np.searchsorted(ends, dart, side="right"))  # how many end before it

# %% [markdown]
# **Write `draw`.** All chance comes from `rng`, so that the same seed draws the same piece.


# %% answer: draw
def draw(probs, rng):
    """probs (V,), summing to 1 → an id with these probabilities; one of probability 0 never.

    rng: a numpy.random.Generator.
    """
    ### BEGIN SOLUTION
    ends = np.cumsum(probs)
    return int(np.searchsorted(ends, rng.random() * ends[-1], side="right"))
    ### END SOLUTION


# %% check: draw
check("draw", draw)

# %% [markdown]
# ## Predict, choose, append, repeat
#
# That is all there is to writing. First without chance: always the likeliest. **Write `generate`.**


# %% answer: generate
def generate(ids, n, model):
    """ids: m whole numbers → (m + n,) ids: those given, and n times the likeliest next one.

    Of equally likely ones the smaller id. m + n is at most N, the number of positions.
    """
    ### BEGIN SOLUTION
    ids = list(ids)
    for _ in range(n):
        ids.append(int(np.argmax(decode(ids, model)[-1])))
    return np.array(ids)
    ### END SOLUTION


# %% check: generate
check("generate", generate)

# %%
def told(ids):
    return language.text(ids).replace("\n", " / ")  # [SEP] ends a line


write = yours("generate", generate)
for beginning in ["The weather today is really", "dog :", "he was"]:
    print(told(write(language.ids(beginning), 20, model)))

# %% [markdown]
# It goes round in circles: what was said once is likelier the next time, and always the likeliest never leaves the
# circle. Now with chance, twice at each setting:

# %%
pick, rng = yours("draw", draw), np.random.default_rng(8)


def continued(beginning, n, temperature, top_k):
    ids = list(language.ids(beginning))
    for _ in range(n):
        ids.append(pick(choose(run(ids, model)[-1], temperature, top_k), rng))
    return told(ids)


for T, k in [(0.5, None), (1.0, None), (2.0, None), (0.8, 10)]:
    print(f"temperature {T}, top_k {k}")
    for _ in range(2):
        print("  ", continued("dog : a small", 14, T, k))

# %% [markdown]
# Low: safe and repetitive. High: letters in a heap. In between it has the *form* of a dictionary, hardly ever the truth.
#
# Now type a beginning of your own, and press Enter. On the right, where each head looked from the last piece. **Try:** at
# which temperature does it stop making words?

# %%
explore.writer(decode=run, next_distribution=choose, draw=pick, encoder_layer=encoder_layer)

# %% [markdown]
# **Quiz.** With temperature 1 a model gives three pieces the probabilities 0.5, 0.25 and 0.25. What does temperature
# 0.5 make of them?
#
# * a: 1, 0.5 and 0.5.
# * b: 2/3, 1/6 and 1/6.
# * c: 0.5, 0.25 and 0.25: the order stays.
# * d: 1, 0 and 0.

# %% answer: answer_settings
answer_settings = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_settings = "b"
### END SOLUTION

# %% check: answer_settings
check("answer_settings", answer_settings)

# %% [markdown]
# ## The same words, less work
#
# For every new piece `generate` reads the whole text again. Needlessly: under the mask the earlier rows never change. So
# keep what others need of them, their **keys and values**, and send only the new row through:
#
# $$\underset{(h,\,1,\,t+1)}{\text{weights}} = \text{softmax}\left(\frac{\underset{(h,\,1,\,d_{head})}{q}\;
# \underset{(h,\,d_{head},\,t+1)}{K^T}}{\sqrt{d_{head}}}\right)$$
#
# No mask is needed: everything kept is the past.

# %%
kept_so_far, new = np.zeros((2, 3)), np.array([1, 2, 3])
print(np.vstack([kept_so_far, new]).shape)  # the new row below the others
print(new[None].shape)                      # one row, as a table: split_heads takes tables

# %% [markdown]
# **Write `decode_step`**: last lesson's layer, for one row.


# %% answer: decode_step
def decode_step(x, K, V, params, n_heads):
    """x (d,), the new token's row; K and V (t, d) of earlier tokens, t ≥ 0
    → (output (d,), K (t + 1, d), V (t + 1, d)).

    The output is the last row of encoder_layer on all t + 1 rows under a causal mask. K and V hold
    whole rows, biases added, not yet split into heads. Those that came in stay as they were.
    """
    ### BEGIN SOLUTION
    p = params
    q, k, v = (x @ p[f"W_{role}"] + p[f"b_{role}"] for role in "qkv")
    K, V = np.vstack([K, k]), np.vstack([V, v])
    heads, _ = scaled_dot_product_attention(*(split_heads(part, n_heads) for part in (q[None], K, V)))
    attended = merge_heads(heads)[0] @ p["W_o"] + p["b_o"]
    x = layer_norm(x + attended, p["gamma_1"], p["beta_1"])
    changed = feed_forward(x[None], p["W_1"], p["b_1"], p["W_2"], p["b_2"])[0]
    return layer_norm(x + changed, p["gamma_2"], p["beta_2"]), K, V
    ### END SOLUTION


# %% check: decode_step
check("decode_step", decode_step)

# %%
step, tables = yours("decode_step", decode_step), model["embeddings"]


def read_one(piece, position, kept):
    """One piece through all layers; kept, a (K, V) for each layer, grows by a row. → logits (V,)"""
    x = layer_norm(tables["word"][piece] + tables["position"][position], tables["gamma"], tables["beta"])
    for number, params in enumerate(model["layers"]):
        K, V = kept[number]
        x, K, V = step(x, K, V, params, model["n_heads"])
        kept[number] = K, V
    return tables["word"] @ x + model["bias"]


# %%
def write_with_cache(ids, n):
    nothing = np.zeros((0, len(tables["gamma"])))  # no row yet
    kept, ids = [(nothing, nothing) for _ in model["layers"]], list(ids)
    for position in range(len(ids) + n - 1):
        logits = read_one(ids[position], position, kept)
        if position + 1 == len(ids):
            ids.append(int(logits.argmax()))
    return ids


begun = language.ids("dog : a small")
written = write_with_cache(begun, 14)
print(told(written))
print("what generate writes:", written == write(begun, 14, model).tolist())

# %%
longest = len(tables["position"])
saved = predict(f"To write {longest} pieces, the work shrinks by a factor of about …", 2, 5, 25, 1000)

# %%
lengths = [1, 5, 10, 20, 30, 40, longest]
gains = [cache_work.gain(n, model) for n in lengths]
saved.compare(gains[-1])
plots.lines(lengths, {"whole text each time / cache": gains}, "How many times less work, with a cache",
            "pieces written", "times less", limits=(0, gains[-1] + 1))

# %% [markdown]
# Counted are multiplications. The gain is about half the length: a pass over n rows, against one over a single row. On the
# clock you gain less here, for Python's own steps take as long for one row as for many:

# %%
def seconds(writer, n):
    start = perf_counter()
    writer(begun, n)
    return perf_counter() - start


n = longest - len(begun)
whole = seconds(lambda ids, n: write(ids, n, model), n)
print("quicker on the clock, too:", seconds(write_with_cache, n) < whole)

# %% [markdown]
# Language models in daily use keep such a cache; it is what fills the memory when texts are long.

# %% [markdown]
# **Quiz.** Could an encoder without a mask, such as lesson 7's, keep the keys and values of a text when one more word
# is added at its end?
#
# * a: Yes, of all layers.
# * b: Only those of the first layer.
# * c: No, of none.
# * d: Only the values.

# %% answer: answer_cache
answer_cache = None  # "a", "b", "c" or "d"
### BEGIN SOLUTION
answer_cache = "b"
### END SOLUTION

# %% check: answer_cache
check("answer_cache", answer_cache)

# %% [markdown]
# ## Can it copy?
#
# Large models have heads that copy: at a word that stood before, they look at **what followed it last time**. Such
# *induction heads* (Olsson et al. 2022) are held to be why a model can use what stands in your question. A test: random
# words, given twice.

# %%
twice = "cup moon tree cup moon tree".split()
n = len(twice) // 2
for i in range(n - 1):
    print(f"token {n + i}, {twice[n + i]!r}, should look at token {i + 1}, {twice[i + 1]!r}")

# %% [markdown]
# **Write `induction_score`**: the mean of those weights, for each head.


# %% answer: induction_score
def induction_score(weights):
    """weights (h, 2n, 2n), n ≥ 2, of a text of n tokens given twice → (h,).

    The mean weight that token n + i gives to token i + 1, over i = 0 … n − 2.
    """
    ### BEGIN SOLUTION
    weights = np.asarray(weights)
    n = weights.shape[-1] // 2
    i = np.arange(n - 1)
    return weights[:, n + i, i + 1].mean(axis=-1)
    ### END SOLUTION


# %% check: induction_score
check("induction_score", induction_score)

# %%
def weights_of(ids):
    """Each layer's weights (h, n, n)."""
    X = layer_norm(tables["word"][ids] + tables["position"][: len(ids)], tables["gamma"], tables["beta"])
    found = []
    for params in model["layers"]:
        X, weights = encoder_layer(X, params, model["n_heads"], causal_mask(len(ids)))
        found.append(weights)
    return found


# %%
copies = predict("Does one of this small model's 16 heads copy?", "yes, one at least", "none")

# %%
score = yours("induction_score", induction_score)
pairs = repeats.random_texts(language, np.random.default_rng(8))
copying = repeats.mean_scores([twice for twice, _ in pairs], weights_of, score)
even = repeats.even_score()
copies.compare("yes, one at least" if copying.max() > 5 * even else "none")
print(f"the best of 16: {copying.max():.3f}; a head that looks everywhere alike: {even:.3f}")
layers, heads = ([f"{kind} {number}" for number in range(1, 5)] for kind in ("layer", "head"))
plots.heatmap(copying, layers, heads, "Induction score of each head")

# %% [markdown]
# And what comes of it: how surprising are the words the first time, and how surprising the same words again?

# %%
surprise = repeats.surprise(pairs, lambda ids: run(ids, model), loss)
plots.bars({"first time": surprise.first, "the same words again": surprise.again,
            "other words in their place": surprise.others}, "Loss on random words", "nats a word")

# %% [markdown]
# The same words again are hardly less surprising than others in their place: no head looks back for them. Larger models learn
# it, quite suddenly, somewhere in training (Olsson et al.). Perhaps this one is too small, or its dictionary too seldom says a
# thing twice: that was not measured.

# %% [markdown]
# ## What two million numbers cannot do
#
# One word is right. At which rank of the list does it stand? (1 is the likeliest; the median is the middle one of six.)

# %%
for kind, questions in asked.QUESTIONS.items():
    answers = asked.answers(questions, lambda ids: run(ids, model), language)
    print(f"{kind}: median rank of the right word {asked.median_rank(answers):.0f}")
    for a in answers[:3]:
        print(f"   {a.beginning} ___   {a.right}: rank {a.rank:,}; it says {a.said!r}")

# %% [markdown]
# It has the form of its dictionary, little of the world in it, and what was said before helps it little. No line of your code is
# to blame: it had one book to read, and few numbers to keep it in. How many do others have?

# %%
sizes = {"yours": language.figures["parameters"], "GPT-1, 2018": 117e6, "GPT-2, 2019": 1.5e9,
         "GPT-3, 2020": 175e9}
for name, size in sizes.items():
    print(f"{name:12} {size:15,.0f} numbers, {size / sizes['yours']:8,.0f} times yours")

# %% [markdown]
# All are stacks of masked layers like yours. What size and text bought, as their authors report it: GPT-2 writes paragraphs
# that keep to their topic (Radford et al. 2019). GPT-3 takes up a task from a few examples in its prompt, and adds numbers of
# two digits (Brown et al. 2020). The loss falls smoothly with size, text and computing (Kaplan et al. 2020). None of this
# makes what is written true.

# %% [markdown] own words: what_it_knows 3
# **In your own words.** A friend reads two lines that this model wrote: "It understands English; it only needs a lower
# temperature." In four or five sentences: what was it trained to do, and why under a mask? What would a lower temperature
# change, and what not? Name a measurement that speaks for or against *understands*. (Marked by hand, 3 points.)
#
# ### BEGIN MARK SCHEME
# One point: it was trained to give the piece that really came next a high probability, and the mask keeps it from reading
# that piece off the next position (without it the loss is next to nothing and nothing can be written). One point:
# temperature only sharpens or flattens the same scores, so a lower one makes safer, more repetitive text; it adds no
# knowledge, and the order of the pieces stays. One point: a measurement is named and used rightly, such as rank 1 for the form
# of a definition against far-off ranks for facts, the perplexity beside a trigram's, the repeat test, or greedy text that
# goes in circles.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `decode`: run a stack of layers under a mask, and score every piece as the next one.
# * `next_token_loss`: say how well a model predicts, and smell a loss that is too good.
# * `next_distribution`: turn scores into chances, by temperature and top-k.
# * `draw`: throw the dart.
# * `generate`: write, a piece at a time.
# * `decode_step`: write the same with a cache, and far less work.
# * `induction_score`: ask each head whether it copies.
#
# **Where to go on.** From a feature table for a dog to a model that writes, nearly every part was code of your own.
# What is left is how such weights are found: training with automatic gradients, in a library such as PyTorch. The
# recipe of this model, `course_utils/data/recipes/decoder.py`, runs on one processor. And the papers named above: you
# know their parts.

# %% [markdown]
# ## Going further
#
# Not graded, and not counted in the time above.
#
# ### Order without positions
#
# Lesson 7: without positions, attention cannot tell order. Does that hold under a mask? Shuffle the words before the last
# one, and see how much of the probability of the next piece moves: 0 none, 1 all.

# %%
notices = predict("Without positions, which can still notice the order of the words before?",
                  "neither one layer nor four", "only the four layers", "both")

# %%
bare = word_order.without_positions(model)
four = {"four layers, positions": model, "four layers, none": bare}
one = {name.replace("four layers", "one layer"): word_order.first_layer(m) for name, m in four.items()}
moved = {}
for name, each in (four | one).items():
    moved[name] = word_order.noticed(lambda ids, m=each: run(ids, m), language, np.random.default_rng(0))
seen = [moved[name] > 1e-9 for name in ("four layers, none", "one layer, none")]
notices.compare("both" if all(seen) else "only the four layers" if seen[0] else "neither one layer nor four")
plots.bars(moved, "What moves when the words before change places", "share of probability", limits=(0, 1))

# %% [markdown]
# One layer sees a bag of words. But under a mask the second word has one before it and the third has two: after a layer their
# rows differ by that, and the next layer can use it. Order leaks in through the mask (Haviv et al. 2022).
#
# And models of one layer that were trained without:

# %%
whole, *others = held_out.lacking().items()
plots.bars({name: value - whole[1] for name, value in others},
           f"What a layer's loss changes by ({whole[1]:.2f} with both)", "nats a piece", digits=3)

# %% [markdown]
# Above 0 is worse. In so short a training positions are no help to a single layer. Dividing by √d_k is: lesson 5, on real
# text.
#
# ### The staircase, on real text
#
# Lesson 6 climbed from the last word to several heads on made-up sentences. Here are models of one layer, on the dictionary:

# %%
stages = held_out.stages()
alone = stages.pop("last word only")
plots.bars({name: alone - value for name, value in stages.items()},
           f"Loss saved, against the last piece only ({alone:.2f})", "nats a piece", digits=3)

# %% [markdown]
# Each step helps, and each only a little: in so short a training most of what is learned lies in the last piece.
#
# ### Who looks at the piece before?

# %%
texts = [language.ids(text) for text in word_order.TEXTS]
previous = repeats.mean_scores(texts, weights_of, previous_token_score)
plots.heatmap(previous, layers, heads, "Mean weight on the piece before")
