"""Lesson 1: the quizzes."""

from autograde.engine.exercise import Option, Quiz

ANSWER_LONGER = Quiz(
    name="answer_longer",
    lesson="word_vectors",
    question="Every number in the row of one word is doubled. What changes in its similarities with the other words?",
    options={
        "a": Option(
            "Both the dot products and the cosines double.",
            "The cosine divides by the length, which has doubled as well: it stays as it was.",
        ),
        "b": Option(
            "The dot products double, the cosines stay.",
            "Doubling the length doubles each product, and the cosine divides that length out again.",
        ),
        "c": Option(
            "Nothing: the direction is the same.",
            "The direction is the same and so is the cosine, but the dot product mixes direction with length, "
            "and the length has doubled.",
        ),
    },
    right="b",
    hints=("Try it: [2, 3] against [4, 6], with [3, 1] as the other word.",),
)

ANSWER_ONE_HOT = Quiz(
    name="answer_one_hot",
    lesson="word_vectors",
    question="Why can one-hot rows not say that a dog is nearer to a cat than to a car?",
    options={
        "a": Option(
            "They are too long: 20,000 numbers for one word.",
            "Their length costs memory, but it is not the reason: with three words and rows of three numbers "
            "the trouble is the same.",
        ),
        "b": Option(
            "Their numbers are whole, and similarity needs fractions.",
            "Whole numbers can be similar in degrees: [2, 3] is nearer to [3, 3] than to [9, 0]. What one-hot "
            "rows lack is a common 1.",
        ),
        "c": Option(
            "Any two different rows have dot product 0 and the same distance.",
            "No two words share a 1, so each is as far from every other as any.",
        ),
    },
    right="c",
    hints=("Take two different rows, multiply number by number, and add. Then do the same with another pair.",),
)

ANSWER_NEAR = Quiz(
    name="answer_near",
    lesson="word_vectors",
    question="In the GloVe vectors, good and bad have a cosine near 0.8. What does that tell?",
    options={
        "a": Option(
            "The two words are used in similar sentences.",
            "These rows were learned from which words stand near each other, and the same sentence takes good or bad.",
        ),
        "b": Option(
            "The two words mean nearly the same.",
            "They are opposites. The rows record how a word is used, and opposites are used alike.",
        ),
        "c": Option(
            "The vectors are wrong and need more training.",
            "More text does not separate them: opposites keep turning up in the same places of a sentence.",
        ),
    },
    right="a",
    hints=("Fill in: the food was ___. Which words fit?",),
)
