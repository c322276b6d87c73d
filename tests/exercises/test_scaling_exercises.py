"""Lesson 5's checks: what each mistake costs, what it is told, and how seldom luck fails a right answer."""

import math

import numpy as np
import pytest

from autograde import judge
from autograde.exercises import in_lesson
from autograde.exercises.attention.scale import inverse_temperature
from autograde.exercises.scaling.dot_product_samples import properties as samples
from course_utils.query_key_value import attention
from course_utils.scaling import dot_product_samples, scaled_dot_product_attention

EXERCISES = {record.name: record for record in in_lesson("scaling")}
ATTENTION = EXERCISES["scaled_dot_product_attention"]
MISTAKES = {mistake.id: mistake for mistake in ATTENTION.misconceptions}

WEIGHTS, SUMS, OUTPUT, MASK, BATCH, BATCH_MASK, FULLY_MASKED, SCALE, HUGE, HUGE_MASK, TYPES, ALONE = (
    check.name for check in ATTENTION.checks
)


def lost(report):
    """The checks that were looked at and lose points."""
    return {check.name for check in report.checks if check.score < check.points and check.called}


@pytest.mark.parametrize(
    "id, own",
    [
        ("not-scaled", {SCALE}),
        ("divided-by-d-k", {SCALE}),
        ("divided-by-half-d-k", {SCALE}),
        ("divided-by-root-d-v", {SCALE}),
        ("divided-by-root-n-k", {SCALE}),
        ("divided-by-root-n-q", {SCALE}),
        ("times-root-d-k", {SCALE}),
        ("divided-by-8", {SCALE}),
        ("divided-by-log-d-k", {SCALE}),
        ("divided-by-root-of-length", {SCALE, BATCH, BATCH_MASK}),  # len(Q) is another number in a batch
        ("width-from-axis-1", {BATCH, BATCH_MASK}),
        ("all-axes-reversed", {BATCH, BATCH_MASK}),
        ("softmax-over-axis-1", {BATCH, BATCH_MASK}),
        ("keys-as-values", {OUTPUT}),
        ("squeezed", {SUMS, OUTPUT, MASK, BATCH}),
        ("not-normalised", {SUMS, HUGE, HUGE_MASK}),
        ("mask-ignored", {MASK, BATCH_MASK, FULLY_MASKED, HUGE_MASK}),
        ("mask-inverted", {MASK, FULLY_MASKED, HUGE_MASK}),
        ("mask-after-softmax", {MASK, HUGE_MASK}),
        ("first-mask-of-the-batch", {BATCH_MASK}),
        ("mask-not-broadcast", {BATCH_MASK}),
        ("renormalised-after-softmax", {HUGE_MASK}),
        ("filled-with-20", {HUGE_MASK}),
        ("lowered-by-100000", {HUGE_MASK}),
        ("fully-masked-row-is-nan", {FULLY_MASKED}),
        ("fully-masked-row-is-uniform", {FULLY_MASKED}),
        ("fully-masked-row-is-open", {FULLY_MASKED}),
        ("softmax-overflows", {HUGE}),
        ("changes-the-queries", {TYPES, ALONE}),  # Q /= … cannot write into whole numbers either
        ("changes-the-mask", {ALONE}),
    ],
)
def test_a_mistake_costs_its_own_points(id, own):
    report = judge(ATTENTION, MISTAKES[id].function)
    assert report.diagnosis.id == id
    assert lost(report) == own


def test_softmax_over_queries_is_told_by_its_sums():
    report = judge(ATTENTION, MISTAKES["softmax-over-queries"].function)
    (message,) = (check.message for check in report.checks if check.name == SUMS)
    assert "sums to" in message and message.endswith("and column 0 to 1")
    assert WEIGHTS not in lost(report) and SCALE not in lost(report) and OUTPUT not in lost(report)


def test_the_scale_that_was_used_is_told():
    report = judge(ATTENTION, MISTAKES["divided-by-d-k"].function)
    (message,) = (check.message for check in report.checks if check.name == SCALE)
    assert message == "where d_k is 4, the weights are those of scores divided by 4"


def test_two_mistakes_cost_both_their_points():
    def unscaled_and_fully_masked_rows_uniform(Q, K, V, mask=None):
        return attention(Q, K, V, None if mask is None else mask | ~mask.any(axis=-1, keepdims=True))

    assert lost(judge(ATTENTION, unscaled_and_fully_masked_rows_uniform)) >= {SCALE, FULLY_MASKED}
    assert lost(judge(ATTENTION, unscaled_and_fully_masked_rows_uniform)) <= {SCALE, FULLY_MASKED, HUGE_MASK, BATCH_MASK}


def test_a_scale_that_comes_and_goes_with_the_mask_costs_the_mask():
    def scaled_without_mask_only(Q, K, V, mask=None):
        return attention(Q, K, V, mask) if mask is not None else scaled_dot_product_attention(Q, K, V)

    assert MASK in lost(judge(ATTENTION, scaled_without_mask_only))


