"""merge_heads: the heads put side by side again, split_heads undone."""

import numpy as np

from autograde.engine.exercise import Check, Exercise, Misconception
from autograde.engine.properties import serves_any_array
from course_utils import multi_head as ref

from ..inputs import vectors
from ..inputs.attention import LEADS
from ..inputs.layouts import and_read_only, every_form, varied
from .draws import lettered

# ---- what is asked


def plain(rng):
    return [
        (lettered(2, 2, 2),),
        (lettered(2, 3, 2),),
        (rng.normal(size=(3, 3, 3)),),
        (rng.normal(size=(2, 5, 4)),),
        (rng.normal(size=(4, 3, 2)),),
        (rng.normal(size=(7, 2, 3)),),
    ]


def ends(rng):
    return [
        (lettered(1, 2, 3),),
        (lettered(3, 2, 1),),
        (rng.normal(size=(1, 4, 6)),),
        (rng.normal(size=(5, 4, 1)),),
        (rng.normal(size=(3, 1, 2)),),
    ]


def batches(rng):
    return [
        (lettered(2, 2, 2, 2),),
        (rng.normal(size=(2, 3, 4, 5)),),
        (rng.normal(size=(3, 3, 3, 3)),),
        (rng.normal(size=(2, 3, 2, 4, 3)),),
        (rng.normal(size=(1, 3, 4, 2)),),
        (rng.normal(size=(2, 1, 2, 2, 3, 2)),),
    ]


def types(rng):
    return every_form((rng.normal(size=(4, 3, 2)),)) + [(rng.integers(-9, 9, (2, 4, 3)),)]


def every_kind(rng):
    shapes = [(h, n, width) for h in (2, 1, 3, 4, 9) for n in (2, 1, 3, 7) for width in (2, 1, 3, 5)]
    return [(lettered(2, 2, 2),), *varied((vectors.modest(rng, *lead, *shape),) for lead in LEADS for shape in shapes)]


# ---- what learners write instead


def _merged_only(H):
    *batch, h, n, d_head = H.shape
    return H.reshape(*batch, n, h * d_head)


def _interleaved(H):
    *batch, h, n, d_head = H.shape
    return np.moveaxis(H, -3, -1).reshape(*batch, n, d_head * h)


def _below_each_other(H):
    *batch, h, n, d_head = H.shape
    return H.reshape(*batch, h * n, d_head)


def _last_axes_swapped(H):
    *batch, h, n, d_head = H.shape
    return np.swapaxes(H, -1, -2).reshape(*batch, n, h * d_head)


def _shape_after_the_swap(H):
    *batch, h, n, d_head = H.shape
    return np.swapaxes(H, -3, -2).reshape(*batch, h, n * d_head)


MISTAKES = (
    Misconception(
        "reshaped-only",
        _merged_only,
        "You reshaped straight to (n, h·d_head). That keeps the reading order, so tokens of one head land "
        "side by side. Swap the axes of heads and tokens first, then reshape.",
    ),
    Misconception(
        "interleaved",
        _interleaved,
        "The heads' numbers are shuffled like cards. Each head's d_head numbers stay together: "
        "(n, h, d_head) before the reshape.",
    ),
    Misconception(
        "heads-below-each-other",
        _below_each_other,
        "The heads stand below each other. They belong side by side: n rows of h·d_head numbers.",
    ),
    Misconception(
        "heads-summed", lambda H: H.sum(axis=-3), "You added the heads up. They are put side by side, so that W_o can weigh them."
    ),
    Misconception(
        "heads-averaged",
        lambda H: H.mean(axis=-3),
        "You averaged the heads. They are put side by side, so that W_o can weigh them.",
    ),
    Misconception("first-head-only", lambda H: H[..., 0, :, :], "Only the first head is left. Put all of them side by side."),
    Misconception(
        "heads-reversed", lambda H: ref.merge_heads(H[..., ::-1, :, :]), "The heads stand in reverse order. Head 0 comes first."
    ),
    Misconception(
        "result-transposed",
        lambda H: np.swapaxes(ref.merge_heads(H), -1, -2),
        "Rows and columns are exchanged. A token stays a row: (n, h·d_head).",
    ),
    Misconception(
        "first-axis-as-heads",
        lambda H: np.concatenate(list(H), axis=-1),
        "You joined along the first axis. In a batch that is the batch; the heads are the third axis from the end.",
    ),
    Misconception(
        "not-joined",
        lambda H: np.swapaxes(H, -2, -3),
        "Tokens and heads have changed places, but the pieces are not joined: reshape the last two axes into one.",
    ),
    Misconception(
        "last-axes-swapped",
        _last_axes_swapped,
        "You swapped tokens with the numbers of a head. Heads and tokens change places: axes −3 and −2.",
    ),
    Misconception(
        "heads-as-tokens",
        _shape_after_the_swap,
        "After the swap the axes are (n, h, d_head): h and n have changed places in the shape too. Reshape to (n, h·d_head).",
    ),
)


# ---- right answers written differently


def _side_by_side(H):
    return np.concatenate([H[..., i, :, :] for i in range(H.shape[-3])], axis=-1)


def _einsum(H):
    turned = np.einsum("...hnd->...nhd", H)
    return turned.reshape(turned.shape[:-2] + (-1,))


def _token_by_token(H):
    *batch, h, n, width = H.shape
    flat = H.reshape(-1, h, n, width)
    rows = [[np.concatenate([sentence[i, token] for i in range(h)]) for token in range(n)] for sentence in flat]
    return np.reshape(rows, (*batch, n, h * width)).tolist()


def _single(H):
    return np.moveaxis(H, -3, -2).reshape(*H.shape[:-3], H.shape[-2], -1).astype(np.float32)


ACCEPTED = (_side_by_side, _einsum, _token_by_token, _single)


# ---- the exercise

EXERCISE = Exercise(
    name="merge_heads",
    lesson="multi_head",
    reference=ref.merge_heads,
    checks=(
        Check("each token's pieces stand side by side again, in the order of the heads", 3, plain),
        Check("one head, and heads of width 1", 1, ends, side=True),
        Check("a batch is merged sentence by sentence", 1, batches, side=True),
        serves_any_array(and_read_only(lambda rng: plain(rng) + types(rng))),
    ),
    inputs=every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    hints=(
        "It is split_heads run backwards: the last step comes first.",
        "Bring the tokens before the heads again (..., n, h, d_head), and only then join the last two axes.",
        "np.swapaxes(H, -2, -3), then .reshape(*…shape[:-2], h * d_head).",
    ),
)
