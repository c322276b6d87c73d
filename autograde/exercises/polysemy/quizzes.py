"""Lesson 3: the multiple-choice questions."""

from autograde.engine.exercise import Option, Quiz

ANSWER_STATIC = Quiz(
    name="answer_static",
    lesson="polysemy",
    question="A newspaper writes of river banks twenty times as often as of money banks. Static rows are trained on it. "
    "What is its row of bank like?",
    options={
        "a": Option(
            "Mostly the river's: water and shore are near, money is fainter.",
            "A row is one compromise for every sentence that the word stood in, and here nearly all of them are of rivers.",
        ),
        "b": Option(
            "Half river and half money, because the word has two meanings.",
            "Training counts uses, not meanings: twenty sentences of one kind weigh more than one of the other.",
        ),
        "c": Option(
            "There are two rows, because the two uses differ so much.",
            "A static table has one row for each spelling, however different its uses are.",
        ),
    },
    right="a",
    hints=("GloVe's apple is a company. What would have to change in its text for it to be a fruit?",),
)

ANSWER_AVERAGE = Quiz(
    name="answer_average",
    lesson="polysemy",
    question="The same word stands at places 2 and 5 of a sentence of six words, counted from 0. Every word takes the "
    "*causal* average, uniform_weights(6, causal=True). What do its two uses get?",
    options={
        "a": Option(
            "The same vector: one word, one row.",
            "One row goes in, but what comes out is a mix, and the two uses are mixed with different words.",
        ),
        "b": Option(
            "The same vector: every row of the weights sums to 1.",
            "It does, and still rows 2 and 5 differ: one third for each of three words, one sixth for each of six.",
        ),
        "c": Option(
            "Two vectors: the later one averages three words more.",
            "Place 2 averages words 0 to 2, place 5 words 0 to 5. Without the mask both would average all six.",
        ),
        "d": Option(
            "Two vectors: the causal weights leave the word itself out.",
            "They keep it: row i spreads its weight over words 0 to i, the word itself among them.",
        ),
    },
    right="c",
    hints=("Write down rows 2 and 5 of uniform_weights(6, causal=True).",),
)

ANSWER_ITSELF = Quiz(
    name="answer_itself",
    lesson="polysemy",
    question="One word's row is u, of length 2. Another's is 2.5 u: the same direction, length 5. Weights come from raw dot "
    "products. To which of the two does the first word give more weight?",
    options={
        "a": Option(
            "To itself: nothing is more like a word than the word.",
            "That holds for the cosine. A dot product counts length too, and the other row is longer.",
        ),
        "b": Option(
            "To the other: its score is 10, its own only 4.",
            "u · 2.5 u = 2.5 · 4 = 10. Usually a word's own score wins, but a longer row in nearly its direction can beat it.",
        ),
        "c": Option(
            "To both the same: they point the same way, so their cosine is 1.",
            "The cosine is 1, but these scores are dot products: 4 and 10.",
        ),
    },
    right="b",
    hints=("Compute both dot products from the lengths; the angle is 0.",),
)
