# %% [markdown]
# # 4 · Ask, be found, hand over
#
# **How does a word ask, how is it answered, and what does it take away?**
#
# In lesson 3 a word took an average of its sentence, or looked at what resembled it, mostly itself. Now each word *asks*:
# which of the others should I look at? By the end you will have written attention itself, in seven short functions, and
# seen what it does in a real model. It takes about 80 minutes.
#
# *The doctor gave the patient medicine because he was sick.* Who is *he*?

# %%
import numpy as np

from autograde import check, hint, predict, yours
from course_utils import datasets
from course_utils.embedding_space import softmax
from course_utils.explorers import query_key_value as explore
from course_utils.figures import plots
from course_utils.polysemy import mix

# %% [markdown]
# ## One question, with a loop
#
# A **query** is what a word asks for, a **key** what it can be found by: here two numbers, set by hand.
#
# **Step 1: scores.** The query meets every key in a dot product (lesson 1).

# %%
words = ["doctor", "patient", "medicine", "he"]
keys = np.array([[2, 0], [2, 2], [0, 0], [1, 0]])  # person ("he" is a vague one), ill
query = np.array([1, 1])  # "he" asks: which person here is ill?

scores = []
for word, key in zip(words, keys):
    scores.append(query[0] * key[0] + query[1] * key[1])
    print(f"he · {word:9} = {query[0]}·{key[0]} + {query[1]}·{key[1]} = {scores[-1]}")

# %% [markdown]
# **Step 2: weights.** Softmax turns scores into shares of one whole: all positive, and they sum to 1.

# %%
weights = softmax(scores)

for word, weight in zip(words, weights):
    print(f"{word:9} {weight:.2f}  {'█' * round(30 * weight)}")
print("sum", round(float(weights.sum()), 6))

# %% [markdown]
# **Step 3: take away.** What is handed over is a third thing, the **value**: *treats* and *is treated*, two numbers
# again. The weights mix the values.

# %%
values = np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 0]])  # treats, is treated

output = sum(weight * value for weight, value in zip(weights, values))
print("he takes away", output.round(2))

# %% [markdown]
# *Is treated* is the larger: the question found the patient. **Score, softmax, mix: that is attention.**
#
# ## All questions at once
#
# **Write `attention_scores`** for a matrix Q of queries and a matrix K of keys, a row each: every query · every key.
# Leading axes `...` are a *batch* of sentences, so turn only the last two axes of K: `np.swapaxes(K, -1, -2)`.


# %% answer: attention_scores
def attention_scores(Q, K):
    """n_q queries, n_k keys, all d_k wide: Q (..., n_q, d_k), K (..., n_k, d_k) → (..., n_q, n_k).

    Row i, column j is query i · key j, nothing divided. Q and K may hold whole numbers or float32,
    and stay as they were.
    """
    ### BEGIN SOLUTION
    return Q @ np.swapaxes(K, -1, -2)
    ### END SOLUTION


# %% check: attention_scores
check("attention_scores", attention_scores)

# %% [markdown]
# A query for each word. The doctor asks who is ill; the patient, which person is *not* ill; the medicine, who is ill
# and preferably a person:

# %%
Q = np.array([[0, 1], [2, -1], [1, 2], [1, 1]])  # the last row is the query of "he"
score_table = yours("attention_scores", attention_scores)(Q, keys)

print(score_table)
print("the row of he, as above:", score_table[3].tolist() == scores)

# %% [markdown]
# ## Attention
#
# Sometimes a word may not look everywhere: a model that writes, say, must not see what comes next. A **mask** has a row
# per query, `True` where that query *may* look. The row of *he*, put in before softmax and after it:

# %%
may_look = np.array([True, True, True, False])  # "he" must not look at itself

