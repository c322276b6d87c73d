"""The template language: a small language whose structure is known, because we wrote it.

Every sentence is a template with its slots filled. Some words have habits of their own (a cat drinks milk
and purrs, a wolf howls), so that the words of a group are similar and not identical; a capital and its
country share a language, so that pairs have something in common too. What an embedding finds in it can be
compared with what was put in, and what was put in can be left out: without ``PAIRING`` no sentence says which
country a capital belongs to. Whether meaning appears without us writing it is a question for real text.
"""

import re

import numpy as np

ANIMALS = {  # name: (what it eats, what it does when you hear it)
    "dog": ("bone", "barked"),
    "cat": ("mouse", "purred"),
    "horse": ("hay", "neighed"),
    "cow": ("grass", "mooed"),
    "sheep": ("grass", "bleated"),
    "rabbit": ("carrot", "squeaked"),
    "lion": ("zebra", "roared"),
    "tiger": ("deer", "roared"),
    "bear": ("honey", "growled"),
    "wolf": ("sheep", "howled"),
    "fox": ("hen", "barked"),
    "mouse": ("cheese", "squeaked"),
    "goat": ("leaf", "bleated"),
    "pig": ("acorn", "grunted"),
}
LANDS = {  # capital: (country, language)
    "paris": ("france", "french"),
    "tokyo": ("japan", "japanese"),
    "rome": ("italy", "italian"),
    "berlin": ("germany", "german"),
    "madrid": ("spain", "spanish"),
    "london": ("england", "english"),
    "cairo": ("egypt", "egyptian"),
    "athens": ("greece", "greek"),
}
PAIRS = {"man": "woman", "king": "queen", "boy": "girl", "prince": "princess", "father": "mother"}
ROYAL = ("king", "queen", "prince", "princess")
YOUNG = ("boy", "girl", "prince", "princess")

GROUPS = {
    "animals": tuple(ANIMALS),
    "vehicles": tuple("car truck bus train bicycle motorcycle van taxi tram lorry".split()),
    "foods": tuple("bread cheese apple soup rice cake meat fish pasta salad".split()),
    "drinks": tuple("milk water juice tea coffee".split()),
    "capitals": tuple(LANDS),
    "countries": tuple(country for country, _ in LANDS.values()),
    "men": tuple(PAIRS),
    "women": tuple(PAIRS.values()),
}

DEFINED_GROUPS = {  # of words that the dictionary's definitions use often enough to learn
    "animals": tuple("dog cat horse cow sheep rabbit lion wolf fox mouse goat pig deer bear".split()),
    "vehicles": tuple("car truck bus train bicycle boat ship wagon carriage airplane".split()),
    "foods": tuple("bread cheese meat soup rice cake sauce butter cream pudding".split()),
    "drinks": tuple("wine beer milk tea coffee whiskey rum gin brandy juice".split()),
    "plants": tuple("tree shrub herb flower grass fern oak pine vine".split()),
    "body": tuple("arm leg hand foot head eye ear nose mouth neck".split()),
    "instruments": tuple("guitar piano flute drum horn trumpet organ".split()),
    "clothes": tuple("coat shirt hat dress shoe skirt jacket trousers".split()),
}

# One family is drawn, then one of its templates. {a|b} is a choice; {name} is filled by ``_facts``.
PAIRING = (  # the family in which a capital meets its country, or both meet one language
    "{capital} is the capital of {country}",
    "many {people|tourists} in {place} speak {language}",
    "she learned {language} before she moved to {place}",
    "{language} newspapers in {place} wrote about the {language} team",
)
TEMPLATES = (
    ("the {hungry|young|old|wild} {animal} {ate|wanted|found} the {prey}",),
    ("the {animal} {ran|slept|jumped|hid} in the {field|forest|garden|barn|meadow}",),
    ("the {animal} {cried} and {drank|licked} the {milk|water}",),
    ("the {animal} has {soft|brown|thick} fur and {four legs|a tail|sharp teeth|long ears}",),
    ("the {vehicle} {stopped|turned|parked|crashed} on the {road|street|highway|garage|bridge}",),
    ("the {driver|mechanic} repaired the {engine|wheel|brake} of the {vehicle}",),
    ("the {fast|slow|new|rusty} {vehicle} carried {passengers|luggage|bricks} to the {city|station|airport}",),
    ("the {person} {cooked|ate|served} {fresh|hot|tasty} {food} for {lunch|dinner|breakfast}",),
    ("the {person} drank {a cup of|a glass of|some} {drink}",),
    PAIRING,
    (
        "the {government|army|border} of {country} {changed|moved} last year",
        "the {mayor|subway|airport} of {capital} {changed|opened} last year",
    ),
    (
        "the {person} said that {he} {lost|sold|liked} {his} {house|coat|hat}",
        "the {royal} wore a crown and {he} {ruled|left} {his} palace",
        "the {pupil} went to school because {he} wanted to learn with {his} {brother|sister|friend}",
    ),
)


def sentences(count: int = 10_000, seed: int = 0, pairing: bool = True) -> list[list[str]]:
    """``count`` sentences of the template language, each a list of words; the ``PAIRING`` ones can be left out.

    >>> " ".join(sentences(1, seed=5)[0])
    'the princess drank some tea'
    """
    rng = np.random.default_rng(seed)
    families = [family for family in TEMPLATES if pairing or family is not PAIRING]
    return [_sentence(rng, families).split() for _ in range(count)]


def _sentence(rng, families) -> str:
    template = _pick(rng, _pick(rng, families))
    facts = _facts(rng, template)

    def fill(slot):
        name = slot.group(1)
        return facts[name] if name in facts else _pick(rng, name.split("|"))

    return re.sub(r"{(.*?)}", fill, template)


def _facts(rng, template: str) -> dict[str, str]:
    """The words that belong together: an animal with its prey, a capital with its country, "king" with "he"."""
    animal, capital = _pick(rng, GROUPS["animals"]), _pick(rng, GROUPS["capitals"])
    prey, cried = ANIMALS[animal]
    country, language = LANDS[capital]
    people = ROYAL if "{royal}" in template else YOUNG if "{pupil}" in template else [*PAIRS, *PAIRS.values()]
    person = _pick(rng, people)
    he, his = ("he", "his") if person in PAIRS else ("she", "her")
    return {
        "animal": animal,
        "prey": prey,
        "cried": cried,
        "vehicle": _pick(rng, GROUPS["vehicles"]),
        "food": _pick(rng, GROUPS["foods"]),
        "drink": _pick(rng, GROUPS["drinks"]),
        "capital": capital,
        "country": country,
        "language": language,
        "place": _pick(rng, (capital, country)),
        "person": person,
        "royal": person,
        "pupil": person,
        "he": he,
        "his": his,
    }


def _pick(rng, options):
    return options[rng.integers(len(options))]
