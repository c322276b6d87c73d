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

from autograde import check, hint, predict, yours
from course_utils.datasets import load_minilm
from course_utils.experiments import heads, pronouns
from course_utils.experiments.ladder import english as ladder_english
from course_utils.experiments.ladder import models as ladder
from course_utils.experiments.ladder import sentences as ladder_sentences
from course_utils.experiments.ladder import training as ladder_training
from course_utils.explorers import multi_head as explore
from course_utils.figures import plots
from course_utils.figures.letters import lettered
from course_utils.scaling import scaled_dot_product_attention

# %% [markdown]
# ## One look cannot be in two places
#
# Each query has one set of weights, and they sum to 1. Here is a sentence that asks for two words. It names four people,
# each followed by a place, then *and* and a fifth person.

# %%
TWO = ladder_sentences.KINDS.index("two facts")
example = ladder_sentences.sentences(1, np.random.default_rng(2), TWO)
words, wanted = (ladder_sentences.words_of(ids[0]) for ids in (example.ids, example.answers))
name = words.split()[-1]

print(words, "→", wanted)
print(f"{name}'s friend is {ladder_sentences.FRIEND[name]}, "
      f"{name}'s rival is {ladder_sentences.RIVAL[name]}")

# %% [markdown]
# Wanted are where the friend is, then where the rival is. Who is whose friend never changes, so it can be learned.
#
# Two small models learn such sentences, and four easier kinds. The last word looks once at all ten, and predicts the
# next two. (Each word's vector holds its position, and half of the word before: so *barn* knows whose place it is.)
#
# **Predict:** how will a single head divide its weight? (A bar shows how far training is, then the share of new
# sentences of all kinds that come out right.)

# %%
divides = predict("A single head puts its weight …",
                  "all on the friend", "half and half", "all over the sentence")

# %%
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


# %%
ids, answers = test.ids[test.kinds == TWO], test.answers[test.kinds == TWO]
halves = weight_on(answers, ids, trained["one head"].model)[0]
for name, result in trained.items():
    for i, (friend, rival) in enumerate(weight_on(answers, ids, result.model), start=1):
        print(f"{name}, head {i}: {friend:.1f} on the friend's place, {rival:.1f} on the rival's")
    right = (result.model.predict(ids)[0].argmax(axis=-1) == answers).mean(axis=0)
    print(f"    first word right {right[0]:.2f}, second word right {right[1]:.2f}")
divides.compare("half and half" if halves.min() > 0.4 else "all on the friend" if halves[0] > 0.8
                else "all over the sentence")

# %% [markdown]
# The single head hands over a mixture that does not tell which place is whose. Two heads divide the work. Now see it
# sentence by sentence. **Try:** does one head get both words right in any of them? And two heads, or four?

# %%
trained["four heads"] = ladder_training.train(ladder.Heads(4), training, test, steps=STEPS,
                                              label="four heads")
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
# Where do several heads come from? The d numbers of each token are cut into h pieces, d/h wide, one for each head. On
# letters: tokens a and b of d = 4 entries, h = 2 heads, counted from 0. `reshape` gives an array any shape of as many
# entries. **Predict:** what will head 0, its first block, get?

# %%
block = predict("Head 0 gets …", "a1 a2 / b1 b2", "a1 a2 / a3 a4", "a1 b1 / a2 b2")

# %%
X = np.array([["a1", "a2", "a3", "a4"],
              ["b1", "b2", "b3", "b4"]])
print("head 0 should see", X[:, :2].tolist(), "and head 1", X[:, 2:].tolist())
print(X.reshape(2, 2, 2))  # (h, n, d/h)
block.compare(" / ".join(" ".join(row) for row in X.reshape(2, 2, 2)[0]))

# %% [markdown]
# Head 0 got all of token a, and head 1 all of token b: `reshape` keeps the reading order. The shape is right, nothing
# complains, and each head takes the halves of one token for two tokens.
#
# **Write `split_heads`.** First cut each token's row in place: (..., n, h, d/h). Then let the axes of tokens and heads
# change places.


