"""What several lessons draw."""


def integers(rng, *shape):
    """Modest whole numbers as int64, none of them zero, so that no vector has length 0."""
    return rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=shape)