before = softmax(np.where(may_look, scores, -np.inf))
after = np.where(may_look, softmax(scores), 0)
print("scores −∞, then softmax:    ", before.round(2), "sum", round(float(before.sum()), 2))
print("softmax, then weights set 0:", after.round(2), "sum", round(float(after.sum()), 2))

# %% [markdown]
# A score of −∞ becomes a weight of exactly 0, since e^−∞ = 0, and the others share the whole. So mask *before* softmax.
#
# One case is left: a query that may look *nowhere*. Its scores are all −∞, and softmax divides 0 by 0:

# %%
nowhere = np.full(4, -np.inf)
with np.errstate(invalid="ignore"):  # NumPy would warn
    print("softmax of nothing but −∞:", softmax(nowhere))

sees = np.array([[True, False], [False, False]])
print("which rows see nothing:", (~sees.any(axis=-1, keepdims=True)).tolist())

# %% [markdown]
# Not a number, and it would spoil everything it is mixed into. Who may look nowhere shall take nothing: weights 0.
#
# **Write `masked_softmax`**: the weights of a table of scores, with a mask or with none. `softmax` is imported.


# %% answer: masked_softmax
def masked_softmax(scores, mask=None):
    """scores (..., n_q, n_k), a million in size or less → weights of the same shape, rows that sum to 1.

    mask: bool, True where a query may look: (n_q, n_k) for a whole batch, or with batch axes of its
    own. None: all may look everywhere. A query that may look nowhere gets weights 0.
    """
    ### BEGIN SOLUTION
    if mask is None:
        return softmax(scores)
    nowhere = ~mask.any(axis=-1, keepdims=True)
    weights = softmax(np.where(mask | nowhere, scores, -np.inf))  # such rows stay finite on the way
    return np.where(nowhere, 0, weights)
    ### END SOLUTION


# %% check: masked_softmax
check("masked_softmax", masked_softmax)

# %% [markdown]
# Now attention is three steps: scores, weights, mix. In one line, with the shape under each letter (a mask closes scores
# before softmax):
#
# $$\text{attention}(Q, K, V) = \text{softmax}(\underset{(n_q,\,d_k)}{Q}\; \underset{(d_k,\,n_k)}{K^\top})\;
# \underset{(n_k,\,d_v)}{V}$$
#
# **Write `attention`** from your `attention_scores`, your `masked_softmax` and `mix`, which is imported.


# %% answer: attention
def attention(Q, K, V, mask=None):
    """Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) →
    output (..., n_q, d_v), weights (..., n_q, n_k). Scores are taken as they are, nothing divided.

    mask: bool, True where a query may look: (n_q, n_k) for a whole batch, or with batch axes of its
    own. None: all may look everywhere. A query that may look nowhere gets weights 0 and output 0.
    Scores may be a million in size, either way.
    """
    ### BEGIN SOLUTION
    weights = masked_softmax(attention_scores(Q, K), mask)
    return mix(weights, V), weights
    ### END SOLUTION


# %% check: attention
check("attention", attention)

# %%
attend = yours("attention", attention)
outputs, table = attend(Q, keys, values)

print("he takes away", outputs[3].round(2), "as above:", np.allclose(outputs[3], output))
print("rows sum to   ", table.sum(axis=1).round(2))
print("columns sum to", table.sum(axis=0).round(2))
plots.heatmap(table, words, words, "Who looks at whom (set by hand)")

# %% [markdown]
# A row is one word's question; a column, how much all look at that word.
#
# ## Any table can be asked for
#
# Explanations of attention often show such a table: how much *apple* looks at the other words in *Apple released a new
# iPhone*.

# %%
told = {"iphone": 0.55, "released": 0.30, "new": 0.10, "a": 0.01}

print("sum of the told weights:", round(sum(told.values()), 2))

# %% [markdown]
# **Quiz.** iPhone 55 %, released 30 %, new 10 %, a 1 %: these weights of “apple” sum to 96 %. Whose is the rest?
#
# * a: Nobody's: it is lost to rounding.
# * b: The query's: it needs a share to stay what it is.
# * c: That of “apple” itself: a word is among the keys that it looks at.

