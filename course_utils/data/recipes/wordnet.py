"""Makes ``wordnet_glosses.txt.gz``: definitions and examples of nouns, each preceded by the word it defines.

apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb unpacked
python wordnet.py unpacked/usr/share/wordnet/data.noun      # writes ../wordnet_glosses.txt.gz
"""

import gzip
import random
import re
import sys
from pathlib import Path

DATA = Path(__file__).parent.parent
FILES = {5: "animal", 6: "artifact", 8: "body", 13: "food", 15: "location", 20: "plant"}  # lexicographer files kept
TAXONOMY = {"genus", "family", "order", "genera"}  # lines that only name a place in a system
ENOUGH = 200_000  # words


def definitions(path):
    for line in Path(path).read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue  # the licence at the head of the file
        left, gloss = line.split(" | ", 1)
        fields = left.split()
        if int(fields[1]) not in FILES:
            continue
        lemmas = [word for i in range(min(2, int(fields[3], 16))) for word in re.findall("[a-z]+", fields[4 + 2 * i].lower())]
        for k, part in enumerate(re.split(r'; (?=")|"; ', gloss.strip())):
            words = (lemmas if k == 0 else []) + re.findall("[a-z]+", part.lower())
            if len(words) > 4 and not TAXONOMY & set(words):
                yield words


def main(path):
    shuffled = list(definitions(path))
    random.Random(0).shuffle(shuffled)
    lines, count = [], 0
    for words in shuffled:
        lines.append(" ".join(words))
        count += len(words)
        if count > ENOUGH:
            break
    with (DATA / "wordnet_glosses.txt.gz").open("wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as packed:
        packed.write("\n".join(lines).encode())


if __name__ == "__main__":
    main(sys.argv[1])
