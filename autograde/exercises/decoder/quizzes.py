"""Lesson 8: three questions, each wrong option answered."""

from autograde.engine.exercise import Option, Quiz

ANSWER_LEAK = Quiz(
    name="answer_leak",
    lesson="decoder",
    question="A colleague's model of prices predicts tomorrow's from the last thirty days. On unseen years it is almost never "
    "wrong; used this morning for tomorrow, it is no better than a coin. What is the likeliest reason?",
    options={
        "a": Option(
            "It has too few parameters.", "Then it would be poor on the unseen years as well. It was almost never wrong there."
        ),
        "b": Option(
            "It learned the old years by heart.",
            "Learning by heart helps on what was learned. On unseen years it would be poor too.",
        ),
        "c": Option(
            "In every test, something of the day after could be read from the input; this morning it could not.",
            "As without the mask: the answer lay in the input, in training and in testing alike. Only in use is it missing.",
        ),
        "d": Option("The temperature is too high.", "Temperature only blurs a choice; it would blur the test as well."),
    },
    right="c",
    hints=("What was there in training and in testing, and is missing in use?",),
)

ANSWER_SETTINGS = Quiz(
    name="answer_settings",
    lesson="decoder",
    question="With temperature 1 a model gives three pieces the probabilities 0.5, 0.25 and 0.25. What does temperature 0.5 make "
    "of them?",
    options={
        "a": Option("1, 0.5 and 0.5.", "Those sum to 2. The scores are divided, not the probabilities."),
        "b": Option(
            "2/3, 1/6 and 1/6.",
            "Scores divided by ½ are doubled: each probability is squared, 0.25, 0.0625, 0.0625, and divided by their sum.",
        ),
        "c": Option("0.5, 0.25 and 0.25: the order stays.", "The order stays, and the ratios change: 2 to 1 becomes 4 to 1."),
        "d": Option("1, 0 and 0.", "That is where ever lower temperatures lead. At ½ the others still have their chance."),
    },
    right="b",
    hints=("The scores are logarithms of the probabilities, up to a number that all share. What does doubling a logarithm do?",),
)

ANSWER_CACHE = Quiz(
    name="answer_cache",
    lesson="decoder",
    question="Could an encoder without a mask, such as lesson 7's, keep the keys and values of a text when one more word is "
    "added at its end?",
    options={
        "a": Option("Yes, of all layers.", "Only those of the first layer: there a row is its word and its position."),
        "b": Option(
            "Only those of the first layer.",
            "Without a mask every word looks at the new one, so from the first layer's output on every row changes, and its "
            "keys and values with it.",
        ),
        "c": Option("No, of none.", "The first layer's keys and values are made of each word's own row, which stays as it was."),
        "d": Option("Only the values.", "Keys and values are made of the same rows: both stay, or both change."),
    },
    right="b",
    hints=("Which rows change when a word is added: those that go into the first layer, or those that come out?",),
)