# %% answer: answer_rest
answer_rest = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_rest = "c"
### END SOLUTION

# %% check: answer_rest
check("answer_rest", answer_rest)

# %% [markdown]
# Is there a query q for any wanted table p? Go backwards. If the scores are ln p, softmax gives p, for e^(ln p) is p, and
# p sums to 1. So K q must be ln p: one linear equation per key, and the numbers of q are the unknowns.
#
# **Write `design_query`.** The first result of `np.linalg.lstsq` solves such equations, also when they are fewer than
# the unknowns. Several queries may do: yours is judged by its table.


# %% answer: design_query
def design_query(K, wanted):
    """K (n, d_k), wanted (n,) → q (d_k,), so that softmax(K @ q) is wanted to within 0.001.

    wanted: positive, sums to 1. n is at most d_k, and no key is a mix of the others.
    """
    ### BEGIN SOLUTION
    return np.linalg.lstsq(K, np.log(wanted), rcond=None)[0]
    ### END SOLUTION


# %% check: design_query
check("design_query", design_query)

# %% [markdown]
# Now with real vectors as keys: those with which MiniLM, the model of lesson 3, starts on these five words (its layer
# 0). The rest, 4 %, goes to *apple*:

# %%
minilm = datasets.load_minilm()
run = minilm.run("Apple released a new iPhone.")
real_keys = run.hidden[0][1:6]
wanted = np.array([0.04, 0.30, 0.01, 0.10, 0.55])

q = yours("design_query", design_query)(real_keys, wanted)
for word, weight in zip(run.tokens[1:6], softmax(real_keys @ q)):
    print(f"{word:9} {weight:.2f}")

# %% [markdown]
# The same equations give *any* table of positive weights, as long as there are no more words than numbers in a key: an
# equation for each word, an unknown for each number. Such numbers are a wish, not a law. What does the trained model
# ask? Each of its 4 layers looks 12 times; one such look is a **head** (lesson 6). **Predict:** where does *apple* look
# most?

# %%
looks_at = predict("apple looks most at …", "[CLS]", "ate", "iphone", "released")

# %%
of_apple = run.weights[:, :, 1].mean(axis=(0, 1))  # (layers, heads, queries, keys): query 1 is apple
plots.bars(dict(zip(run.tokens, of_apple)), "What apple looks at in MiniLM: mean of 48 heads",
           limits=(0, 1))
looks_at.compare(run.tokens[of_apple.argmax()])

# %% [markdown]
# More than half rests on [CLS], the mark in front of every text ([SEP] is the one at the end). What goes to the four told
# words is shared like this:

# %%
others = [run.tokens.index(word) for word in told]
shares = of_apple[others] / of_apple[others].sum()
for word, share in zip(told, shares):
    print(f"{word:9} told {told[word]:.2f}   measured {share:.2f}")

on_iphone = run.weights[:, :, 1, 5]  # (layers, heads)
print(f"weight of iphone for apple, by head: from {on_iphone.min():.2f} to {on_iphone.max():.2f}")

# %% [markdown]
# *iphone*, then *released*: so far the story holds. But *a* gets more than *new*, and heads differ too much for any one
# table.
#
# ## Four stages of attention
#
# Five words, with other hand-set vectors; the slider turns the query of *he*. What can it change in each stage? (Scores
# are divided by √2 here: see lesson 5. Stage 4 has two heads.)

# %%
explore.panel(attention=attend, attention_scores=yours("attention_scores", attention_scores))

# %% [markdown]
# **Try.** In stage 2, is there a direction in which *he* takes more than half from other words? In stage 3, make it look
# most at each word in turn.

# %%
def weights_of_he(stage, angle):
    return explore.heads_of(explore.Panel(stage, angle))[0].weights  # the panel's own numbers


