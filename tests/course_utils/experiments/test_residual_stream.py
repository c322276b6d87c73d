"""The terms of a token's vector add up to what the encoder computes, and each is what its name says."""

import numpy as np
import pytest

from course_utils import transformer
from course_utils.datasets import load_minilm
from course_utils.experiments.residual_stream import contributions, shares


@pytest.fixture(scope="module")
def case():
    minilm = load_minilm()
    return minilm.tokenizer.ids(minilm.tokenizer("The bat flew over the river.")), minilm.model


def test_the_terms_add_up_to_the_encoders_output(case):
    ids, model = case
    terms = contributions(ids, model)
    assert sum(terms.values()) == pytest.approx(transformer.encode(ids, model), abs=1e-9)
    assert list(terms) == ["word", "position", "type", "beta"] + [f"{b} {i}" for i in range(1, 5) for b in ("attention", "net")]


def test_without_layers_only_the_embeddings_are_left(case):
    ids, model = case
    terms = contributions(ids, model | {"layers": []})
    assert set(terms) == {"word", "position", "type", "beta"}
    assert sum(terms.values()) == pytest.approx(transformer.embed_tokens(ids, model["embeddings"]))


def test_a_block_that_adds_nothing_has_no_share(case):
    ids, model = case
    silent = [p | {name: np.zeros_like(p[name]) for name in ("W_o", "b_o")} for p in model["layers"]]
    terms = contributions(ids, model | {"layers": silent})
    assert all(not terms[f"attention {i}"].any() for i in range(1, 5)) and terms["net 1"].any()


def test_shares_sum_to_1_and_are_projections(case):
    ids, model = case
    terms = contributions(ids, model)
    whole = transformer.encode(ids, model)[2]
    found = shares(terms, 2)
    assert sum(found.values()) == pytest.approx(1)
    along = terms["word"][2] @ whole / np.linalg.norm(whole)  # the length of its shadow on the whole
    assert found["word"] == pytest.approx(along / np.linalg.norm(whole))
