"""multi_head_attention: several attentions side by side, merged and mixed by W_o; asked property by property."""

from autograde.engine.exercise import Check, Exercise
from course_utils import multi_head as ref

from ...attention import properties as has
from ...attention.habits import attention_habits
from ...attention.scale import follows_dot_products, has_right_factor, sums_to_1
from ...inputs.layouts import and_read_only
from . import draws
from . import properties as heads
from .accepted import ACCEPTED
from .mistakes import MISTAKES


def masked(rng):
    """Masks of every kind, with rows among them that an answer may be tempted to open."""
    return draws.fully_masked_rows(rng) + draws.masks(rng) + draws.masks_by_head(rng)


EXERCISE = Exercise(
    name="multi_head_attention",
    lesson="multi_head",
    reference=ref.multi_head_attention,
    checks=(
        Check(
            "weights: each head's own, exponentials of dot products of its part of queries and keys",
            2,
            draws.plain,
            follows_dot_products(heads.SCALE),
        ),
        Check("in each head each token's weights sum to 1", 1, draws.plain, sums_to_1, side=True),
        Check("each head mixes its part of the values, and the heads stand side by side", 2, draws.plain, heads.mixes_and_merges),
        Check("a mask holds in every head, and the rest sums to 1", 1, draws.masks, heads.obeys_the_mask),
        Check("each head obeys a mask of its own", 1, draws.masks_by_head, heads.obeys_the_mask),
        Check("scores are divided by √d_head", 3, draws.widths, has_right_factor(heads.SCALE), core=True),
        Check("the merged heads are multiplied by W_o", 3, draws.plain, heads.applies_w_o, core=True),
        Check("one head, heads of width 1, and a single token", 1, draws.ends, heads.stays_right, side=True),
        Check("a batch is answered sentence by sentence", 1, draws.batches, heads.sentence_by_sentence, side=True),
        Check("a mask with or without batch axes serves a batch", 1, draws.masked_batches, heads.follows_the_mask, side=True),
        Check(
            "a query that may look nowhere gets zeros", 1, draws.fully_masked_rows, heads.zeros_in_fully_masked_rows, side=True
        ),
        Check("scores as large as 1,000,000", 1, draws.huge, heads.stays_right, side=True),
        Check("closed keys stay closed however large their scores", 1, draws.huge_masked, heads.keeps_closed, side=True),
        Check("float32, whole numbers and views", 1, draws.types, has.same_in_any_type, side=True),
        has.touches_nothing(and_read_only(masked)),
    ),
    inputs=draws.every_kind,
    misconceptions=MISTAKES,
    accepted=ACCEPTED,
    habits=attention_habits(heads.scores, heads.mask),
    hints=(
        "You have every part: project, split_heads, scaled_dot_product_attention, merge_heads. Only W_o is new.",
        "Project first, with the whole width. Then split Q, K and V. The heads are a batch axis: one call of "
        "scaled_dot_product_attention serves all of them.",
        "Q, K, V = X @ W_q, X @ W_k, X @ W_v, each through split_heads; heads, weights = "
        "scaled_dot_product_attention(Q, K, V, mask); return merge_heads(heads) @ W_o, weights.",
    ),
)
