# %% [markdown]
# # 6 · Several looks at once
#
# **Why many small looks instead of one large one?**
#
# By the end you will have split attention into **heads**, several small looks side by side, and put them together
# again; trained small models that show what each step of this course has bought; and looked into the heads of a real
# model. It takes about 75 minutes.

# %%
import numpy as np

from autograde import check, hint, yours
from course_utils import datasets, heads, ladder, ladder_sentences, ladder_training, plots, pronouns
from course_utils.explorers import multi_head as explore
from course_utils.letters import lettered
from course_utils.scaling import scaled_dot_product_attention

# %% [markdown]
# ## One look cannot be in two places
#
# Each query has one set of weights, and they sum to 1. Here is a sentence that asks for two words. It names four
# people, the place of each right after the name, then *and* and a fifth person.

# %%
TWO = ladder_sentences.KINDS.index("two facts")
example = ladder_sentences.sentences(1, np.random.default_rng(2), TWO)
words, wanted = (ladder_sentences.decode(ids[0]) for ids in (example.ids, example.answers))
name = words.split()[-1]

print(words, "→", wanted)
print(f"{name}'s friend is {ladder_sentences.FRIEND[name]}, {name}'s rival is {ladder_sentences.RIVAL[name]}")

# %% [markdown]
# Wanted are where the friend is, then where the rival is. Who is whose friend never changes, so it can be learned. But
# to answer, the last word has to look at two words of the sentence at once.

# %% [markdown]
# Two small models learn such sentences, and four easier kinds that you will meet below. In both, the last word looks
# once at all ten, and predicts the next two from itself and what it found. Each word's vector also holds its position,
# and half of the vector of the word before: so *barn* knows whose place it is.
#
# **Predict, then run.** The models differ only in the number of heads. How will the single head divide its weight?
# (Some seconds; a bar shows how far training is, then the share of new sentences of all kinds that come out right.)

# %%
guess = None  # "all on the friend", "half and half" or "all over the sentence"

STEPS = 600
training, test = ladder_training.data(seed=0)
trained = {name: ladder_training.train(ladder.Heads(n), training, test, steps=STEPS, label=name)
           for name, n in [("one head", 1), ("two heads", 2)]}

# %%
def weight_on(places, ids, model):
    """The weight that each head gives to each of the places, mean over B sentences: (h, places)."""
    there = ids[:, None] == places[:, :, None]  # (B, places, n): where each place stands in its sentence
    weights = model.predict(ids)[1]  # (B, h, n)
    return (weights[:, :, None] * there[:, None]).sum(axis=-1).mean(axis=0)


ids, answers = test.ids[test.kinds == TWO], test.answers[test.kinds == TWO]
for name, result in trained.items():
    for i, (friend, rival) in enumerate(weight_on(answers, ids, result.model), start=1):
        print(f"{name}, head {i}: {friend:.1f} on the friend's place, {rival:.1f} on the rival's")

# %% [markdown]
# These are means over all test sentences with two facts. The single head shares itself out, and what it hands over is a
# mixture of both places. Two heads divide the work: one looks mostly for the friend, the other for the rival. What is
# that worth?

# %%
for name, result in trained.items():
    right = (result.model.predict(ids)[0].argmax(axis=-1) == answers).mean(axis=0)
    print(f"{name:9} first word right {right[0]:.2f}   second word right {right[1]:.2f}")
    assert (right > 0.9).tolist() == [True, name == "two heads"]

# %% [markdown]
# One head gets the first word and mostly misses the second: the mixture does not tell which place is whose. Now see it
# sentence by sentence. **Try:** does one head get both words right in any of them? And two heads, or four?

# %%
trained["four heads"] = ladder_training.train(ladder.Heads(4), training, test, steps=STEPS, label="four heads")
explore.toy({1: trained["one head"].model, 2: trained["two heads"].model, 4: trained["four heads"].model})

# %% [markdown]
# **Quiz.** One head must find two facts at once, in two different places. What can it do?
#
# * a: Give both places a weight of 1.
# * b: Share its weight between the two places, and hand over a mixture of what lies there.
# * c: Look at one place now and at the other in the next step.

# %% answer: answer_two_places
answer_two_places = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_two_places = "b"
### END SOLUTION

# %% check: answer_two_places
check("answer_two_places", answer_two_places)