# %% answer: split_heads
def split_heads(X, n_heads):
    """X (..., n, d) → (..., h, n, d/h): head i holds columns i·d/h to (i+1)·d/h − 1 of every token.

    ValueError if n_heads does not divide d.
    """
    ### BEGIN SOLUTION
    *batch, n, d = X.shape
    if d % n_heads:
        raise ValueError(f"{n_heads} heads do not divide a width of {d}")
    pieces = X.reshape(*batch, n, n_heads, d // n_heads)  # (..., n, h, d/h)
    return np.swapaxes(pieces, -2, -3)  # (..., h, n, d/h)
    ### END SOLUTION


# %% check: split_heads
check("split_heads", split_heads)

# %% [markdown]
# Each token keeps its colour, each entry its letters: `split_heads`, and beside it the scrambled version.

# %%
split = yours("split_heads", split_heads)
lettered({"split_heads": split(X, 2), "reshape alone": X.reshape(2, 2, 2)},
         "Two heads of two tokens, right and scrambled")

# %% [markdown]
# **Write `merge_heads`**, the inverse; d_head = d/h is the width of one head. Again the axes change places first: a
# reshape alone would scramble.


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
# Four steps, all written: **project** X to Q, K and V with the whole width, **split** each into heads, let each head
# **attend**, **merge**. New is a fourth matrix, W_o (o for output): it mixes the findings of the heads.
#
# `scaled_dot_product_attention` treats the heads like a batch, and divides by √d_head, the width of its queries.

# %%
Q = split(np.arange(24.0).reshape(3, 8), 2)
output, weights = scaled_dot_product_attention(Q, Q, Q)
print("Q", Q.shape, "→ output", output.shape, "weights", weights.shape)

# %% [markdown]
# $$\underset{(n,\,d)}{\text{output}} = [\underset{(n,\,d/h)}{\text{head}_0}\; \dots\;
# \underset{(n,\,d/h)}{\text{head}_{h-1}}]\; \underset{(d,\,d)}{W_o} \qquad \text{head}_i =
# \text{softmax}\left(\frac{Q_i K_i^\top}{\sqrt{d/h}}\right) V_i$$
#
# **Write `multi_head_attention`** from these four steps and W_o; `scaled_dot_product_attention` is imported. The mask
# goes through to it as it is.


# %% answer: multi_head_attention
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """X (..., n, d), four (d, d) matrices → (output (..., n, d), weights (..., h, n, n)).

    n_heads divides d; scores are divided by √d_head. mask: bool, True where a token may look: (n, n)
    for all heads, (h, n, n) for each its own, batch axes in front. Looks nowhere: zeros, as in lesson 5.
    """
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))  # (..., h, n, d_head)
    per_head, weights = scaled_dot_product_attention(Q, K, V, mask)
    return merge_heads(per_head) @ W_o, weights
    ### END SOLUTION


# %% check: multi_head_attention
check("multi_head_attention", multi_head_attention)

# %% [markdown]
# Is it nothing but attentions side by side? Give each of two heads its own block of columns of W_q, W_k and W_v, put the
# outputs side by side (`np.hstack`), multiply by W_o, and compare:

# %%
multi = yours("multi_head_attention", multi_head_attention)
rng = np.random.default_rng(6)
X, W_q, W_k, W_v, W_o = rng.normal(size=(5, 8)), *rng.normal(size=(4, 8, 8))

blocks = [slice(0, 4), slice(4, 8)]
side_by_side = [scaled_dot_product_attention(X @ W_q[:, b], X @ W_k[:, b], X @ W_v[:, b])[0]
                for b in blocks]
difference = np.abs(np.hstack(side_by_side) @ W_o - multi(X, W_q, W_k, W_v, W_o, 2)[0]).max()
print("largest difference below 1e-12:", bool(difference < 1e-12))

