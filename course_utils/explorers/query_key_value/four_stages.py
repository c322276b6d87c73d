"""Lesson 4: the four-stage panel. Where do the weights come from, and what is mixed?

"The doctor gave the patient medicine because he was sick": five of its words, and "he" asks. The vectors are set by
hand to show the mechanism. No model was trained, and the lesson shows what a real one does with this sentence.
"""

import math
from dataclasses import dataclass

import numpy as np

from course_utils import query_key_value as reference
from course_utils.explorers.kit.controls import Choice, Slider, State, Switch
from course_utils.explorers.kit.explorer import Explorer
from course_utils.explorers.kit.learner_function import LearnerFunction
from course_utils.polysemy import mix, uniform_weights

from .picture import HEIGHT, WORDS, Head, draw_panel

UNIFORM, RAW, QKV, HEADS = 1, 2, 3, 4
STAGES = ("1 Uniform average", "2 Raw dot product", "3 Query, key, value", "4 Several heads")

QUERY_LENGTH, TOKEN_LENGTH = 2.4, 2.2
TURN = 130  # degrees from the first head's query to the second's
HE = WORDS.index("he")
# rows: doctor, gave, patient, medicine, he
X = np.array([[1.20, 0.85], [-1.25, -0.55], [0.80, -1.15], [-0.75, 1.20], [-0.15, -1.45]])
K = np.array([[-0.30, 1.72], [-0.80, -1.15], [1.60, 0.92], [1.09, -1.30], [-1.48, 0.26]])
V = np.array([[1.50, 0.55], [0.70, -1.21], [0.47, 1.74], [-1.23, 1.03], [-1.13, -0.65]])
K_2 = np.array([[-1.03, -1.23], [1.64, 0.44], [0.13, 1.49], [-1.69, 0.62], [0.70, -1.21]])
V_2 = np.array([[-1.40, -0.40], [0.40, -1.40], [-0.80, 1.30], [1.50, 0.50], [0.45, 1.55]])


@dataclass(frozen=True)
class Panel(State):
    stage: int = QKV
    angle: int = 30  # of the query, in degrees
    calculation: bool = False


def panel(attention=None, attention_scores=None) -> Explorer:
    """Uniform average → raw dot product → query, key, value → several heads; the query turns, everything follows."""
    attend = LearnerFunction(attention, reference.attention)
    score = LearnerFunction(attention_scores, reference.attention_scores)

    def draw(state: Panel) -> str:
        return draw_panel(state.stage, state.angle, heads_of(state, attend, score), state.calculation)

    controls = (
        Choice("stage", "Stage", (UNIFORM, RAW, QKV, HEADS), STAGES),
        Slider("angle", "Query direction", -180, 175, 5, "°"),
        Switch("calculation", "See the calculation"),
    )
    return Explorer("Four stages of attention", Panel(), controls, draw, HEIGHT, (attend, score))


def heads_of(state: Panel, attend=reference.attention, score=reference.attention_scores) -> list[Head]:
    """The whole mathematics of the panel. Scores are divided by √2, the root of the width of a query (lesson 5)."""
    query = _vector(QUERY_LENGTH, state.angle)
    if state.stage == UNIFORM:
        weights = uniform_weights(len(WORDS))[HE]
        return [Head(query, X, X, None, weights, mix(weights, X))]
    if state.stage == RAW:
        tokens = X.copy()
        tokens[HE] = query = _vector(TOKEN_LENGTH, state.angle)  # one vector in all three roles: "he" turns too
        return [_head(query, tokens, tokens, attend, score)]
    heads = [_head(query, K, V, attend, score)]
    if state.stage == HEADS:
        heads.append(_head(_vector(QUERY_LENGTH, state.angle + TURN), K_2, V_2, attend, score))
    return heads


def _head(query, keys, values, attend, score) -> Head:
    scaled = query[None] / math.sqrt(2)  # attention takes no scale yet, so the query carries it
    output, weights = attend(scaled, keys, values)
    return Head(query, keys, values, score(scaled, keys)[0], weights[0], output[0])


def _vector(length: float, degrees: float) -> np.ndarray:
    """To two decimals, so that whoever follows the printed numbers arrives at the printed results."""
    return np.round(length * np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]), 2)
