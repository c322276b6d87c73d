# %% [markdown]
# # 1 · A word is a list of numbers
#
# **How can a computer tell that a dog is more like a cat than like a car?**
#
# By the end you will have written five short functions that turn words into rows of numbers and measure how near
# two words are, and you will have tried them on 20,000 real words. It takes about 50 minutes.

# %% [markdown]
# **How this notebook works.** Run each cell with Shift + Enter. Where it says `# your code here`, write a few
# lines; the cell below checks them and says which mistake it sees. `hint("…")` helps, one step at a time.

# %%
from timeit import timeit

import numpy as np

from autograde import check, hint, yours
from course_utils import datasets, plots
from course_utils.explorers import word_vectors as explore

# %% [markdown]
# ## One number is not enough
#
# The simplest idea first: give each word one number, say how much of an animal it is.

# %%
animality = {"Dog": 0.98, "Cat": 0.97, "Elephant": 0.99, "Car": 0.02}

for word, number in animality.items():
    print(f"{word:9} differs from Dog by {abs(number - animality['Dog']):.2f}")

# %% [markdown]
# A car is far away: good. But an elephant is as near to a dog as a cat is. One number cannot say that a dog is
# alive *and* small *and* tame.

# %% [markdown]
# ## Several numbers: a vector
#
# So we use a row of numbers, one for each feature. A dog, in five:

# %%
features = ["animality", "living being", "vehicle-ness", "body size", "domesticity"]
dog = [0.98, 0.99, 0.01, 0.45, 0.95]

for feature, value in zip(features, dog):
    print(f"{feature:13} {value:.2f}  {'█' * round(20 * value)}")

# %% [markdown]
# Now you. Replace each `None` by five numbers between 0 and 1, in the order above. There is no right answer: they
# are your opinion. Then run the cell.

# %%
your_rows = {
    "Cat": None,
    "Elephant": None,
    "Car": None,
    "Truck": None,
}
explore.features(your_rows)

# %% [markdown]
# The sliders change one word's numbers, and the table beside them says at once how alike the words are. How it
# does that is what you will build in this lesson.
#
# **Try:** which single slider brings Car nearest to Dog?

# %% [markdown]
# ## Numbers without opinions: one-hot
#
# Nobody can fill in such a table for every word of a language. A way that needs no opinion: give each word a
# column of its own, with a single 1 in it.
#
# With the vocabulary cat, dog, car, truck, the row of word number 1 (dog) is `[0, 1, 0, 0]`.

# %% [markdown]
# **Write `one_hot`.** One row per id, V = `vocab_size` columns, and an id of V or more is an error. Letters of
# this course: V words in the vocabulary, n words at hand.


# %% answer: one_hot
def one_hot(ids, vocab_size):
    """ids (n,) whole numbers → (n, vocab_size): zeros, with a single 1 in the column of each id.

    An id of vocab_size or more raises IndexError or ValueError.
    """
    ### BEGIN SOLUTION
    rows = np.zeros((len(ids), vocab_size))
    for row, word in enumerate(ids):
        rows[row, word] = 1
    return rows
    ### END SOLUTION


# %% check: one_hot
check("one_hot", one_hot)

# %% [markdown]
# **Predict, then run.** How far is dog from cat in one-hot rows, and how far from car? Put your guess into words
# first: nearer, farther, or the same?

# %%
guess = None  # "nearer", "farther" or "the same"

vocabulary = ["cat", "dog", "car", "truck"]
rows = yours("one_hot", one_hot)([0, 1, 2, 3], vocab_size=4)
for word, row in zip(vocabulary, rows):
    print(f"dog to {word:6} distance {np.linalg.norm(rows[1] - row):.3f}   dot product {row @ rows[1]:.0f}")

# %% [markdown]
# The same to every other word: each pair of different rows shares no 1, so their dot product is 0. One-hot rows
# tell words apart, and nothing else.