on_itself = [weights_of_he(2, angle)[-1] for angle in range(-180, 180, 5)]
print(f"stage 2, share of he on itself: at least {min(on_itself):.2f} in every direction")

stages = ["uniform average", "raw dot product", "query, key, value"]
plots.heatmap([weights_of_he(stage, 30) for stage in (1, 2, 3)], stages, explore.WORDS,
              "Weights of he at +30°, stages 1 to 3")

# %% [markdown]
# None, with these vectors. Is that a law, or is *he* just long? Its score with itself is its length times its length:

# %%
tokens = explore.heads_of(explore.Panel(2, 0))[0].keys.copy()  # in stage 2 a token is its own key; the last is "he"
for length in [2.2, 1.8, 1.4]:
    on_others = []
    for angle in np.radians(range(0, 360, 5)):
        tokens[-1] = length * np.array([np.cos(angle), np.sin(angle)])
        on_others.append(1 - softmax(tokens @ tokens[-1] / np.sqrt(2))[-1])
    share = np.mean(np.array(on_others) > 0.5)
    print(f"he {length} long: in {share:.0%} of directions, others get more than half")

# %% [markdown]
# No law: a shorter *he* listens to others wherever it points. What always holds is the **symmetry**. *he* scores the
# doctor as the doctor scores *he*, for it is one product, and to ask for something else a word must change what it is
# found by. Asking and being found have to be two things, as in stage 3.
#
# ## What a real model does with “he”
#
# **Predict:** does *he* look more at the doctor or the patient in MiniLM? If the two change places? If he is *kind*?

# %%
follows = predict("he looks at the doctor or the patient. What decides?",
                  "who gives", "who is sick or kind", "neither")

# %%
found = []
for text in ["The doctor gave the patient medicine because he was sick.",
             "The patient gave the doctor medicine because he was sick.",
             "The doctor gave the patient medicine because he was kind."]:
    run = minilm.run(text)
    of_he = run.weights[:, :, run.tokens.index("he")]  # (layers, heads, tokens)
    doctor, patient = (of_he[..., run.tokens.index(word)] for word in ("doctor", "patient"))
    print(f"{text}\n    doctor {doctor.mean():.3f}, patient {patient.mean():.3f} on average; "
          f"more on the patient: {(patient > doctor).sum()} of {patient.size} heads")
    found.append(doctor.mean() > patient.mean())
follows.compare("who gives" if found == [True, False, True] else "neither")

# %% [markdown]
# Whoever gives gets more, sick or kind: the weights follow the place (the subject, which also comes first). The sense,
# first line against third, shifts them only slightly. A weight says what is mixed in: an association, no proof.
#
# **Quiz.** In a head of a trained model, “he” gives “doctor” more weight than “patient”. What follows?
#
# * a: The model takes “he” to be the doctor.
# * b: More of the doctor's value is mixed into “he” in this head; what that does later is open.
# * c: Nothing at all: attention weights are random.

# %% answer: answer_looks_at
answer_looks_at = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_looks_at = "b"
### END SOLUTION

# %% check: answer_looks_at
check("answer_looks_at", answer_looks_at)

# %% [markdown]
# ## One vector, three roles
#
# Queries, keys and values come from one vector per word, by three matrices that training finds: Q = X W_q, K = X W_k,
# V = X W_v. A token is a row of X, so X stands on the left.
#
# $$\underset{(n,\,d_k)}{Q} = \underset{(n,\,d)}{X}\; \underset{(d,\,d_k)}{W_q} \qquad
# \underset{(n,\,d_k)}{K} = \underset{(n,\,d)}{X}\; \underset{(d,\,d_k)}{W_k} \qquad
# \underset{(n,\,d_v)}{V} = \underset{(n,\,d)}{X}\; \underset{(d,\,d_v)}{W_v}$$
#
# **Write `project`**: the three of them, in this order.


