"""Makes the text of the decoder: WordNet's definitions and examples as short documents, offensive ones left out.

A document is one synset: "word : definition" and its examples, in an order drawn once, each a line of its own.

Left out are, so that the model does not learn them:
  1. a synset whose usage pointer (;u) names disparagement, ethnic slur or obscenity, or whose definition says
     so with one of MARKS ("offensive", "slur", ...);
  2. every line with a word whose senses are all marked so (a slur is mostly marked, "cracker" has other senses);
  3. every line with a word of ``decoder_left_out.txt``: sex, violence, peoples and faiths that examples slander;
  4. single persons and places (instance pointers, @i), and lines that only name a place in a taxonomy.
"""

import random
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

MARKS = re.compile(r"\b(offensive|slurs?|obscen\w+|vulgar\w*|disparag\w+|derog\w+|pejorative\w*|contempt\w+|insult\w+)\b")
USAGES = ("disparagement", "ethnic_slur", "obscenity")
TAXONOMY = re.compile(r"^(genus|family|order|class|phylum|subfamily|suborder|superfamily|tribe|division)\b")
READABLE = re.compile(r"[a-z0-9 .,;:!?'()-]+")  # a line with any other sign is left out
LEFT_OUT = Path(__file__).with_name("decoder_left_out.txt")
DEV, HELD_OUT = 1500, 2500  # synsets: to choose by, and to report by


class Synset(NamedTuple):
    lemmas: tuple[str, ...]
    usages: tuple[str, ...]  # offsets of the nouns that its usage pointers name
    single: bool  # one person or one place
    gloss: str


def documents(folder, seed=0):
    """Lists of lines, in three parts that share no synset and no line: training, dev, held out."""
    synsets = [s for part in ("noun", "verb", "adj", "adv") for s in _synsets(Path(folder) / f"data.{part}")]
    offensive = _usage_offsets(Path(folder) / "data.noun")
    marked = [bool(MARKS.search(s.gloss.lower()) or offensive & set(s.usages)) for s in synsets]
    words = _marked_words(synsets, marked) | _written_words()
    kept, seen = [], set()
    for synset, bad in zip(synsets, marked):
        lines = (
            []
            if bad or synset.single
            else [x for x in _lines(synset) if x not in seen and not words & set(re.findall("[a-z]+", x))]
        )
        seen.update(lines)
        if lines:
            kept.append(lines)
    rng = random.Random(seed)
    rng.shuffle(kept)
    for lines in kept:
        rng.shuffle(lines)
    return kept[DEV + HELD_OUT :], kept[:DEV], kept[DEV : DEV + HELD_OUT]


def _synsets(path):
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue  # the licence at the head of the file
        left, gloss = line.split(" | ", 1)
        fields = left.split()
        n = int(fields[3], 16)
        pointers = fields[4 + 2 * n :]
        lemmas = tuple(re.sub(r"\(.*\)", "", fields[4 + 2 * i]).lower() for i in range(n))
        usages = tuple(b for a, b in zip(pointers, pointers[1:]) if a == ";u")
        yield Synset(lemmas, usages, "@i" in pointers, gloss.strip())


def _lines(synset):
    parts = re.split(r'; (?=")|"; ', synset.gloss.lower())
    lemma = synset.lemmas[0].replace("_", " ")
    texts = [] if TAXONOMY.match(lemma) else [f"{lemma} : {parts[0]}"]
    texts += [part.strip('" ') for part in parts[1:]]
    texts = [re.sub(r"\s+", " ", text.replace("`", "'").replace('"', "")).strip(" ;,") for text in texts]
    return [text for text in texts if READABLE.fullmatch(text) and len(text.split()) > 3]


def _usage_offsets(path):
    lines = path.read_text(encoding="latin-1").splitlines()
    return {line.split()[0] for line in lines if not line.startswith("  ") and set(USAGES) & set(line.split()[4:12:2])}


def _marked_words(synsets, marked):
    senses = defaultdict(list)
    for synset, bad in zip(synsets, marked):
        for lemma in synset.lemmas:
            senses[lemma].append(bad)
    found = {lemma for lemma, bad in senses.items() if all(bad) and lemma.isalpha()}
    return found | {word + "s" for word in found}


def _written_words():
    lines = LEFT_OUT.read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


if __name__ == "__main__":
    import sys

    for name, part in zip(("training", "dev", "held out"), documents(sys.argv[1])):
        print(f"{name}: {len(part)} synsets, {sum(map(len, part))} lines, {sum(len(x.split()) for d in part for x in d)} words")