@pytest.mark.parametrize("divisor", [1.0, 2.0, 7.5])
def test_inverse_temperature_is_one_over_the_divisor_whatever_the_sums(divisor):
    Q, K, V = (np.random.default_rng(0).normal(size=shape) for shape in [(3, 5), (7, 5), (7, 2)])
    weights = attention(Q / divisor, K, V)[1]
    for changed in (weights, 3 * weights, weights / weights.sum(axis=0)):
        assert inverse_temperature(changed, (Q, K, V)) == pytest.approx(1 / divisor)


def test_inverse_temperature_refuses_what_is_no_softmax_of_the_scores():
    Q, K, V = (np.random.default_rng(0).normal(size=shape) for shape in [(3, 5), (7, 5), (7, 2)])
    weights = scaled_dot_product_attention(Q, K, V)[1]
    for wrong in (1 - weights, weights**2 + 1e-3, -weights, weights[:, :3], np.full_like(weights, np.nan)):
        assert inverse_temperature(wrong, (Q, K, V)) is None


# ---- dot_product_samples: where randomness comes from


def _global(n, d, rng):
    return (np.random.randn(n, d) * np.random.randn(n, d)).sum(axis=1)  # what learners write


def _global_seed(n, d, rng):
    np.random.seed(0)
    return _global(n, d, rng)


def _own_generator(n, d, rng):
    return dot_product_samples(n, d, np.random.default_rng())


def _half_its_own(n, d, rng):
    return (rng.standard_normal((n, d)) * np.random.default_rng(0).standard_normal((n, d))).sum(axis=1)


def _reseeded(n, d, rng):
    rng.bit_generator.state = np.random.PCG64(0).state
    return dot_product_samples(n, d, rng)


def _shuffled(n, d, rng):
    return rng.permutation(dot_product_samples(n, d, np.random.default_rng(0)))


def _other_signs(n, d, rng):
    return dot_product_samples(n, d, np.random.default_rng(0)) * rng.choice([-1, 1], n)


SAME, OTHER = "the same seed gives the same numbers", "another seed gives other numbers"


@pytest.mark.parametrize("function, own", [(_global, {SAME}), (_own_generator, {SAME}), (_half_its_own, {OTHER})])
def test_randomness_from_elsewhere(function, own):
    report = judge("dot_product_samples", function)
    assert lost(report) == own
    assert report.diagnosis.id == "not-from-rng"


@pytest.mark.parametrize("function", [_global_seed, _reseeded, _shuffled, _other_signs])
def test_numbers_that_do_not_follow_the_generator_earn_nothing(function):
    """However right they look: they are the same for everybody."""
    for seed in range(5):
        assert judge("dot_product_samples", function, seed).score == 0
    if function not in (_shuffled, _other_signs):
        assert judge("dot_product_samples", function).diagnosis.id == "not-from-rng"


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape),  # variance 1, but no tails
        lambda rng, shape: rng.choice([-1.0, 1.0], shape),  # variance 1, nothing near 0
        lambda rng, shape: rng.laplace(scale=math.sqrt(0.5), size=shape),  # variance 1, heavier tails
    ],
)
def test_other_numbers_of_variance_1_show_at_width_1(draw):
    def drawn(n, d, rng):
        return (draw(rng, (n, d)) * draw(rng, (n, d))).sum(axis=1)

    for seed in range(4):
        report = judge("dot_product_samples", drawn, seed)
        assert {check.name: check.score for check in report.checks}["at d = 1 they are products of two normal numbers"] == 0


def test_a_shared_partner_shows_whatever_its_length():
    (shared,) = (m.function for m in EXERCISES["dot_product_samples"].misconceptions if m.id == "one-partner-for-all")
    for length in np.linspace(0.02, 4, 200):
        z = length * np.random.default_rng(0).standard_normal(samples.N)  # at d = 1
        assert samples._unlike_products(z, samples.ALONE), length
    for seed in (8, 12, 21):
        assert not judge("dot_product_samples", shared, seed).passed


# ---- how seldom luck fails a right answer: bounds, not simulations


def chance_of_the_mean(d):
    """Chernoff: a product of two normal numbers has E exp(t x y) = (1 − t²)^(−1/2), and d of them add up."""
    t = np.linspace(1e-4, 0.999, 10_000)
    exponents = -d / 2 * np.log(1 - t**2) - t * samples.MEAN * math.sqrt(d)
    return 2 * math.exp(samples.N * exponents.min())


def chance_of_the_variance(d):
    """Chernoff for z² / d with z cut off somewhere, and the chance that any z lies beyond: the best cut of several.

    The variance about the sample's own mean is at most that about 0, and less by the mean's square, which the
    limit on the mean keeps below 0.04.
    """
    return min(_above(d, cut) for cut in (10, 15, 20)) + _below(d)


