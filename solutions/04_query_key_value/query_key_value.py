# %% [markdown]
# # 4 · Ask, be found, hand over
#
# **How does a word ask, how is it answered, and what does it take away?**
#
# By the end you will have written attention itself, in six short functions, and you will have seen what it does in
# a real model, and what it does not. It takes about 70 minutes.
#
# In lesson 3 a word took an average of its sentence, or looked at whatever resembled it. Now each word *asks*:
# which of the others should I look at?
#
# *The doctor gave the patient medicine because he was sick.* Who is *he*?

# %%
import numpy as np

from autograde import check, hint, yours
from course_utils import datasets, plots
from course_utils.embedding_space import softmax
from course_utils.explorers import query_key_value as explore
from course_utils.polysemy import mix

# %% [markdown]
# ## One question, with a loop
#
# A **query** is what a word asks for. A **key** is what a word can be found by. We set them by hand, two numbers
# each: *is it a person?* and *is it ill?*

# %%
words = ["doctor", "patient", "medicine", "he"]
keys = np.array([[2, 0], [2, 2], [0, 0], [1, 0]])  # person, ill

query = np.array([1, 1])  # "he" asks: which person here is ill?

# %% [markdown]
# **Step 1: scores.** The query meets every key. Multiply number by number, add: the dot product of lesson 1.

# %%
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
# **Step 3: take away.** What is handed over is a third thing, the **value**. Here, two numbers again: *treats* and
# *is treated*. The weights mix the values.

# %%
values = np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 0]])  # treats, is treated

output = sum(weight * value for weight, value in zip(weights, values))
print("he takes away", output.round(2))

# %% [markdown]
# *He* leaves with a vector that says *is treated*: the question found the patient. Score, softmax, mix: that is
# attention. Nothing more will come, only many words at once.
#
# ## All questions at once
#
# Four words, four queries: a matrix Q with a row each. One product gives all scores, row i for query i.
#
# Letters: n_q queries, n_k keys, both d_k numbers wide; values are d_v wide.

# %% [markdown]
# **Write `attention_scores`.** Leading axes `...` are a batch: many sentences at once. So turn only the last two
# axes of K: `np.swapaxes(K, -1, -2)`, not `K.T`.


# %% answer: attention_scores
def attention_scores(Q, K):
    """Q (..., n_q, d_k), K (..., n_k, d_k) → (..., n_q, n_k): query i against key j, not scaled."""
    ### BEGIN SOLUTION
    return Q @ np.swapaxes(K, -1, -2)
    ### END SOLUTION


# %% check: attention_scores
check("attention_scores", attention_scores)

# %%
Q = np.array([[0, 1], [2, -1], [1, 2], [1, 1]])  # the last row is the query of "he"
score_table = yours("attention_scores", attention_scores)(Q, keys)

print(score_table)
print("the row of he, as above:", score_table[3].tolist() == scores)

# %% [markdown]
# ## Attention
#
# Sometimes a word may not look everywhere: padding means nothing, and a model that writes must not see what comes
# next. A **mask** says so: `True` where a query *may* look, one row per query.

# %%
may_look = np.array([True, True, True, False])  # "he" must not look at itself

hidden = np.where(may_look, scores, -np.inf)
print("scores ", hidden)
print("weights", softmax(hidden).round(2))

# %% [markdown]
# A score of −∞ becomes a weight of exactly 0, because e^−∞ = 0, and the others share the whole. Mask *before*
# softmax: blanking weights afterwards leaves a sum below 1.

# %%
blanked = np.where(may_look, weights, 0)

print("blanked after softmax:", blanked.round(2), "sum", round(float(blanked.sum()), 2))

# %% [markdown]
# **Write `attention`**: scores, mask, softmax over the keys, mix. Return two things: output, weights. A query that
# may look nowhere gets weights 0 and output 0 (softmax of nothing but −∞ would be 0 / 0).
#
# Scores may be a million in size, arrays may hold whole numbers, and arguments stay as they were.


# %% answer: attention
def attention(Q, K, V, mask=None):
    """Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) →
    output (..., n_q, d_v), weights (..., n_q, n_k).

    mask: bool, True where a query may look; (n_q, n_k), or with batch axes that broadcast. No scaling.
    """
    ### BEGIN SOLUTION
    scores = attention_scores(Q, K)
    if mask is None:
        weights = softmax(scores)
    else:
        nowhere = ~mask.any(axis=-1, keepdims=True)
        scores = np.where(mask | nowhere, scores, -np.inf)
        weights = np.where(nowhere, 0, softmax(scores))
    return mix(weights, V), weights
    ### END SOLUTION