# %% [markdown]
# **Quiz.** Why can one-hot rows not say that a dog is nearer to a cat than to a car?
#
# * a: They are too long: 20,000 numbers for one word.
# * b: Their numbers are whole, and similarity needs fractions.
# * c: Any two different rows have dot product 0 and the same distance.

# %% answer: answer_one_hot
answer_one_hot = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_one_hot = "c"
### END SOLUTION

# %% check: answer_one_hot
check("answer_one_hot", answer_one_hot)

# %% [markdown]
# They are also large. Let us count the bytes for a real vocabulary, at four bytes a number, against rows of 100
# numbers, which is what we will use.

# %%
glove = datasets.load_glove()
V = len(glove)

print(f"{V:,} words")
print(f"one-hot: {V} × {V} numbers = {4 * V * V / 1e6:,.0f} MB")
print(f"dense:   {V} × 100 numbers = {4 * V * 100 / 1e6:,.0f} MB")

# %% [markdown]
# ## A table of dense rows
#
# Keep one row of d numbers for each word, all in one table E with V rows: the **embedding matrix**. A word's id
# says which row is its own.

# %%
E = np.array([[1, 2], [3, 4], [5, 6]])  # V = 3 words, d = 2 numbers each

print("word 2 is the row", E[2])

# %% [markdown]
# **Write `embed`**, for many ids at once. An id may come twice, and the order counts: *dog bites man* is not *man
# bites dog*.


# %% answer: embed
def embed(ids, E):
    """ids (n,) whole numbers, E (V, d) → (n, d): the row of E for each id, in order."""
    ### BEGIN SOLUTION
    return E[ids]
    ### END SOLUTION


# %% check: embed
check("embed", embed)

# %% [markdown]
# A lookup looks like a trick, but it is a matrix product: a one-hot row times E picks one row. That is why a
# network can learn E like any other weights.

# %%
ids = [2, 0, 2]
lookup = yours("embed", embed)(ids, E)
product = yours("one_hot", one_hot)(ids, 3) @ E

print(lookup)
print("the same as one_hot(ids) @ E:", np.array_equal(lookup, product))

# %% [markdown]
# The same result, at another price. Six words of the real vocabulary, timed both ways:

# %%
ids = glove.ids(["the", "dog", "bites", "the", "old", "man"])
one_hot_rows = np.eye(V, dtype=np.float32)[ids]
seconds_lookup = min(timeit(lambda: glove.E[ids], number=5) for _ in range(5))
seconds_product = min(timeit(lambda: one_hot_rows @ glove.E, number=5) for _ in range(5))
print("the product takes more than ten times as long:", seconds_product > 10 * seconds_lookup)

# %% [markdown]
# ## How near? The dot product
#
# Two numbers a word, so that we can draw them. Which of the two is nearer to Dog?

# %%
Dog, Cat, Car = np.array([2, 3]), np.array([4, 6]), np.array([3, -2])

plots.arrows({"Dog": Dog, "Cat": Cat, "Car": Car}, title="Three words as arrows")

# %% [markdown]
# Multiply number by number, then add. First with a loop, so that nothing is hidden:

# %%
total = 0
for a, b in zip(Dog, Cat):
    print(f"{a} × {b} = {a * b}")
    total += a * b
print("Dog · Cat =", total)

# %% [markdown]
# **Write `dot_products`**: every row of X against one vector y. X has n rows of d numbers; the result is one
# number per row.


# %% answer: dot_products
def dot_products(X, y):
    """X (n, d), y (d,) → (n,): multiply number by number, add along each row."""
    ### BEGIN SOLUTION
    return (X * y).sum(axis=1)
    ### END SOLUTION


# %% check: dot_products
check("dot_products", dot_products)

# %%
dots = yours("dot_products", dot_products)
scores = dots(np.array([Cat, Car]), Dog)

print("Dog · Cat =", scores[0])
print("Dog · Car =", scores[1])

# %% [markdown]
# 26 against 0. "More similar means a larger dot product": that is how it is often told. **Predict:** what is Dog
# with itself? Surely nothing is nearer to a dog than a dog.

