"""Makes what the decoder is compared with: the next piece from counts of the pieces before it."""

import math
from collections import Counter, defaultdict


class NGrams:
    """Interpolated counts of one to ``order`` pieces, by Witten and Bell (1991): nothing to tune.

    The longer context counts as much as its own evidence: with n occurrences and k different followers, the
    shorter one's probability enters like k occurrences more. At the bottom every piece is alike.
    """

    def __init__(self, rows, order, vocab_size):
        self.order, self.vocab_size = order, vocab_size
        self.followers: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        for ids in rows:
            for t in range(1, len(ids)):
                for length in range(min(order - 1, t) + 1):
                    self.followers[tuple(ids[t - length : t])][ids[t]] += 1
        self.totals = {context: counts.total() for context, counts in self.followers.items()}

    def probability(self, before, next_id):
        p = 1 / self.vocab_size
        for length in range(min(self.order - 1, len(before)) + 1):
            context = tuple(before[len(before) - length :])
            if context in self.totals:
                counts, total = self.followers[context], self.totals[context]
                p = (counts[next_id] + len(counts) * p) / (total + len(counts))
        return p

    def mean_loss(self, rows):
        """Mean of −ln p over every piece but each row's first: the same pieces as the decoder predicts."""
        losses = [-math.log(self.probability(ids[:t], ids[t])) for ids in rows for t in range(1, len(ids))]
        return sum(losses) / len(losses)