# %% answer: project
def project(X, W_q, W_k, W_v):
    """X (..., n, d), W_q and W_k (d, d_k), W_v (d, d_v) →
    Q (..., n, d_k), K (..., n, d_k), V (..., n, d_v).
    """
    ### BEGIN SOLUTION
    return X @ W_q, X @ W_k, X @ W_v
    ### END SOLUTION


# %% check: project
check("project", project)

# %% [markdown]
# Our four words once more, with one vector of four features each. Three matrices, set by hand, make the keys and values
# from above, and the query of *he*:

# %%
X = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0.5, 0, 0, 1]])  # person, ill, thing, pronoun

W_q = np.array([[0, 0], [0, 0], [0, 0], [1, 1]])  # only a pronoun asks, for a person and for illness
W_k = np.array([[2, 0], [0, 2], [0, 0], [0, 0]])  # found by being a person, and by being ill
W_v = np.array([[1, 0], [-1, 1], [0.5, 0.5], [-0.5, 0]])  # hands over: treats, is treated

now = attend(*yours("project", project)(X, W_q, W_k, W_v))[0][3]
print("he takes away", now.round(2), "as before:", np.allclose(now, output))

# %% [markdown]
# ## Why not one matrix, or none?
#
# Without matrices, word i scores word j by x_i · x_j. **Predict:** are there vectors with which scissors score paper
# high, and paper scores scissors low?

# %%
one_way = predict("Are there such vectors?", "yes", "no")

# %%
rng = np.random.default_rng(4)
three = rng.normal(size=(3, 4))  # rock, scissors, paper: any vectors at all

raw = three @ three.T
print(raw.round(2))
print("the same read down as across:", np.allclose(raw, raw.T))
one_way.compare("no" if np.allclose(raw, raw.T) else "yes")

# %% [markdown]
# None: x_i · x_j and x_j · x_i are one number, the table is **symmetric**. One matrix W for both roles changes nothing:
# x_i W is again one vector per word. Two matrices can give a direction:

# %%
three, W_k = np.eye(3), np.eye(3)  # each word one-hot
W_q = np.array([[0, 3, 0], [0, 0, 3], [3, 0, 0]])  # rock asks for scissors, they for paper, it for rock

directed = (three @ W_q) @ (three @ W_k).T  # W_k changes nothing
print(softmax(directed).round(2))

# %% [markdown]
# Can that be learned? In *rock red paper blue … and scissors*, the last word looks once at the others, to name the colour
# beside what it beats: *blue*. One small model has raw dot products, the other queries, keys and values (*one head*).

# %%
from course_utils.experiments.ladder import training as ladder
from course_utils.experiments.ladder.sentences import KINDS, sentences

training = sentences(8000, np.random.default_rng(1), kind=KINDS.index("direction"))
test = sentences(5000, np.random.default_rng(2))
for stage in ["raw dot product", "one head"]:
    result = ladder.train(ladder.STAGES[stage](), training, test, steps=600)
    print(f"{stage:16} share of new sentences right: {result.by_kind[KINDS.index('direction')]:.1f}")

# %% [markdown]
# Half, as a coin between what scissors beat and what beats them, against all. (What this does not prove: lesson 6.)
#
# **Quiz.** Every word is one vector x, and scores are x · y. Scissors shall score paper high, and paper shall score
# scissors low. For which vectors can that be?
#
# * a: For some: they must be chosen well.
# * b: For none: if scissors score paper high, paper scores scissors just as high.
# * c: For some, if all have length 1.

# %% answer: answer_symmetric
answer_symmetric = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_symmetric = "b"
### END SOLUTION

# %% check: answer_symmetric
check("answer_symmetric", answer_symmetric)

# %% [markdown]
# ## The future is hidden
#
# *The weather today is really ___*. A model that learns to write must guess each word from those before: if it saw the
# next one, there would be nothing to learn.
#
# **Write `causal_mask`**: each word may look at itself and at what came before.