# %% check: attention
check("attention", attention)

# %%
attend = yours("attention", attention)
outputs, table = attend(Q, keys, values)

print("he takes away", outputs[3].round(2), "as above:", np.allclose(outputs[3], output))
plots.heatmap(table, words, words, "Who looks at whom (set by hand)")

# %% [markdown]
# A row is one word's question, and sums to 1. A column is how much a word is looked at by all, and may sum to
# anything:

# %%
print("rows   ", table.sum(axis=1).round(2))
print("columns", table.sum(axis=0).round(2))

# %% [markdown]
# ## Any table can be asked for
#
# You will meet tables like this one: in *Apple released a new iPhone*, how much should *apple* look at each of the
# other words?

# %%
told = {"iphone": 0.55, "released": 0.30, "new": 0.10, "a": 0.01}

print("sum of the told weights:", round(sum(told.values()), 2))

# %% [markdown]
# **Quiz.** iPhone 55 %, released 30 %, new 10 %, a 1 %: the weights of “apple” sum to 96 %. Whose is the rest?
#
# * a: Lost to rounding.
# * b: On the query: it needs a share to stay what it is.
# * c: On “apple” itself: a word is among the keys that it looks at.

# %% answer: answer_rest
answer_rest = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_rest = "c"
### END SOLUTION

# %% check: answer_rest
check("answer_rest", answer_rest)

# %% [markdown]
# Is there a query that gives exactly this table? Go backwards: softmax turns ln p into p, so the scores K q must be
# ln p. Those are linear equations, and q is the unknown.

# %% [markdown]
# **Write `design_query`.** The keys are independent rows, and there may be fewer of them than numbers in a key.
# Scores are not scaled. What counts is the table that your query yields.


# %% answer: design_query
def design_query(K, wanted):
    """K (n, d_k), n ≤ d_k independent rows; wanted (n,) positive, summing to 1 → q (d_k,):
    softmax(K @ q) is wanted.
    """
    ### BEGIN SOLUTION
    return np.linalg.lstsq(K, np.log(wanted), rcond=None)[0]
    ### END SOLUTION


# %% check: design_query
check("design_query", design_query)

# %% [markdown]
# Now with real keys: the vectors with which a real model, MiniLM, starts on these five words, 384 numbers each.

# %%
minilm = datasets.load_minilm()
run = minilm.run("Apple released a new iPhone.")
real_keys = run.hidden[0][1:6]
wanted = np.array([0.04, 0.30, 0.01, 0.10, 0.55])

q = yours("design_query", design_query)(real_keys, wanted)
for word, weight in zip(run.tokens[1:6], softmax(real_keys @ q)):
    print(f"{word:9} {weight:.2f}")

# %% [markdown]
# To the digit. That holds for *any* table, as long as the keys can be told apart. So the numbers of such a table are
# a wish, not a law: training decides what is asked.
#
# **Predict:** what does the trained model itself look at from *apple*, on average over all its heads?

# %%
guess = None  # one of the tokens below

of_apple = run.weights[:, :, 1].mean(axis=(0, 1))  # (layers, heads, queries, keys): query 1 is apple
plots.bars(dict(zip(run.tokens, of_apple)), "What apple looks at in MiniLM: mean of 48 heads", limits=(0, 1))

# %% [markdown]
# More than half rests on [CLS], a token without content, put in front of every text. Among the other words:

# %%
others = [run.tokens.index(word) for word in told]
shares = of_apple[others] / of_apple[others].sum()
for word, share in zip(told, shares):
    print(f"{word:9} told {told[word]:.2f}   measured {share:.2f}")
assert of_apple[0] > 0.5 and shares[0] > shares[1] > shares[3] > shares[2]

# %% [markdown]
# iphone first, released second: so far the story holds. But *a*, told to be worth almost nothing, gets more than
# *new*. And an average hides much: single heads differ widely.

# %%
on_iphone = run.weights[:, :, 1, 5]  # (layers, heads)
layer, head = np.unravel_index(on_iphone.argmax(), on_iphone.shape)

print(f"weight of iphone for apple, by head: from {on_iphone.min():.2f} to {on_iphone.max():.2f}")
print(f"the largest is head {head + 1} of layer {layer + 1}")