# %% [markdown]
# ## Cutting the width into heads
#
# Where do several heads come from? From the width we have: the d numbers of each token are cut into h pieces, one for
# each of h heads, d/h numbers wide. On letters first: n = 2 tokens, a and b, of d = 4 entries each, for h = 2 heads.
# (Heads are counted from 0 here, as NumPy counts.)

# %%
X = np.array([["a1", "a2", "a3", "a4"],
              ["b1", "b2", "b3", "b4"]])

print("head 0 should see", X[:, :2].tolist())
print("head 1 should see", X[:, 2:].tolist())

# %% [markdown]
# As one array, this has the shape (h, n, d/h) = (2, 2, 2). `reshape` gives an array any shape that holds as many
# entries, so it is tempting to ask for this one. **Predict:** what will head 0, the first block, get?

# %%
guess = None  # "a1 a2 / b1 b2" or something else?

print(X.reshape(2, 2, 2))

# %% [markdown]
# Head 0 got all of token a, and head 1 all of token b. `reshape` keeps the reading order, row by row. The shape is
# right, nothing complains, and each head takes the halves of one token for two tokens.

# %% [markdown]
# **Write `split_heads`**: X (..., n, d) → (..., h, n, d/h), where h is `n_heads`. First cut each token's row in place:
# (..., n, h, d/h). Then let the axes of tokens and heads change places. If h does not divide d, raise `ValueError`.


# %% answer: split_heads
def split_heads(X, n_heads):
    """X (..., n, d) → (..., h, n, d/h): head i holds columns i·d/h to (i+1)·d/h − 1 of every token."""
    ### BEGIN SOLUTION
    *batch, n, d = X.shape
    if d % n_heads:
        raise ValueError(f"{n_heads} heads do not divide a width of {d}")
    pieces = X.reshape(*batch, n, n_heads, d // n_heads)  # (..., n, h, d/h)
    return np.swapaxes(pieces, -2, -3)  # (..., h, n, d/h)
    ### END SOLUTION


# %% check: split_heads
check("split_heads", split_heads)

# %%
split = yours("split_heads", split_heads)
for i, head in enumerate(split(X, 2)):
    print(f"head {i}:", head.tolist())

# %% [markdown]
# A picture of both: each token keeps its colour, each entry its letters. On the left what `split_heads` gives, on the
# right the scrambled version.

# %%
lettered({"split_heads": split(X, 2), "reshape alone": X.reshape(2, 2, 2)},
         "Two heads of two tokens, right and scrambled")

# %% [markdown]
# **Write `merge_heads`**, the inverse: H (..., h, n, d_head) → (..., n, h · d_head). Here d_head = d/h is the width of
# one head. Again the axes change places first: a reshape alone would scramble.


# %% answer: merge_heads
def merge_heads(H):
    """H (..., h, n, d_head) → (..., n, h · d_head): each token's pieces side by side, head 0 first."""
    ### BEGIN SOLUTION
    *batch, h, n, d_head = H.shape
    return np.swapaxes(H, -2, -3).reshape(*batch, n, h * d_head)
    ### END SOLUTION


# %% check: merge_heads
check("merge_heads", merge_heads)

# %%
merge = yours("merge_heads", merge_heads)
print("there and back again:", np.array_equal(merge(split(X, 2)), X))

# %% [markdown]
# **Quiz.** X has shape (n, d). Why is `X.reshape(h, n, d // h)` not the same as `split_heads(X, h)`?
#
# * a: It reads the numbers in another order: the first head would get whole tokens, not a part of each.
# * b: It has another shape.
# * c: reshape changes the numbers.

# %% answer: answer_reshape
answer_reshape = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_reshape = "a"
### END SOLUTION

# %% check: answer_reshape
check("answer_reshape", answer_reshape)

# %% [markdown]
# ## Attention by several heads
#
# Four steps, and you have written each of them: **project** X to Q, K and V with the whole width, **split** each into
# heads, let each head **attend**, **merge**. Only one thing is new: a fourth matrix, W_o (o for output), multiplies what
# comes out, so that the findings of the heads mix.

# %% [markdown]
# The heads are one more axis in front: `scaled_dot_product_attention` treats it like a batch, so one call serves all
# heads. It divides by √d_head, since that is the width d_k of its queries and keys now.

# %%
Q = split(np.arange(24.0).reshape(3, 8), 2)
output, weights = scaled_dot_product_attention(Q, Q, Q)
print("Q", Q.shape, "→ output", output.shape, "weights", weights.shape)

# %% [markdown]
# **Write `multi_head_attention`.** X is (..., n, d), the four matrices are (d, d), and `n_heads` divides d. Return two
# things: the output (..., n, d) and the weights (..., h, n, n). You may call `scaled_dot_product_attention`.
#
# The mask goes through to it, and must fit the weights: (n, n) serves all heads, (h, n, n) gives each its own, and with
# a batch the heads' axis comes right before the last two. All else is as in lesson 5, such as zeros where a token may
# look nowhere.


# %% answer: multi_head_attention
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """X (..., n, d), four (d, d) matrices → (output (..., n, d), weights (..., h, n, n)).

    Scores are divided by √d_head. mask: bool, True where a token may look; broadcast against (..., h, n, n).
    """
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))  # (..., h, n, d_head)
    per_head, weights = scaled_dot_product_attention(Q, K, V, mask)
    return merge_heads(per_head) @ W_o, weights
    ### END SOLUTION