# %%
guess = None  # smaller than 26, 26, or larger?

far = np.array([40, -20])
for name, other in {"Dog": Dog, "Cat": Cat, "a long arrow to the side": far}.items():
    print(f"Dog · {name} = {dots(other[None], Dog)[0]}")

# %% [markdown]
# Dog scores *lower* with itself than with Cat, and an arrow that points somewhere else altogether beats it too.
# The dot product rewards length as well as direction.

# %%
assert dots(Dog[None], Dog)[0] == 13 and dots(far[None], Dog)[0] == 20

print("length of Dog:", round(float(np.linalg.norm(Dog)), 2))
print("length of Cat:", round(float(np.linalg.norm(Cat)), 2))
print("length of the long arrow:", round(float(np.linalg.norm(far)), 2))

# %% [markdown]
# **Quiz.** Every number in the row of one word is doubled. What changes in its similarities with the other words?
#
# * a: Both the dot products and the cosines double.
# * b: The dot products double, the cosines stay.
# * c: Nothing: the direction is the same.
#
# (The cosine is the dot product divided by both lengths. You will write it next.)

# %% answer: answer_longer
answer_longer = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_longer = "b"
### END SOLUTION

# %% check: answer_longer
check("answer_longer", answer_longer)

# %% [markdown]
# ## Only the direction: the cosine
#
# Divide the dot product by both lengths, and only the angle is left:
#
#     cosine(u, v)  =  u · v / (|u| · |v|)
#
# It is 1 for the same direction, 0 for a right angle, −1 for opposite directions.

# %% [markdown]
# **Write `cosine_similarity`.** A vector of zeros has no direction; in this course its cosine with anything is 0.0.
# The length of u is `np.linalg.norm(u)`.


# %% answer: cosine_similarity
def cosine_similarity(u, v):
    """u (d,), v (d,) → one number from -1 to 1; 0.0 if either is all zeros."""
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    if lengths == 0:
        return 0.0
    return u @ v / lengths
    ### END SOLUTION


# %% check: cosine_similarity
check("cosine_similarity", cosine_similarity)

# %%
cosine = yours("cosine_similarity", cosine_similarity)

for name, other in {"Dog": Dog, "Cat": Cat, "Car": Car, "the long arrow": far}.items():
    print(f"cosine of Dog and {name}: {cosine(Dog, other):.2f}")

# %% [markdown]
# Now the order is as it should be: Dog and Cat point the same way, Car is at a right angle, and the long arrow's
# length no longer helps it.
#
# Turn and stretch the arrows yourself. **Find a position where only a length changes and the ranking flips.**

# %%
explore.arrows(dot_products=dots, cosine_similarity=cosine)

# %% [markdown]
# A picture for paper: the same Dog with a Cat that grows. The dot product climbs with the length, the cosine
# stays level.

# %%
lengths = np.linspace(0.5, 5, 10)
direction = np.array([3, 2]) / np.linalg.norm([3, 2])
similarities = {"dot product": [dots((l * direction)[None], Dog)[0] for l in lengths],
                "cosine": [cosine(l * direction, Dog) for l in lengths]}

plots.lines(lengths, similarities, "Only one of them grows with length", "length of the other arrow",
            "similarity with Dog")

# %% [markdown]
# Three numbers a word, as such tables are often printed. Are dog and cat near, and the car far?

# %%
Dog3, Cat3, Car3 = [0.91, 0.83, 0.22], [0.88, 0.80, 0.24], [0.10, 0.07, 0.95]

for name, u, v in [("dog and cat", Dog3, Cat3), ("dog and car", Dog3, Car3), ("cat and car", Cat3, Car3)]:
    print(f"{name}: {cosine(np.array(u), np.array(v)):.3f}")

# %% [markdown]
# ## Everything against everything
#
# To compare many words, one table holds all the cosines: row i and column j is word i against word j. A loop over
# pairs would do; a matrix product does it at once.

# %%
table = np.array([dog, [0.97, 0.99, 0.01, 0.25, 0.90], [0.02, 0.01, 0.98, 0.60, 0.40]])  # dog, cat, car

