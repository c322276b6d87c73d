# %% [markdown]
# # 1 · A word is a list of numbers
#
# **How can a computer tell that a dog is more like a cat than like a car?**
#
# By the end you will have written five short functions that turn words into rows of numbers and measure how near
# two words are, and you will have tried them on 20,000 real words. It takes about 70 minutes and asks for basic
# Python and school mathematics; NumPy is explained as it comes.
#
# **How it works.** Run each cell with Shift + Enter. Where it says `# your code here`, write a few lines and run the
# cell; the one below checks them and names the mistake it sees. `hint("one_hot")`, in a new cell, opens one hint
# after another. Where a cell asks you to **predict**, choose first: your choice is locked, and the next cell compares.

# %%
from timeit import timeit

import numpy as np

from autograde import check, hint, predict, yours
from course_utils import datasets
from course_utils.explorers import word_vectors as explore
from course_utils.figures import drawings, plots

# %% [markdown]
# ## One number is not enough
#
# The simplest idea first: one number per word. Let it say how much of an animal each one is.

# %%
animality = {"Dog": 0.98, "Cat": 0.97, "Elephant": 0.99, "Car": 0.02}

for word, number in animality.items():
    print(f"{word:9} differs from Dog by {abs(number - animality['Dog']):.2f}")

# %% [markdown]
# A car is far away: good. But an elephant is as near to a dog as a cat is. One number cannot say that a dog is
# alive *and* small *and* tame.
#
# ## Several numbers: a vector
#
# So we use a row of numbers, one for each feature: a **vector**. A dog, in five:

# %%
features = ["animality", "living being", "vehicle-ness", "body size", "domesticity"]
dog = [0.98, 0.99, 0.01, 0.45, 0.95]

for feature, value in zip(features, dog):
    print(f"{feature:13} {value:.2f}  {'█' * round(20 * value)}")

# %% [markdown]
# Now you. Replace each `None` by five numbers between 0 and 1, as in `dog`; they are your opinion. The table on the
# right says how alike two words are, 1.00 being the most. Its measure, the *cosine*, you will build yourself.
#
# **Try:** which single slider brings Car nearest to Dog?

# %%
your_rows = {
    "Cat": None,
    "Elephant": None,
    "Car": None,
    "Truck": None,
}
explore.features(your_rows)

# %% [markdown]
# ## Numbers without opinions: one-hot
#
# Nobody can fill in such a table for every word. A way that needs no opinion: each word gets a column of its own, with a
# single 1 in it. In the vocabulary cat, dog, car, truck, the dog has **id** 1, counted from 0: `[0, 1, 0, 0]`.
#
# NumPy keeps numbers in **arrays**, each with a **shape**: (2, 4) is a table of 2 rows and 4 columns.

# %%
table = np.zeros((2, 4))
table[0, 1] = 5  # row 0, column 1

print(table)
print("shape of the table:", table.shape, "  shape of one row:", table[0].shape)

# %% [markdown]
# **Write `one_hot`**: one row per id, with its 1 in the id's column. Letters of this course: n words at hand, V words
# in the vocabulary; so the shape is (n, V). NumPy's own error for a column that is not there will do.


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
# Compare two rows by the length of their difference (`np.linalg.norm`), or by their **dot product**: multiply number
# by number, then add up. NumPy writes it `u @ v`. Three of them by hand:

# %%
u, v, w = np.array([1, 2, 0]), np.array([3, 1, 5]), np.array([0, 0, 4])
print("u @ v = 1·3 + 2·1 + 0·5 =", u @ v)
print("u @ w = 1·0 + 2·0 + 0·4 =", u @ w)
print("v @ w = 3·0 + 1·0 + 5·4 =", v @ w)

# %%
nearer = predict("By their one-hot rows, where is dog?",
                 "nearer to cat than to car", "nearer to car than to cat", "equally near to both")

# %%
vocabulary = ["cat", "dog", "car", "truck"]
rows = yours("one_hot", one_hot)([0, 1, 2, 3], 4)  # your function if its check passed
distances = {}
for word, row in zip(vocabulary, rows):
    distances[word] = np.linalg.norm(rows[1] - row)
    print(f"dog to {word:6} distance {distances[word]:.3f}   dot product {row @ rows[1]:.0f}")