# %% check: multi_head_attention
check("multi_head_attention", multi_head_attention)

# %% [markdown]
# Is it really nothing but h attentions side by side? Give each of two heads its own block of columns of W_q, W_k and
# W_v, call the attention of lesson 5 for each, put the outputs side by side (`np.hstack`), multiply by W_o, and compare:

# %%
multi = yours("multi_head_attention", multi_head_attention)
rng = np.random.default_rng(6)
X, W_q, W_k, W_v, W_o = rng.normal(size=(5, 8)), *rng.normal(size=(4, 8, 8))

blocks = [slice(0, 4), slice(4, 8)]
side_by_side = [scaled_dot_product_attention(X @ W_q[:, b], X @ W_k[:, b], X @ W_v[:, b])[0] for b in blocks]
difference = np.abs(np.hstack(side_by_side) @ W_o - multi(X, W_q, W_k, W_v, W_o, 2)[0]).max()
print("largest difference below 1e-12:", bool(difference < 1e-12))

# %% [markdown]
# ## What do heads cost?
#
# The numbers that training sets are called **parameters**: here, the entries of W_q, W_k, W_v and W_o. (Real models
# often add a row of numbers after each product, a *bias*. Leave those out.)
#
# **Write `head_budget`**: from `d_model`, which is the width d, and `n_heads`, which divides it, to two ints: the width
# of one head, and the parameters of the four (d, d) matrices together.


# %% answer: head_budget
def head_budget(d_model, n_heads):
    """d_model, and n_heads that divides it → (d_head, parameters of the four matrices), both ints."""
    ### BEGIN SOLUTION
    return d_model // n_heads, 4 * d_model * d_model
    ### END SOLUTION


# %% check: head_budget
check("head_budget", head_budget)

# %% [markdown]
# One layer of two well-known language models, BERT-base and GPT-3, and what BERT's would cost with a single head:

# %%
budget = yours("head_budget", head_budget)
for name, d_model, n_heads in [("BERT-base", 768, 12), ("the same with one head", 768, 1),
                               ("GPT-3", 12_288, 96)]:
    d_head, parameters = budget(d_model, n_heads)
    print(f"{name:22} {d_model:6} = {n_heads:2} × {d_head:<6} {parameters:13,} parameters")

# %% [markdown]
# **Quiz.** A layer goes from 1 head to 12 heads and keeps its width. What happens to its parameters?
#
# * a: They grow twelvefold: each head has matrices of its own.
# * b: They stay as many: each head gets a twelfth of the width.
# * c: They shrink to a twelfth: each head is narrower.

# %% answer: answer_budget
answer_budget = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_budget = "b"
### END SOLUTION

# %% check: answer_budget
check("answer_budget", answer_budget)

# %% [markdown]
# ## The ladder: what has each step bought?
#
# Back to the small models. There are five, and all read ten words and predict the next two. They differ in one thing:
# how the last word gathers its context. They are the rungs of a ladder, built from one lesson after the other:

# %%
for rung, lesson in [("last word", "no context"), ("average", "lesson 3"), ("raw dot product", "lesson 3"),
                     ("one head", "lessons 4 and 5"), ("four heads", "this lesson")]:
    print(f"{rung:16} {lesson}")

# %% [markdown]
# And five kinds of sentence, each made so that it needs one thing more than the kind before. (Where one word answers,
# the second is a full stop.)

