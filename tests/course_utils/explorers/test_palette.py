"""The explorers' colours: apart from one another for four kinds of vision, and readable on their grounds.

Simulation: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. Distance: CIE 1976. Contrast: WCAG 2.2.
"""

from itertools import combinations

import numpy as np
import pytest
from contrast import THEMES, contrast, linear, mixed

from course_utils.explorers.kit.palette import DARK, HUES, style

VISION = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    ratio = to_xyz @ rgb / [0.95047, 1.0, 1.08883]
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_known_values_of_the_measures():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert lab(linear("#ffffff")) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)  # published for sRGB red


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_hues_stay_apart(theme, vision):
    seen = [lab(np.clip(np.asarray(VISION[vision]) @ linear(THEMES[theme][f"c{i}"]), 0, 1)) for i in range(HUES)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= 30


@pytest.mark.parametrize("theme", THEMES)
def test_hues_are_visible_and_words_readable_on_both_grounds(theme):
    colours = THEMES[theme]
    for ground in (colours["bg"], colours["soft"]):
        assert min(contrast(colours[f"c{i}"], ground) for i in range(HUES)) >= 3
        assert min(contrast(colours[name], ground) for name in ("fg", "mut")) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_in_the_strongest_cell_of_a_heat_map_are_readable(theme):
    colours = THEMES[theme]
    for i in range(HUES):
        cell = mixed(colours[f"c{i}"], colours["bg"], float(colours["heat"]))
        assert contrast(colours["fg"], cell) >= 4.5, f"hue {i}"


def test_the_sheet_follows_the_theme_of_the_notebook():
    sheet = style()
    assert '[data-jp-theme-light="false"] .explorer,.vscode-dark .explorer{' + f"--fg:{DARK['fg']}" in sheet
    assert "\n" not in sheet and "http" not in sheet and "@import" not in sheet