equal = distances["cat"] == distances["car"]
nearer.compare("equally near to both" if equal else "nearer to cat than to car")

# %% [markdown]
# Two different rows share no 1, so every product is 0, and so is the sum. One-hot rows tell words apart, and nothing
# else.
#
# **Quiz.** A shop gives each of its 5,000 articles a one-hot row. One more article is added. What does its row say
# about it?
#
# * a: Which articles it is most like: they are nearest.
# * b: Nothing new: it can reuse the row of a like article, and the rows stay 5,000 long.
# * c: Only that it is another one: dot product 0 with all 5,000, and every row is a column longer.

# %% answer: answer_one_hot
answer_one_hot = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_one_hot = "c"
### END SOLUTION

# %% check: answer_one_hot
check("answer_one_hot", answer_one_hot)

# %% [markdown]
# ## A table of dense rows
#
# One-hot rows are also large. Instead, keep a **dense** row of d numbers for each word, all in one table E of shape
# (V, d): the **embedding matrix**. A word's id says which row is its own.

# %%
glove = datasets.load_glove()  # real words, for later
V = len(glove)
print(f"one-hot: {V} × {V} numbers of 4 bytes = {4 * V * V / 1e6:,.0f} MB")
print(f"dense:   {V} × 100 numbers of 4 bytes = {4 * V * 100 / 1e6:,.0f} MB")

E = np.array([[1, 2], [3, 4], [5, 6]])  # V = 3 words, d = 2 numbers each
print("the row of word 2:", E[2])

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
# The lookup is a **matrix product** as well. Row i of the product takes each row of E as often as row i of the one-hot
# table O says, and adds them up:
#
# $$\underset{(n,\,d)}{\text{rows}} \;=\; \underset{(n,\,V)}{O}\;\underset{(V,\,d)}{E}$$
#
# For whole tables `@` does that for every row at once.

# %%
O = yours("one_hot", one_hot)([2, 0, 2], 3)
print("word 2, by hand:", 0 * E[0] + 0 * E[1] + 1 * E[2])
print("O @ E is the same as embed:", np.array_equal(O @ E, yours("embed", embed)([2, 0, 2], E)))
drawings.product(O, E, names=("O (n, V)", "E (V, d)", "rows (n, d)"), title="A lookup, as a matrix product")

# %%
price = predict("With 20,010 real words, how long does the product take, beside the lookup?",
                "less", "about as long", "more than ten times as long")

# %%
ids = glove.ids(["the", "dog", "bites", "the", "old", "man"])
O = np.zeros((6, V), dtype=np.float32)
O[np.arange(6), ids] = 1  # row 0 at ids[0], row 1 at ids[1], …
lookup = min(timeit(lambda: glove.E[ids], number=5) for _ in range(5))
product = min(timeit(lambda: O @ glove.E, number=5) for _ in range(5))
price.compare("more than ten times as long" if product > 10 * lookup
              else "less" if product < lookup else "about as long")

# %% [markdown]
# ## How near? The dot product
#
# Back to near and far, with two numbers a word, so that we can draw them as arrows. Which is nearer to Dog: Cat or
# Car?

# %%
Dog, Cat, Car = np.array([2, 3]), np.array([4, 6]), np.array([3, -2])

plots.arrows({"Dog": Dog, "Cat": Cat, "Car": Car}, title="Three words as arrows")

# %% [markdown]
# The dot product again, with a loop, so that nothing is hidden:

# %%
for name, other in {"Cat": Cat, "Car": Car}.items():
    total = 0
    for a, b in zip(Dog, other):
        total += a * b
        print(f"{a} × {b} = {a * b}")
    print(f"Dog · {name} = {total}")

# %% [markdown]
# **Write `dot_products`**: every row of X against one vector y, one number per row. A loop over the rows will do, and
# so will NumPy's `X * y` with `.sum(axis=1)`, or `@`.