# %%
for kind, name in enumerate(ladder_sentences.KINDS):
    example = ladder_sentences.sentences(1, np.random.default_rng(3), kind)
    words, answer = (ladder_sentences.decode(ids[0]) for ids in (example.ids, example.answers))
    print(f"{name:13} {words} → {answer}")

# %% [markdown]
# *Last word*: it alone decides. *Bag of words*: one word decides, wherever it stands. *Recall*: find the last word
# again; the answer stands beside it. *Direction*: find what the last word beats (fire burns the plant); what beats it
# (water) stands there too, as a trap. *Two facts* you know.

# %% [markdown]
# The models, in `course_utils/ladder.py`, are made of the course's own functions: `mix`, `attention`, `split_heads`.
# Training also needs gradients (lesson 2), written out by hand there. Are they right? A gradient is a slope of the
# loss: nudge one number of each array up and down, and measure.

# %%
few, wanted = test.ids[:20], test.answers[:20]
model = ladder.Ladder(ladder.Heads(4), len(ladder_sentences.VOCABULARY), ladder_sentences.LENGTH)
_, gradients = model.gradients(few, wanted)
for name in ["words", "W_q", "W_k", "W_v", "W_o", "W_out"]:
    place = np.unravel_index(np.abs(gradients[name]).argmax(), gradients[name].shape)
    losses = []
    for nudge in (1e-5, -2e-5):
        model.params[name][place] += nudge
        losses.append(model.gradients(few, wanted)[0])
    print(f"{name:6} gradient {gradients[name][place]:+.4f}   measured {(losses[0] - losses[1]) / 2e-5:+.4f}")
    model.params[name][place] += 1e-5  # as it was

# %% [markdown]
# Now train all five from three random starts, each with sentences drawn anew; the two models from above are taken
# over. **Predict:** which rung does each kind of sentence need? (About half a minute.)

# %%
guess = None  # for each kind: the first rung that can do it

ladders = [{name: trained[name] for name in ("one head", "four heads")}, {}, {}]
for seed, rungs in enumerate(ladders):
    data = ladder_training.data(seed) if seed else (training, test)
    for name, rung in ladder_training.STAGES.items():
        if name not in rungs:
            rungs[name] = ladder_training.train(rung(), *data, seed=seed, steps=STEPS,
                                                label=f"start {seed}, {name:16}")

# %%
stages, kinds = list(ladder_training.STAGES), ladder_sentences.KINDS
by_kind = np.mean([[rungs[name].by_kind for name in stages] for rungs in ladders], axis=0)  # (rungs, kinds)
assert (by_kind > 0.95).tolist() == np.tri(5, dtype=bool).tolist()  # a staircase

columns = [kind.removesuffix(" of words") for kind in kinds]
plots.heatmap(by_kind, stages, columns, "Share right, mean of three starts")

# %% [markdown]
# A staircase: each row is a rung, and opens one more kind of sentence. Now all kinds together: the mean of the three
# starts, the lowest and the highest, and the parameters of the whole model.

# %%
for name in stages:
    found = [rungs[name].accuracy for rungs in ladders]
    parameters = ladders[0][name].model.n_params
    print(f"{name:16} {np.mean(found):.2f}   (from {min(found):.2f} to {max(found):.2f}), "
          f"{parameters:6,} parameters")

assert ladders[0]["one head"].model.n_params == ladders[0]["four heads"].model.n_params

# %% [markdown]
# One head and four heads have the same number of parameters. The last step cost nothing but the cutting.

# %% [markdown]
# ## Three caveats, run and not only told
#
# **First:** the sentences were built so that each rung is needed. This shows what one step of attention can and cannot
# do; it is no discovery about English.
#
# **Second:** the models read their answer out *linearly*: one matrix product makes the scores of all words from the
# last word and its context. Put a **hidden layer** between, one more product with everything negative set to 0, and
# train two of the models again:

# %%
with_hidden = {name: ladder_training.train(ladder_training.STAGES[name](), training, test, hidden=128,
                                           steps=STEPS, label=f"hidden layer, {name:9}")
               for name in ["average", "one head"]}

for name, result in with_hidden.items():
    print(f"{name:9} without {ladders[0][name].accuracy:.2f}   with a hidden layer {result.accuracy:.2f}")
assert with_hidden["average"].accuracy < 0.6 and with_hidden["one head"].accuracy > 0.95

# %% [markdown]
# With more computation after it, one head is enough here; the average still is not. So more heads made the work
# *easier*. But an average has lost which word stood beside which, and no layer brings that *information* back.

