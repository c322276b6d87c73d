"""draw: an id with given probabilities, by chance that comes from the generator alone."""

import numpy as np

from autograde.engine.compare import failed
from autograde.engine.exercise import Check, Exercise, Misconception, Rng
from course_utils import decoder as ref

MANY = 4000  # draws of one distribution
LIMIT = 0.06  # of a share of them: more than six standard deviations, √(¼ / 4000) = 0.008 each

# ---- what is asked


def drawn(rng, *probs):
    return [(np.array(p), Rng(int(rng.integers(2**31)))) for p in probs]


def sure(rng):
    return drawn(rng, [0.0, 1.0, 0.0], [1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0])


def shared(rng):
    return drawn(rng, [0.5, 0.3, 0.2], [0.05, 0.1, 0.25, 0.6], [0.0, 0.7, 0.0, 0.3])


def seeds(rng):
    return drawn(rng, [0.25, 0.25, 0.25, 0.25], np.full(50, 0.02))


def types(rng):
    return [(np.array([0.0, 0.0, 1.0], dtype=np.float32), Rng(5)), (np.array([0, 1]), Rng(6)), *drawn(rng, np.full(1000, 0.001))]


def _ids(trial, count):
    """Ids that the answer draws with generators of their own, or the problem."""
    found = []
    for seed in range(count):
        outcome = trial.ask(trial.args[0].copy(), Rng(seed))
        if problem := failed(outcome):
            return None, problem
        value = np.asarray(outcome.value)
        if value.shape != () or value.dtype.kind not in "iu" or not 0 <= value < len(trial.args[0]):
            return None, f"{value!r} is no id: whole numbers from 0 to {len(trial.args[0]) - 1} are"
        found.append(int(value))
    return np.array(found), None


def has_these_shares(trial):
    """One draw from each of MANY generators, so that ids that do not follow the given one earn nothing."""
    ids, problem = _ids(trial, MANY)
    if problem:
        return problem
    shares = np.bincount(ids, minlength=len(trial.args[0])) / MANY
    never = [i for i, (share, p) in enumerate(zip(shares, trial.args[0])) if share and not p]
    if never:
        return f"id {never[0]} was drawn, whose probability is 0"
    off = np.abs(shares - trial.args[0])
    if off.max() <= LIMIT:
        return None
    i = int(off.argmax())
    return f"id {i} has probability {trial.args[0][i]:.2g}, but came in {shares[i]:.2f} of {MANY} draws"


def repeats(trial):
    ids, problem = _ids(trial, 30)
    if problem:
        return problem
    again, problem = _ids(trial, 30)
    if problem:
        return problem
    if (ids != again).any():
        return "the same seed drew another id: all chance must come from rng"
    return None if len(set(ids.tolist())) > 1 else "30 seeds drew the same id: chance must come from rng"


# ---- what learners write instead


def _by_hand(probs, point):
    return int(min(np.searchsorted(np.cumsum(probs), point, side="right"), len(probs) - 1))


MISTAKES = (
    Misconception(
        "likeliest",
        lambda probs, rng: int(np.argmax(probs)),
        "The likeliest id every time: no chance is in it. rng.random() gives a point on the line.",
    ),
    Misconception(
        "all-alike",
        lambda probs, rng: int(rng.integers(len(probs))),
        "Every id is as likely as any other here. The probabilities were not used.",
    ),
    Misconception(
        "of-those-possible-all-alike",
        lambda probs, rng: int(rng.choice(np.flatnonzero(probs))),
        "All ids that are possible are as likely as one another here. Their probabilities differ.",
    ),
    Misconception(
        "squared",
        lambda probs, rng: int(rng.choice(len(probs), p=np.square(probs, dtype=float) / np.square(probs, dtype=float).sum())),
        "The likely come too often: the probabilities enter twice.",
    ),
    Misconception(
        "softmax-again",
        lambda probs, rng: int(rng.choice(len(probs), p=np.exp(probs) / np.exp(probs).sum())),
        "Softmax was taken of the probabilities: even those of 0 come. They are probabilities already.",
    ),
    Misconception(
        "not-from-rng",
        lambda probs, rng: _by_hand(probs, np.random.default_rng(0).random()),
        "Not all chance comes from rng. Leave out np.random, seeds and generators of your own: rng.random().",
    ),
    Misconception(
        "probability-for-id",
        lambda probs, rng: float(probs[_by_hand(probs, rng.random())]),
        "This is the probability of what was drawn. Its id is asked for.",
    ),
    Misconception(
        "from-the-end",
        lambda probs, rng: len(probs) - 1 - _by_hand(probs, rng.random()),
        "Ids are counted from the wrong end of the line.",
    ),
    Misconception(
        "one-too-late",
        lambda probs, rng: min(_by_hand(probs, rng.random()) + 1, len(probs) - 1),
        "One id too late: the number of ends before the point is the id itself.",
    ),
)


# ---- right answers written differently


def _with_choice(probs, rng):
    return rng.choice(len(probs), p=np.asarray(probs, dtype=float) / np.sum(probs, dtype=float))


def _with_a_loop(probs, rng):
    point = rng.random()
    for i, p in enumerate(probs):
        point -= p
        if point < 0:
            return i
    return int(np.flatnonzero(probs)[-1])


def _with_multinomial(probs, rng):
    return int(rng.multinomial(1, np.asarray(probs, dtype=float) / np.sum(probs, dtype=float)).argmax())


def _gumbel(probs, rng):
    """The largest of the logarithms with noise (Gumbel 1954)."""
    with np.errstate(divide="ignore"):
        return int(np.argmax(np.log(np.asarray(probs, dtype=float)) + rng.gumbel(size=len(probs))))


def _is_an_id(trial):
    ids, problem = _ids(trial, 3)
    return problem or (None if trial.args[0][ids].all() else "an id was drawn whose probability is 0")


def alike(outcome, other, args):
    """Whether two ids might come of one behaviour: which of them comes is chance where several may."""
    return np.shape(outcome.value) == np.shape(other.value)


EXERCISE = Exercise(
    name="draw",
    lesson="decoder",
    reference=ref.draw,
    checks=(
        Check("each id comes as often as its probability says", 3, shared, has_these_shares),
        Check("the same seed draws the same id, others draw others", 1, seeds, repeats, side=True),
        Check("a sure id always comes, one of probability 0 never", 1, sure, _is_an_id, side=True),
        Check("float32, whole numbers, many ids", 1, types, _is_an_id, side=True),
    ),
    misconceptions=MISTAKES,
    accepted=(_with_choice, _with_a_loop, _with_multinomial, _gumbel),
    hints=(
        "Lay the probabilities end to end on a line from 0 to 1; rng.random() is a point on it.",
        "np.cumsum(probs) are the ends. The id is the number of ends that the point has passed.",
        "return int(np.searchsorted(np.cumsum(probs), rng.random(), side='right')).",
    ),
)
