"""Lesson 3: the multiple-choice questions."""

from autograde.engine.exercise import Option, Quiz

ANSWER_STATIC = Quiz(
    name="answer_static",
    lesson="polysemy",
    question="GloVe has one row for apple, and microsoft, ibm and intel are among its nearest. Why these?",
    options={
        "a": Option(
            "The row is the average of what apple did in its training text, and there it was mostly the company.",
            "Newspapers and an encyclopedia write more of the company than of the fruit. The row is one compromise for all uses.",
        ),
        "b": Option(
            "Lower-casing turned the fruit into the company.",
            "It merged the two spellings, but apple at the start of a sentence has a capital letter as "
            "well. bank has no such spelling, and its row has picked money.",
        ),
        "c": Option(
            "The fruit was left out, because each row can hold only one meaning.",
            "Nothing was left out: the fruit is in the row too, with less weight. You saw its cosine with "
            "fruit: lower than with iphone, and far from 0.",
        ),
    },
    right="a",
    hints=("A row is learned from all sentences that hold the word, whichever sense they mean.",),
)

ANSWER_AVERAGE = Quiz(
    name="answer_average",
    lesson="polysemy",
    question="A sentence uses bank twice, once for money and once for the river. Every word takes the average of the "
    "whole sentence, itself included. What do the two banks get?",
    options={
        "a": Option(
            "Two vectors, each drawn towards the words near it.",
            "Near does not count here: the average is over the whole sentence, with the same weight for every word.",
        ),
        "b": Option(
            "The same vector twice, whatever the sentence says.",
            "All rows of the uniform weights are equal, so every word of the sentence gets the same mix.",
        ),
        "c": Option(
            "The vector of the sense that is more frequent, in both places.",
            "Frequency of a sense is not known to the average. Both get one and the same mix of all the words that are there.",
        ),
        "d": Option(
            "Two vectors that differ because their positions differ.",
            "A position enters neither the rows nor the weights: an average does not know the order of what it averages.",
        ),
    },
    right="b",
    hints=("Look at the rows of uniform_weights(n): how does row 2 differ from row 9?",),
)

ANSWER_ITSELF = Quiz(
    name="answer_itself",
    lesson="polysemy",
    question="With weights from raw dot products of GloVe rows, apple gives nearly all its weight to apple. Why?",
    options={
        "a": Option(
            "The rows were not brought to length 1 by the training.",
            "With unit rows the weights are not one-sided any more, but then no cosine exceeds 1 and the "
            "word still likes itself best.",
        ),
        "b": Option(
            "Softmax always gives the first word the most.",
            "Softmax knows nothing of places: it follows the scores, wherever they stand.",
        ),
        "c": Option(
            "One vector asks and answers: its product with itself is its squared length, which other rows rarely beat.",
            "As long as the same vector is question and answer, a word finds itself first. Lesson 4 "
            "gives it one vector to ask with and another to be found by.",
        ),
    },
    right="c",
    hints=("Compute the score of a word with itself, and then with another word of the same length.",),
)