# %% [markdown]
# **Third:** what one look can do depends on the question. Keep the sentences with two facts, but ask for one word only:
# whichever of the two places stands first in the sentence. **Predict:** can one head do that?

# %%
guess = None  # "yes" or "no"


def first_place_only(sentences):
    """The same sentences; those with two facts ask for one word, the place of the two that stands first."""
    there = sentences.ids[:, None] == sentences.answers[:, :, None]
    at = np.argmax(there, axis=-1)  # (B, 2): where each answer stands
    first = np.where(at[:, 0] < at[:, 1], *sentences.answers.T)
    stop = np.full_like(first, ladder_sentences.VOCABULARY.index("."))
    answers = np.where(sentences.kinds[:, None] == TWO, np.stack([first, stop], axis=1), sentences.answers)
    return ladder_sentences.Sentences(sentences.ids, answers, sentences.kinds)


one_answer = ladder_training.train(ladder.Heads(1), first_place_only(training), first_place_only(test),
                                   steps=STEPS, label="one head, one answer ")

# %%
print(f"two words wanted {trained['one head'].by_kind[TWO]:.2f} right")
print(f"one word wanted  {one_answer.by_kind[TWO]:.2f} right")
assert trained["one head"].by_kind[TWO] < 0.3 and one_answer.by_kind[TWO] > 0.95

# %% [markdown]
# It can, although it must know friend and rival both to tell which stands first. One look can use two facts for one
# answer. What it did not hold apart, with a linear read-out, are two separate *answers*.

# %% [markdown]
# ## Heads of a real model
#
# MiniLM, the real model of lesson 3, has several layers, and each layer several heads. How many, and how wide? (We keep
# the first layers only, as before.)

# %%
minilm = datasets.load_minilm()
run = minilm.run("The small model reads a sentence.")
layers, n_heads = run.weights.shape[:2]
print(layers, "layers of", n_heads, "heads, each", budget(run.hidden.shape[-1], n_heads)[0], "wide")

# %% [markdown]
# Do these heads have jobs? The simplest one would be to look at the word before. (From here on, layers and heads are
# counted from 1, as people do.)

# %% [markdown]
# **Write `previous_token_score`**: weights (h, n, n), with n ≥ 2 → (h,), for each head the mean weight that tokens
# 1 … n−1 give to the token just before them. (Token 0 has none before it.)


# %% answer: previous_token_score
def previous_token_score(weights):
    """weights (h, n, n), n ≥ 2 → (h,): mean weight of tokens 1 … n−1 on the token before them."""
    ### BEGIN SOLUTION
    i = np.arange(1, weights.shape[-1])
    return weights[:, i, i - 1].mean(axis=-1)
    ### END SOLUTION


# %% check: previous_token_score
check("previous_token_score", previous_token_score)

# %% [markdown]
# Your score for every head of every layer, as a mean over sixty sentences. They come from a little grammar of the
# course, and the model's own tokens at either end, [CLS] and [SEP], are left out.

# %%
parsed = heads.parsed_sentences(240, np.random.default_rng(1))
texts = [sentence.text for sentence in parsed]
score = yours("previous_token_score", previous_token_score)
scores = heads.previous_word(texts[:60], minilm, score)  # (layers, h)

layer, head = np.unravel_index(scores.argmax(), scores.shape)
print(f"strongest: layer {layer + 1}, head {head + 1}, {scores.max():.2f}; mean of all {scores.mean():.2f}")
assert (layer, head) == (0, 2) and scores.max() > 0.85

rows = [f"layer {i + 1}" for i in range(layers)]
plots.heatmap(scores, rows, range(1, n_heads + 1), "Mean weight on the word before, by head")

# %% [markdown]
# One head in the first layer does almost nothing else. Nobody told it to; that came out of training.
#
# Does any head know grammar? As the sentences were built by rules, we know which words belong together. For an
# adjective, does the head look most at the noun it describes, of all other words?

# %%
print(parsed[0].text)
for start, end in parsed[0].links["adjective → its noun"]:
    print(f"   {parsed[0].words[start]} should look at {parsed[0].words[end]}")

# %% [markdown]
# Five more relations join in: from a determiner (*the*, *a*, *this*) to its noun, and between a verb and its subject
# (who acts) or object (who is acted on), both ways.
#
# A fixed distance is a strong rival: +1, the next word, is often the adjective's noun. So for each relation we choose
# the best head and the best distance on one half of the sentences, and judge them on the other, beside the mean of all
# heads. The numbers are shares of right words.