# %% [markdown]
# ## Four stages of attention
#
# Turn the query and watch everything follow. Begin with stage 1 and go up: what can the slider change in each? Open
# the calculation whenever a number looks odd.

# %%
explore.panel(attention=attend, attention_scores=yours("attention_scores", attention_scores))

# %% [markdown]
# **Try.** In stage 2, is there a direction in which *he* takes more than half from other words? In stage 3, make *he*
# listen to each word in turn. All vectors in there are set by hand.

# %%
stages = ["uniform average", "raw dot product", "query, key, value"]
rows = [explore.heads_of(explore.Panel(stage, 30))[0].weights for stage in (1, 2, 3)]

plots.heatmap(rows, stages, explore.WORDS, "Weights of he at +30°, stages 1 to 3")

# %%
own = [explore.heads_of(explore.Panel(2, angle))[0].weights[-1] for angle in range(-180, 180, 5)]

print(f"stage 2, share of he on itself: at least {min(own):.2f} in every direction")
assert min(own) > 0.5

# %% [markdown]
# There is none. With one vector for everything, a word that turns its question turns itself along, and hears itself
# best. Asking and being found have to be two things.

# %% [markdown]
# ## What a real model does with “he”
#
# Hand-set vectors find the patient, because we made them so. **Predict:** in MiniLM, does *he* look more at the
# doctor or at the patient? And if the two words change places?

# %%
guess = None  # "doctor" or "patient"

for text in ["The doctor gave the patient medicine because he was sick.",
             "The patient gave the doctor medicine because he was sick."]:
    run = minilm.run(text)
    of_he = run.weights[:, :, run.tokens.index("he")].mean(axis=(0, 1))
    print(text)
    print("   ", {word: round(float(of_he[run.tokens.index(word)]), 3) for word in ("doctor", "patient")})

# %% [markdown]
# It prefers the doctor. With the words exchanged it is the doctor who is sick, and now it prefers the patient: the
# weight follows the *subject*, the word that comes first, not the sense.

# %%
for ending in ["sick", "kind"]:
    run = minilm.run(f"The doctor gave the patient medicine because he was {ending}.")
    he, doctor, patient = (run.tokens.index(word) for word in ("he", "doctor", "patient"))
    prefers = run.weights[:, :, he, patient] > run.weights[:, :, he, doctor]
    print(f"he was {ending}: {prefers.sum()} of {prefers.size} heads look more at the patient")

# %% [markdown]
# Some heads lean to the patient, more of them do not, and the last word changes little. (These are the first four of
# six layers of a small model; another model has to be asked anew.) A weight is association, not proof.

# %% [markdown]
# **Quiz.** In a trained model, “he” gives “doctor” more weight than “patient”. What follows?
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
# Where do queries, keys and values come from? From one vector per word, by three matrices that training finds:
# Q = X W_q, K = X W_k, V = X W_v. A token is a row, so X stands on the left.
#
# **Write `project`.** X is d wide; W_q and W_k are (d, d_k), W_v is (d, d_v).


# %% answer: project
def project(X, W_q, W_k, W_v):
    """X (..., n, d) → Q (..., n, d_k), K (..., n, d_k), V (..., n, d_v)."""
    ### BEGIN SOLUTION
    return X @ W_q, X @ W_k, X @ W_v
    ### END SOLUTION


# %% check: project
check("project", project)

# %% [markdown]
# Our four words once more. Now each has one vector of four features, and three matrices give it three faces:

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
# Without matrices, word i scores word j by x_i · x_j, and word j scores word i by the same number. **Predict:** can
# scissors look at paper, and paper *not* at scissors?

# %%
rng = np.random.default_rng(4)
three = rng.normal(size=(3, 4))  # rock, scissors, paper: any vectors at all

raw = three @ three.T
print(raw.round(2))
print("the same read down as across:", np.allclose(raw, raw.T))

# %% [markdown]
# “Who beats whom” has a direction, and symmetric scores have none. Two matrices break the symmetry. Here each word
# is one-hot, W_q holds who asks for whom, and W_k changes nothing:

# %%
three, W_k = np.eye(3), np.eye(3)
W_q = np.array([[0, 3, 0], [0, 0, 3], [3, 0, 0]])  # rock asks for scissors, they for paper, it for rock

directed = (three @ W_q) @ (three @ W_k).T
print(softmax(directed).round(2))