def _squares(d, cut):
    """min(z² / d, cut²) on a grid, and its probabilities: z is normal with variance s, and s is χ² with d degrees."""
    g, s = np.linspace(0, 12, 401), np.linspace(1e-3, d + 14 * math.sqrt(2 * d) + 60, 601)
    density = np.exp((d / 2 - 1) * np.log(s) - s / 2 - math.lgamma(d / 2) - d / 2 * math.log(2))
    probability = np.outer(density * (s[1] - s[0]), 2 * np.exp(-g * g / 2) / math.sqrt(2 * math.pi) * (g[1] - g[0]))
    probability[:, 0] /= 2
    assert probability.sum() == pytest.approx(1, abs=1e-3)
    return np.minimum(np.outer(s, g * g) / d, cut**2), probability


def _above(d, cut):
    squares, probability = _squares(d, cut)
    exponent = min(
        math.log((probability * np.exp(t * squares)).sum()) - t * (1 + samples.VARIANCE) for t in np.linspace(0.01, 0.2, 20)
    )
    u = np.linspace(1e-3, 0.999, 2000)
    beyond = 2 * math.exp((-d / 2 * np.log(1 - u**2) - u * cut * math.sqrt(d)).min())
    return math.exp(samples.N * exponent) + samples.N * beyond


def _below(d):
    squares, probability = _squares(d, math.inf)
    exponent = min(
        math.log((probability * np.exp(-t * squares)).sum()) + t * (1 - samples.VARIANCE + samples.MEAN**2)
        for t in np.linspace(0.02, 0.6, 20)
    )
    return math.exp(samples.N * exponent)


def chance_of_a_share(name):
    """Chernoff for a binomial: exp(−n · KL) on each side, for one sample and for several together."""
    p = samples.SHARES[name]

    def beyond(n, limit):
        return sum(math.exp(-n * (q * math.log(q / p) + (1 - q) * math.log((1 - q) / (1 - p)))) for q in (p - limit, p + limit))

    return beyond(samples.N, samples.ALONE[name]) + beyond(samples.N * samples.SAMPLES, samples.TOGETHER)


def chance_of_the_correlation():
    """Bernstein: products of two standardised log-sizes have variance 1 and, cut off at |z| = 40, are below most."""
    z = dot_product_samples(200_000, 1, np.random.default_rng(0))
    logs = samples._logs(z)
    most = ((math.log(40.05) - logs.mean()) / logs.std()) ** 2
    a = samples.CORRELATION
    return 2 * math.exp(-samples.N * a * a / (2 * (1 + most * a / 3))) + 2 * samples.N * math.exp(-39)


def test_luck_fails_a_right_answer_less_than_once_in_a_thousand_million():
    widths = [d for n, d, _ in samples.wide(np.random.default_rng(0)) if n == samples.PART]
    chances = [
        *map(chance_of_the_mean, widths),
        *map(chance_of_the_variance, widths),
        *map(chance_of_a_share, samples.SHARES),
        chance_of_the_correlation(),
    ]
    assert sum(chances) < 1e-9, chances


def test_the_shares_at_width_1():
    """P(|x y| < t) = E erf(t / (|x| √2)): the mean over x, by a fine grid."""
    x = np.linspace(1e-6, 12, 200_001)
    density = 2 * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)

    def below(t):
        return np.trapezoid(density * np.vectorize(math.erf)(t / (x * math.sqrt(2))), x)

    assert samples.SHARES["near"] == pytest.approx(below(samples.NEAR), abs=1e-4)
    assert samples.SHARES["far"] == pytest.approx(1 - below(samples.FAR), abs=1e-4)


# ---- entropy and the Jacobian


@pytest.mark.parametrize(
    "name, id, own",
    [
        ("entropy", "in-bits", {"in nats, and positive"}),
        ("entropy", "sign-lost", {"in nats, and positive"}),
        ("entropy", "axis-ignored", {"along the axis that is asked for"}),
        ("entropy", "zero-is-nan", {"a probability of 0 adds nothing; float32, whole numbers, views"}),
        ("entropy", "changes-its-argument", {"leaves its arguments as they were"}),
        ("softmax_jacobian", "outer-only", {"on the diagonal: what a weight gains when its own score rises"}),
        ("softmax_jacobian", "changes-its-argument", {"leaves its arguments as they were"}),
    ],
)
def test_what_a_mistake_of_the_others_costs(name, id, own):
    (mistake,) = (m for m in EXERCISES[name].misconceptions if m.id == id)
    report = judge(name, mistake.function)
    assert report.diagnosis.id == id
    assert lost(report) == own


def test_the_numbers_in_the_quizzes():
    assert 3547 / 8 == 443.375 and 3200 / 8 == 400 and 3040 / 8 == 380
    assert math.exp(400 - 443.375) == pytest.approx(1.5e-19, rel=0.1)
    assert round(math.sqrt(768), 1) == 27.7 and round(math.sqrt(128), 1) == 11.3 and math.sqrt(1024) == 32
    assert np.log(np.finfo(np.float64).max) == pytest.approx(709.8, abs=0.05)
    assert np.log(np.finfo(np.float32).max) == pytest.approx(88.7, abs=0.05)