# %% answer: dot_products
def dot_products(X, y):
    """X (n, d), y (d,) → (n,): multiply number by number, add along each row."""
    ### BEGIN SOLUTION
    return (X * y).sum(axis=1)
    ### END SOLUTION


# %% check: dot_products
check("dot_products", dot_products)

# %% [markdown]
# 26 against 0. "More similar means a larger dot product": that is how it is often told. So what is Dog with itself?
# Surely nothing is nearer to a dog than a dog.

# %%
itself = predict("Dog · Dog, beside Dog · Cat = 26, is …", "smaller", "26 too", "larger")

# %%
dots = yours("dot_products", dot_products)
far = np.array([40, -20])
scores = dots(np.array([Dog, Cat, far]), Dog)
for name, arrow, score in zip(["Dog", "Cat", "a far arrow"], [Dog, Cat, far], scores):
    print(f"Dog · {name:11} = {score}   length of {name}: {np.linalg.norm(arrow):.2f}")

order = np.sign(scores[0] - scores[1])  # −1, 0 or 1
itself.compare({-1: "smaller", 0: "26 too", 1: "larger"}[int(order)])

# %% [markdown]
# Dog scores *lower* with itself than with Cat, and an arrow that points elsewhere beats it too. The dot product
# rewards length as well as direction.
#
# ## Only the direction: the cosine
#
# Divide the dot product by both lengths, and only the angle is left:
#
# $$\text{cosine}(u, v) \;=\; \frac{u \cdot v}{|u|\;|v|} \qquad\quad \underset{(d,)}{u},\;\underset{(d,)}{v}
# \;\to\; \text{one number}$$
#
# Why: if v grows threefold, u · v grows threefold (each of its products does) and so does |v|: the fraction stays. It
# is 1 for the same direction, 0 for a right angle, −1 for opposite directions. **Write `cosine_similarity`.** |u|,
# the length of the arrow, is the root of the sum of its squares: `np.linalg.norm(u)`.


# %% answer: cosine_similarity
def cosine_similarity(u, v):
    """u (d,), v (d,) → one number from -1 to 1.

    A vector of zeros has no direction: its cosine with anything is 0.0.
    """
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

for name, other in {"Dog": Dog, "Cat": Cat, "Car": Car, "the far arrow": far}.items():
    print(f"cosine of Dog and {name}: {cosine(Dog, other):.2f}")

three = {"Dog": [0.91, 0.83, 0.22], "Cat": [0.88, 0.80, 0.24], "Car": [0.10, 0.07, 0.95]}
for name, row in three.items():
    print(f"with three numbers: {name} {cosine(np.array(three['Dog']), np.array(row)):.4f}")

# %% [markdown]
# Now the order is as it should be: length no longer helps the far arrow. Three numbers a word, as such tables are
# often printed, do as well.
#
# Turn and stretch the arrows yourself; Truck stays. **Try:** change only a length, until the two measures disagree about
# which word is nearer to Dog.

# %%
explore.arrows(dot_products=dots, cosine_similarity=cosine)

# %% [markdown]
# **Quiz.** u · v = 6, with lengths |u| = 2 and |v| = 6. Now v is replaced by −3 v. What are the new dot product and
# the new cosine?
#
# * a: −18 and −1.5.
# * b: −18 and −0.5.
# * c: 18 and 0.5.

# %% answer: answer_longer
answer_longer = None  # "a", "b" or "c"
### BEGIN SOLUTION
answer_longer = "b"
### END SOLUTION

# %% check: answer_longer
check("answer_longer", answer_longer)

# %% [markdown]
# ## Everything against everything
#
# In one table of all the cosines, row i and column j hold word i against word j. First your own rows of the beginning,
# with two loops (where you left `None`, ours):

# %%
filled = explore.filled(your_rows)
table = np.array([dog, *filled.values()])
for word, row in zip(["Dog", *filled], table):
    print(f"{word:9}", "  ".join(f"{cosine(row, other):.2f}" for other in table))