# %% [markdown]
# Can it be learned? Sentences such as *rock red paper blue … and scissors*: which colour stands beside what the last
# word beats? Two small models, trained for 600 steps on 8,000 of them.

# %%
from course_utils import ladder_training as ladder
from course_utils.ladder_sentences import KINDS, sentences

training = sentences(8000, np.random.default_rng(1), kind=KINDS.index("direction"))
test = sentences(5000, np.random.default_rng(2))
for stage in ["raw dot product", "one head"]:
    result = ladder.train(ladder.STAGES[stage](), training, test, steps=600)
    print(f"{stage:16} share of new sentences right: {result.by_kind[KINDS.index('direction')]:.1f}")

# %% [markdown]
# Half against all: the first tosses a coin between what scissors beat and what beats scissors. Lesson 6 climbs this
# ladder rung by rung, on five kinds of sentence, and says what it does not prove.

# %% [markdown]
# **Quiz.** Every word is one vector x, and scores are x · y. Scissors shall look at paper, and paper shall not look
# at scissors. Which words can be arranged so?
#
# * a: Any: choose the vectors well.
# * b: None: if scissors scores paper high, paper scores scissors just as high.
# * c: Any, if all vectors have length 1.

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
# *The weather today is really ___*. A model that learns to write must guess each word from what came before. If
# it saw the next word, there would be nothing to learn.
#
# **Write `causal_mask`**: word i may look at itself and at what came before, key ≤ query.


# %% answer: causal_mask
def causal_mask(n):
    """→ (n, n) of bool: True where the key's position is at most the query's."""
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION


# %% check: causal_mask
check("causal_mask", causal_mask)

# %% [markdown]
# **Write `self_attention`** from the parts you have: every word of a sentence asks every word of the same sentence.
# In a batch the number of words is `X.shape[-2]`.


# %% answer: self_attention
def self_attention(X, W_q, W_k, W_v, causal=False):
    """X (..., n, d) → output (..., n, d_v), weights (..., n, n). causal: no word looks at a later one."""
    ### BEGIN SOLUTION
    Q, K, V = project(X, W_q, W_k, W_v)
    mask = causal_mask(X.shape[-2]) if causal else None
    return attention(Q, K, V, mask)
    ### END SOLUTION


# %% check: self_attention
check("self_attention", self_attention)

# %% [markdown]
# Real word vectors and untrained matrices: small random numbers, so the weights mean nothing yet. Look at the shape.

# %%
attend_to_self = yours("self_attention", self_attention)
sentence = ["the", "weather", "today", "is", "really"]
X = datasets.load_glove(50)[sentence]
W_q, W_k, W_v = (0.1 * np.random.default_rng(seed).normal(size=(50, 8)) for seed in (1, 2, 3))

before, weights = attend_to_self(X, W_q, W_k, W_v, causal=True)
plots.heatmap(weights, sentence, sentence, "Causal attention: nothing above the diagonal")

# %% [markdown]
# Is the future hidden? Put another word in the place of *really* and see who notices:

# %%
X_other = datasets.load_glove(50)[["the", "weather", "today", "is", "not"]]

for causal in [False, True]:
    one = attend_to_self(X, W_q, W_k, W_v, causal)[0]
    other = attend_to_self(X_other, W_q, W_k, W_v, causal)[0]
    noticed = [word for word, a, b in zip(sentence, one, other) if not np.allclose(a, b)]
    print(f"causal={causal}: noticed by {', '.join(noticed)}")

# %% [markdown]
# Only the changed word itself notices. One thing is still missing before a model can write. **Predict:** if the
# first four words are shuffled, does *really* take away something else?

# %%
guess = None  # "something else" or "the same"

shuffled = attend_to_self(X[[3, 1, 0, 2, 4]], W_q, W_k, W_v, causal=True)[0]
print("really takes away the same:", np.allclose(shuffled[4], before[4]))

# %% [markdown]
# The same: attention sees a bag of words, not an order. Lesson 7 adds positions. First, a question about *size*:
# scores grow with the width of the vectors, and softmax does not like it.

# %% [markdown] own words: why_three 2
# **In your own words.** A colleague wants to save memory and use one matrix for queries, keys and values alike. In
# two or three sentences: what can the model no longer do? (Marked by hand, 2 points.)
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

# %% [markdown]
# **Next.** The panel divided its scores by √2, and this lesson by nothing. Why divide, and why by the square root of
# the width of a key and by nothing else? Lesson 5 finds the number by experiment.