# %% answer: causal_mask
def causal_mask(n):
    """→ (n, n) of bool, a row per query: True where the key's position is at most the query's."""
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION


# %% check: causal_mask
check("causal_mask", causal_mask)

# %% [markdown]
# **Write `self_attention`** from your parts: project, then every word of a sentence asks every word of the same
# sentence, with the causal mask or with none. Also in a batch, n is `X.shape[-2]`.


# %% answer: self_attention
def self_attention(X, W_q, W_k, W_v, causal=False):
    """X (..., n, d) → output (..., n, d_v), weights (..., n, n), as attention gives them.

    causal: no word looks at a later one.
    """
    ### BEGIN SOLUTION
    Q, K, V = project(X, W_q, W_k, W_v)
    mask = causal_mask(X.shape[-2]) if causal else None
    return attention(Q, K, V, mask)
    ### END SOLUTION


# %% check: self_attention
check("self_attention", self_attention)

# %% [markdown]
# Real word vectors, untrained matrices of small random numbers: the weights mean nothing yet. Look only at where they are
# 0.

# %%
attend_to_self = yours("self_attention", self_attention)
sentence = ["the", "weather", "today", "is", "really"]
X = datasets.load_glove(50)[sentence]
W_q, W_k, W_v = (0.1 * np.random.default_rng(seed).normal(size=(50, 8)) for seed in (1, 2, 3))

outputs, weights = attend_to_self(X, W_q, W_k, W_v, causal=True)
plots.heatmap(weights, sentence, sentence, "Causal attention: nothing above the diagonal")

# %% [markdown]
# Is the future hidden? Put *not* in the place of *really*, and see whose output changes:

# %%
X_other = datasets.load_glove(50)[["the", "weather", "today", "is", "not"]]

for causal in [False, True]:
    one = attend_to_self(X, W_q, W_k, W_v, causal)[0]
    other = attend_to_self(X_other, W_q, W_k, W_v, causal)[0]
    noticed = [word for word, a, b in zip(sentence, one, other) if not np.allclose(a, b)]
    print(f"causal={causal}: noticed by {', '.join(noticed)}")

# %% [markdown]
# With the mask, only the changed word itself notices. One more thing is missing. **Predict:** if the first four words
# are shuffled, does *really* take away something else?

# %%
order = predict("Shuffled, really takes away …", "something else", "the same")

# %%
shuffled = attend_to_self(X[[3, 1, 0, 2, 4]], W_q, W_k, W_v, causal=True)[0]
order.compare("the same" if np.allclose(shuffled[4], outputs[4]) else "something else")

# %% [markdown]
# The same: of the words before it, *really* sees a bag, not an order. (Which words they are, the mask decides; where
# they stand, nothing tells.) Lesson 7 adds positions.

# %% [markdown] own words: why_three 2
# **In your own words.** A colleague wants to save memory and use one matrix for queries, keys and values alike. In
# three or four sentences: what can scores no longer say, and what can a word no longer hand over? (Marked by hand,
# 2 points.)
#
# ### BEGIN MARK SCHEME
# One point: with one matrix for queries and keys the scores are symmetric (and every word scores itself high), so a
# relation with a direction, such as who beats whom, cannot be asked. One point: with keys as values a word hands over
# what it is found by; being found and what is then taken away can no longer differ.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `attention_scores`: let every query meet every key.
# * `attention`: turn scores into weights, hide what must be hidden, and mix the values.
# * `design_query`: ask for any table of weights, and say what that proves (little).
# * `project`: give one word three roles, and say why it needs them.
# * `causal_mask` and `self_attention`: let a sentence look at itself, without its future.
#
# **Next.** The panel divided its scores by √2, and your functions by nothing. Its keys are two numbers wide. Why
# divide, and why by the square root of that width? Lesson 5 finds the number by experiment.
