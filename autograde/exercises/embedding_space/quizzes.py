"""Lesson 2: the quizzes."""

from autograde.engine.exercise import Option, Quiz

ANSWER_HALVED = Quiz(
    name="answer_halved",
    lesson="embedding_space",
    question="A model gives the right word half the probability it gave before. What happens to the cross-entropy of that word?",
    options={
        "a": Option(
            "It doubles.",
            "Doubling would need the logarithm to double. −ln(p/2) is −ln p plus ln 2: an amount is added, whatever p was.",
        ),
        "b": Option("It rises by ln 2, about 0.69, whatever p was.", "−ln(p/2) = −ln p + ln 2. Each halving costs the same."),
        "c": Option(
            "It depends on the probabilities of the other words.",
            "Only the right word's probability enters. How the rest is shared out changes nothing.",
        ),
    },
    right="b",
    hints=("Compute −ln 0.5, −ln 0.25 and −ln 0.125, and look at the steps between them.",),
)

ANSWER_TOGETHER = Quiz(
    name="answer_together",
    lesson="embedding_space",
    question="Nobody told the training what an animal is. Why do the rows of dog and wolf end up close together?",
    options={
        "a": Option(
            "They stand next to each other in many sentences.",
            "They hardly ever share a sentence. What they share is the company they keep: the same words around them.",
        ),
        "b": Option(
            "Their random rows happened to begin close together.",
            "The rows begin at random, and at step 0 no group is to be seen. Another seed gives the same groups.",
        ),
        "c": Option(
            "They stand in the same contexts, so their rows are pulled in the same directions.",
            "Words with the same neighbours help to predict the same words, and receive much the same gradients.",
        ),
    },
    right="c",
    hints=("Which words of the sentence get a gradient, and what does it depend on?",),
)

ANSWER_QUEEN = Quiz(
    name="answer_queen",
    lesson="embedding_space",
    question="Of all 20,010 rows, which one is nearest to king − man + woman when nothing is excluded?",
    options={
        "a": Option("king", "Woman and man are so alike that the step between them is short, and the sum stays beside king."),
        "b": Option(
            "queen", "queen is the nearest row only once the three words of the question are left out, as the convention is."
        ),
        "c": Option("woman", "woman is one part of the sum, but king is longer in it: man and woman nearly cancel."),
        "d": Option(
            "None: the sum is no word's row, so nothing is near it.",
            "No row equals the sum, but every row has a cosine with it, and the highest is above 0.8.",
        ),
    },
    right="a",
    hints=("How long is the step from man to woman, beside the row of king?",),
)