# %% [markdown]
# Two loops are slow for 20,000 words. NumPy divides all rows by their lengths at once. `axis=1` goes along each row;
# `keepdims=True` keeps the lengths in a column, so that each row meets its own:

# %%
row_lengths = np.linalg.norm(table, axis=1, keepdims=True)
print("shapes:", table.shape, "divided by", row_lengths.shape)
print("lengths after dividing:", np.linalg.norm(table / row_lengths, axis=1))
print("a length of 0, replaced:", np.where(np.array([5, 0, 2]) == 0, 1, np.array([5, 0, 2])))

# %% [markdown]
# Let X̂ and Ŷ be X and Y with every row at length 1. Then all cosines are one product; `.T` turns rows into columns.
#
# $$\underset{(n,\,m)}{\text{cosines}} \;=\; \underset{(n,\,d)}{\hat X}\;\underset{(d,\,m)}{\hat Y^{T}}$$
#
# **Write `cosine_matrix`**, without a loop if you can.


# %% answer: cosine_matrix
def cosine_matrix(X, Y):
    """X (n, d), Y (m, d) → (n, m): the cosine of each row of X with each row of Y.

    A row of zeros gives zeros, and does not spoil the others.
    """
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
# Your function now fills the table that you saw at the beginning, with the rows that you gave it.

# %%
cosines = yours("cosine_matrix", cosine_matrix)
explore.features(filled, cosine_matrix=cosines)

# %% [markdown]
# ## Real words
#
# Now rows that nobody filled in by hand: GloVe, learned from six billion words of text (Pennington, Socher and
# Manning 2014). Each word has 100 numbers. *Good* and *bad* are opposites, so …

# %%
opposites = predict("The cosine of good and bad is …", "near −1", "near 0", "above 0.5")

# %%
print(np.round(glove["dog"][:8], 2), "… and 92 more")
for pair in ["dog cat", "dog car", "cat car", "good bad", "hot cold"]:
    u, v = glove[pair.split()]
    print(f"{pair:9} {cosine(u, v):.2f}")

found = cosine(*glove[["good", "bad"]])
opposites.compare("above 0.5" if found > 0.5 else "near 0" if found > -0.5 else "near −1")

# %% [markdown]
# Dog is nearer to cat than to car, and nobody said so. But opposites are near too: *good* and *bad* stand in the same
# places of a sentence. Near means **used alike**, not **means alike**.

# %%
words = "dog cat horse car truck bus good bad hot cold".split()
all_cosines = cosines(glove[words], glove[words])

plots.heatmap(all_cosines, words, words, "Cosines of ten words of GloVe", low=-1, high=1)

# %% [markdown]
# **Quiz.** Vectors are learned from restaurant reviews, where delicious and disgusting stand in the same places. What
# will their cosine be?
#
# * a: Large: they are used alike.
# * b: Near −1: they are opposites.
# * c: Near 0: they hardly ever stand in the same sentence.

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
# lengths (use the cosine, or give all vectors length 1), so that only the direction counts.
# ### END MARK SCHEME

# %% [markdown]
# ## What you can do now
#
# * `one_hot`: give every word a row of its own, and say why that is not enough.
# * `embed`: look up dense rows, and say why a lookup is a matrix product.
# * `dot_products`: measure similarity, and say what length does to it.
# * `cosine_similarity`: measure direction alone.
# * `cosine_matrix`: compare every word with every other at once.
#
# **Next.** Nobody filled in GloVe's numbers: they began at random. How do random numbers become meaning? Lesson 2
# trains them before your eyes.

# %% [markdown]
# ## Going further
#
# *Not graded.* The same Dog with a Cat that grows, on paper: the dot product climbs with the length, the cosine stays
# level.

# %%
lengths = np.linspace(0.5, 5, 10)  # ten lengths from 0.5 to 5
direction = np.array([3, 2]) / np.linalg.norm([3, 2])
grown = np.array([length * direction for length in lengths])
similarities = {"dot product": dots(grown, Dog), "cosine": [cosine(arrow, Dog) for arrow in grown]}

plots.lines(lengths, similarities, "Only one of them grows with length", "length of the other arrow",
            "similarity with Dog")