for i in range(3):
    print("  ".join(f"{cosine(table[i], table[j]):.2f}" for j in range(3)))

# %% [markdown]
# **Write `cosine_matrix`** without a loop. If every row is one long, all the cosines are simply `X @ Y.T`. A row
# of zeros gives zeros, and it must not spoil the others.


# %% answer: cosine_matrix
def cosine_matrix(X, Y):
    """X (n, d), Y (m, d) → (n, m): the cosine of each row of X with each row of Y; a zero row gives zeros."""
    ### BEGIN SOLUTION
    length_x = np.linalg.norm(X, axis=1, keepdims=True)
    length_y = np.linalg.norm(Y, axis=1, keepdims=True)
    length_x = np.where(length_x == 0, 1, length_x)
    length_y = np.where(length_y == 0, 1, length_y)
    return (X / length_x) @ (Y / length_y).T
    ### END SOLUTION


# %% check: cosine_matrix
check("cosine_matrix", cosine_matrix)

# %% [markdown]
# Your function now draws the table that you saw at the beginning, with one opinion filled in for each word.

# %%
cosines = yours("cosine_matrix", cosine_matrix)
explore.features(cosine_matrix=cosines)

# %% [markdown]
# ## Real words
#
# Now rows that nobody filled in by hand: GloVe, learned from six billion words of text (Pennington, Socher and
# Manning 2014). Each of our words has 100 numbers.

# %%
print(np.round(glove["dog"][:8], 2), "… and 92 more")

for pair in ["dog cat", "dog car", "cat car"]:
    u, v = glove[pair.split()]
    print(f"{pair:8} {cosine(u, v):.2f}")

# %% [markdown]
# The dog is nearer to the cat than to the car, and nobody told. **Predict:** *good* and *bad* are opposites. Will
# their cosine be negative, near 0, or large?

# %%
guess = None  # "negative", "near 0" or "large"

for pair in ["good bad", "hot cold"]:
    u, v = glove[pair.split()]
    print(f"{pair:9} {cosine(u, v):.2f}")

# %% [markdown]
# Large. Both words stand in the same places of a sentence: *the food was good*, *the food was bad*. Near means
# **used alike**, not **means alike**.

# %%
words = "dog cat horse car truck bus good bad hot cold".split()
all_cosines = cosines(glove[words], glove[words])

plots.heatmap(all_cosines, words, words, "Cosines of ten words", low=-1, high=1)

# %%
print("the most alike pair of different words here:")
pairs = [(all_cosines[i, j], words[i], words[j]) for i in range(10) for j in range(i)]
print(max(pairs)[1:], f"{max(pairs)[0]:.2f}")

# %% [markdown]
# **Quiz.** In the GloVe vectors, good and bad have a cosine near 0.8. What does that tell?
#
# * a: The two words are used in similar sentences.
# * b: The two words mean nearly the same.
# * c: The vectors are wrong and need more training.

# %% answer: answer_near
answer_near = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_near = "a"
### END SOLUTION

# %% check: answer_near
check("answer_near", answer_near)

# %% [markdown] own words: why_cosine 2
# **In your own words.** A friend ranks search results by dot product and finds that long documents always win. In
# two or three sentences: why, and what would you change? (Marked by hand, 2 points.)
#
# ### BEGIN MARK SCHEME
# One point: the dot product grows with the length of the vector, whatever its direction. One point: divide by the
# lengths (use the cosine, or make all vectors one long), so that only the direction counts.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `one_hot`: give every word a row of its own, and say why that is not enough.
# * `embed`: look up dense rows, and say why a lookup is a matrix product.
# * `dot_products`: measure similarity, and say what length does to it.
# * `cosine_similarity`: measure direction alone.
# * `cosine_matrix`: compare every word with every other at once.

# %% [markdown]
# **Next.** Nobody filled in GloVe's numbers: they began at random. How do random numbers become meaning? Lesson 2
# trains them before your eyes.