# %%
findings = heads.grammar(parsed, minilm)
for f in findings:
    print(f"{f.relation:22} layer {f.head[0]} head {f.head[1]:<3} {f.by_head:.2f}   "
          f"distance {f.distance:+d} {f.by_distance:.2f}   mean head {f.by_mean_head:.2f}")

# %%
found = {f.relation: f.by_head - f.by_distance for f in findings}
assert min(found[r] for r in heads.RELATIONS[:4]) > 0.2  # the first four: far above the best distance
assert found["verb → its subject"] < 0.1  # and here the best head is hardly better than counting
assert findings[-1].head == (1, 3)  # it is the one that looks at the word before

table = np.array([[f.by_head, f.by_distance, f.by_mean_head] for f in findings])
plots.heatmap(table, heads.RELATIONS, ["head", "distance", "mean"], "Right word found")

# %% [markdown]
# From a determiner or adjective to its noun, from an object or subject to its verb: one head does far better than
# counting. From a verb back to its subject none does: the best is the head that looks at the word before.
#
# And the popular example, *he* and *the patient*? Here it is the one who gets the medicine that was sick.

# %%
def he_looks_at(text):
    """The weight that "he" gives to each of the two people, mean over all heads of all layers."""
    tokens, _, weights = minilm.run(text)
    he = weights.mean(axis=(0, 1))[tokens.index("he")]
    return he[tokens.index("doctor")], he[tokens.index("patient")]


for giver, taker in [("doctor", "patient"), ("patient", "doctor")]:
    text = f"The {giver} gave the {taker} medicine because he was sick."
    doctor, patient = he_looks_at(text)
    print(f"doctor {doctor:.3f}   patient {patient:.3f}   {text}")
    assert (doctor > patient) == (giver == "doctor")

# %% [markdown]
# Swap the two people, and *he* prefers the other one: on average, the heads go with the *subject*, whoever is sick. Does
# a single head do better, in more sentences? One of two is meant, so a coin gets half of them right, and the luckiest of
# many coins gets more. That is the mark to beat:

# %%
kept = pronouns.by_heads(minilm)
print(f"{kept.sentences} sentences with a pronoun and two people or things:")
print(f"best of {kept.heads} heads {kept.best:.2f}, best of {kept.heads} coins {kept.luck:.2f}, "
      f"mean head {kept.mean:.2f}")
assert kept.best <= kept.luck

# %% [markdown]
# Even the best head does no better than the luckiest coin: none reliably finds whom a pronoun means. Not every head has
# a job we can name, but all must put their weight somewhere. How much rests on [CLS], the token in front of every text?

# %%
share = heads.resting_place(texts[:60], minilm)
print(f"{share:.0%} of all weight rests on [CLS], a token without content")
assert 0.35 < share < 0.6

# %% [markdown]
# About half. Weights must sum to 1; the usual reading is that a head with nothing to look for parks its weight on a
# token that does no harm. Look around: layer, head and sentence are yours to choose. **Try:** find a head that rests on
# [CLS], and one that looks at the word after.

# %%
explore.real_heads(previous_token_score=yours("previous_token_score", previous_token_score))

# %% [markdown] own words: what_heads_do 2
# **In your own words.** "Each head learns one job: one does grammar, one does meaning, one finds what a pronoun refers
# to." In three or four sentences: what of this did you see here, and what not? (Marked by hand, 2 points.)
#
# ### BEGIN MARK SCHEME
# One point for what was seen: some heads have clear jobs (the word before; determiner or adjective to noun; object or
# subject to verb), far above the best fixed distance. One point for what was not: no head finds what a pronoun means
# beyond luck, much weight rests on [CLS], and many heads have no job that we could name.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `split_heads`: cut a width into heads, and say why a reshape alone scrambles it.
# * `merge_heads`: put the heads side by side again.
# * `multi_head_attention`: several attentions in one call, mixed by W_o.
# * `head_budget`: say what more heads cost, which is not one parameter.
# * `previous_token_score`: measure whether a head does one certain job.

# %% [markdown]
# **Next.** `multi_head_attention` knows nothing of order: shuffle the rows of X, and you get the same output, shuffled.
# Lesson 7 adds what is missing, until your code runs the real model whole.