# %% [markdown]
# ## What do heads cost?
#
# The numbers that training sets are called **parameters**: here, the entries of four (d, d) matrices. (A *bias*, a row
# of numbers added after a product, is left out.)
#
# **Write `head_budget`**: the width of one head, and all parameters.


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
# Back to the small models. There are five, the stages of a ladder, and they differ in one thing, how the last word gathers
# its context: *last word* (not at all), *average* and *raw dot product* (lesson 3), *one head* (lessons 4 and 5), *four
# heads*. And five kinds of sentence:

# %%
for kind, name in enumerate(ladder_sentences.KINDS):
    example = ladder_sentences.sentences(1, np.random.default_rng(3), kind)
    words, answer = (ladder_sentences.words_of(ids[0]) for ids in (example.ids, example.answers))
    print(f"{name:13} {words} → {answer}")

# %% [markdown]
# *Last word*: it alone decides. *Bag of words*: one word, wherever it stands. *Recall*: the last word stood there before;
# what came after it? *Direction*: what came after the word that the last one beats? (Fire burns the plant; water is a
# trap.) *Two facts* you know.
#
# The models (`course_utils/experiments/ladder/models.py`) are made of the course's own functions, with gradients written
# by hand. Are these right? A gradient is a slope of the loss: nudge one number of each array up and down, and measure.

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
    measured = (losses[0] - losses[1]) / 2e-5
    print(f"{name:6} gradient {gradients[name][place]:+.4f}   measured {measured:+.4f}")
    model.params[name][place] += 1e-5  # as it was

# %% [markdown]
# Now all five, from three random starts, each with sentences drawn anew; two are trained already. **Predict:** which
# stage does *direction* need? (About half a minute.)

# %%
enough = predict("The first stage that can do direction is …", *ladder_training.STAGES)

# %%
ladders = [{name: trained[name] for name in ("one head", "four heads")}, {}, {}]
for seed, runs in enumerate(ladders):
    data = ladder_training.data(seed) if seed else (training, test)
    for name, stage in ladder_training.STAGES.items():
        if name not in runs:
            runs[name] = ladder_training.train(stage(), *data, seed=seed, steps=STEPS,
                                                label=f"start {seed}, {name:16}")

# %%
stages, kinds = list(ladder_training.STAGES), ladder_sentences.KINDS
for name in stages:
    found, size = [runs[name].accuracy for runs in ladders], ladders[0][name].model.n_params
    print(f"{name:16} {np.mean(found):.2f}   (from {min(found):.2f} to {max(found):.2f}), "
          f"{size:6,} parameters")

by_kind = np.mean([[runs[name].by_kind for name in stages] for runs in ladders], axis=0)
plots.heatmap(by_kind, stages, ["\n".join(kind.split(" ", 1)) for kind in kinds],
              "Share right, mean of three starts")
enough.compare(stages[np.argmax(by_kind[:, kinds.index("direction")] > 0.95)])

# %% [markdown]
# A staircase: each stage opens one more kind of sentence. One head and four have as many parameters: the last step cost
# nothing but the cutting.

# %% [markdown]
# ## Three caveats, run and not only told
#
# **First:** these sentences were built so that each stage is needed. On real text, dictionary definitions, what do the
# stages buy? (300 words; all rarer ones count as one. Loss on sentences not trained on, 0 is best.)

# %%
english, new_english = ladder_english.windows(n_words=300)
losses = {}
for name in ["last word", "average", "four heads"]:
    model = ladder.Ladder(ladder_training.STAGES[name](), 300, ladder_sentences.LENGTH)
    ladder_training.fit(model, english, steps=300, label=name)
    losses[name], _ = model.gradients(new_english.ids, new_english.answers)
    built, _ = ladders[0][name].model.gradients(test.ids, test.answers)
    print(f" loss: definitions {losses[name]:.2f}, built sentences {built:.2f}")

# %% [markdown]
# The order is the same, but the steps are small: the staircase shows what one step of attention can and cannot do, and
# nothing about how often English needs it.
#
# **Second:** the models read their answer out *linearly*, by one matrix product. Put a **hidden layer** between, one
# more product with everything negative set to 0:

# %%
with_hidden = {name: ladder_training.train(ladder_training.STAGES[name](), training, test, hidden=128,
                                           steps=STEPS, label=f"hidden layer, {name:9}")
               for name in ["average", "one head"]}

for name, result in with_hidden.items():
    print(f"{name:9} without {ladders[0][name].accuracy:.2f}, with a hidden layer {result.accuracy:.2f}")

# %% [markdown]
# Now one head is enough, so more heads made the work *easier*. The average still fails: it has lost which word stood
# beside which, and no layer brings that *information* back.
#
# **Third:** ask for one word only, whichever of the two places stands first. **Predict:** can one head do that?

# %%
one_word = predict("One word of two facts: can one head do it?", "yes", "no")

# %%
def first_place_only(sentences):
    """Sentences with two facts ask for one word, the place of the two that stands first."""
    there = sentences.ids[:, None] == sentences.answers[:, :, None]
    at = np.argmax(there, axis=-1)  # (B, 2): where each answer stands
    first = np.where(at[:, 0] < at[:, 1], *sentences.answers.T)
    stop = np.full_like(first, ladder_sentences.VOCABULARY.index("."))
    new = np.stack([first, stop], axis=1)
    answers = np.where(sentences.kinds[:, None] == TWO, new, sentences.answers)
    return ladder_sentences.Sentences(sentences.ids, answers, sentences.kinds)


# %%
one_answer = ladder_training.train(ladder.Heads(1), first_place_only(training), first_place_only(test),
                                   steps=STEPS, label="one head, one answer ")
print(f"two words wanted {trained['one head'].by_kind[TWO]:.2f} right")
print(f"one word wanted  {one_answer.by_kind[TWO]:.2f} right")
one_word.compare("yes" if one_answer.by_kind[TWO] > 0.95 else "no")

# %% [markdown]
# It can, although it must know friend and rival to tell which stands first. One look can use two facts for one answer;
# what it did not hold apart are two *answers*.
#
# ## Heads of a real model
#
# Do the heads of MiniLM, the real model of lessons 3 and 4, have jobs? The simplest would be to look at the word before.
#
# **Write `previous_token_score`**: for each head, the mean weight that tokens give to the token just before them.


# %% answer: previous_token_score
def previous_token_score(weights):
    """weights (h, n, n), n ≥ 2 → (h,): mean weight of tokens 1 … n−1 on the token before them.

    (Token 0 has none before it.)
    """
    ### BEGIN SOLUTION
    i = np.arange(1, weights.shape[-1])
    return weights[:, i, i - 1].mean(axis=-1)
    ### END SOLUTION


# %% check: previous_token_score
check("previous_token_score", previous_token_score)

# %% [markdown]
# Your score for every head, as a mean over sixty sentences of a little grammar, without [CLS] and [SEP]. (From here on,
# layers and heads are counted from 1, as people do.)

# %%
parsed = heads.parsed_sentences(240, np.random.default_rng(1))
texts = [sentence.text for sentence in parsed]
score = yours("previous_token_score", previous_token_score)
minilm = load_minilm()
scores = heads.previous_word(texts[:60], minilm, score)  # (layers, h)

(layers, n_heads), (layer, head) = scores.shape, np.unravel_index(scores.argmax(), scores.shape)
d_head, _ = budget(minilm.run(texts[0]).hidden.shape[-1], n_heads)
print(f"{layers} layers of {n_heads} heads, each {d_head} wide")
print(f"strongest: layer {layer + 1}, head {head + 1}, {scores.max():.2f}; mean {scores.mean():.2f}")

rows = [f"layer {i + 1}" for i in range(layers)]
plots.heatmap(scores, rows, range(1, n_heads + 1), "Mean weight on the word before, by head")

# %% [markdown]
# One head in the first layer does almost nothing else. Nobody told it to.
#
# Does any head know grammar? These sentences were built by rules, so we know which words belong together: does a head
# look most, of all other words, at the noun that an adjective describes?

# %%
print(parsed[0].text)
for start, end in parsed[0].links["adjective → its noun"]:
    print(f"   {parsed[0].words[start]} should look at {parsed[0].words[end]}")

# %% [markdown]
# A fixed distance is a strong rival: +1, the next word, is often that noun. So for six relations we choose the best head
# and the best distance on one half of the sentences, and judge them on the other, beside the mean of all heads.

# %%
findings = heads.grammar(parsed, minilm)
for f in findings:
    print(f"{f.relation:22} layer {f.head[0]} head {f.head[1]:<2}   or distance {f.distance:+d}")

better = {f.relation: f.by_head - f.by_distance for f in findings}

plots.heatmap([[f.by_head, f.by_distance, f.by_mean_head] for f in findings], heads.RELATIONS,
              ["best\nhead", "best\ndistance", "mean\nhead"], "Share of right words found")

# %% [markdown]
# From a determiner (*the*, *a*) or adjective to its noun, from an object (who is acted on) or subject (who acts) to its
# verb: one head does far better than counting. From a verb to its subject none does.
#
# And *he*, who gets the medicine? In lesson 4 the mean of all heads went with the subject, whoever was sick. Does a
# single head do better? A coin gets half of such sentences right, and the luckiest of many coins gets more.

# %%
sicker = []
for taker, giver in [("patient", "doctor"), ("doctor", "patient")]:
    tokens, _, weights = minilm.run(f"The {giver} gave the {taker} medicine because he was sick.")
    he = weights[:, :, tokens.index("he")]  # (layers, heads, tokens)
    sicker.append(he[..., tokens.index(taker)] > he[..., tokens.index(giver)])
right, wrong = (np.logical_and(*which).sum() for which in (sicker, np.logical_not(sicker)))
print(f"in both orders he looks more at the sick one: {right} heads; at the giver: {wrong}")

kept = pronouns.by_heads(minilm)
print(f"{kept.sentences} sentences with a pronoun: best of {kept.heads} heads {kept.best:.2f}, "
      f"best of {kept.heads} coins {kept.chance_level:.2f}, mean head {kept.mean:.2f}")

# %% [markdown]
# Even the best head is no better than the luckiest coin: none reliably finds whom a pronoun means. But each must put its
# weight somewhere. How much rests on [CLS], the mark in front? **Try:** find a head that rests there, and one that looks
# at the word after.

# %%
share = heads.attention_sink(texts[:60], minilm)
print(f"{share:.0%} of all weight rests on [CLS], a token without content")
explore.real_heads(previous_token_score=score)

# %% [markdown]
# About half. Weights must sum to 1; the usual reading is that a head with nothing to look for parks its weight on a token
# that does no harm.

# %% [markdown] own words: what_heads_do 2
# **In your own words.** "Each head learns one job: one does grammar, one does meaning, one finds what a pronoun refers
# to." In three or four sentences: what of this did you see here, and what not? (Marked by hand, 2 points.)
#
# ### BEGIN MARK SCHEME
# One point for what was seen: some heads have clear jobs (the word before; determiner or adjective to noun; object or
# subject to verb), far above the best fixed distance. One point for what was not: no head finds what a pronoun means
# beyond chance, much weight rests on [CLS], and many heads have no job that we could name.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `split_heads`: cut a width into heads, and say why a reshape alone scrambles it.
# * `merge_heads`: put the heads side by side again.
# * `multi_head_attention`: several attentions in one call, mixed by W_o.
# * `head_budget`: say what more heads cost, which is not one parameter.
# * `previous_token_score`: measure whether a head does one certain job.
#
# **Next.** `multi_head_attention` knows nothing of order: shuffle the rows of X, and you get the same output, shuffled.
# Lesson 7 adds what is missing, until your code runs the real model whole.
