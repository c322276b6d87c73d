"""How far apart two colours are in brightness (WCAG 2.2), and the colour of one over another."""

import numpy as np

from course_utils.explorers.kit.palette import DARK, LIGHT

THEMES = {"light": LIGHT, "dark": DARK}


def linear(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def mixed(over: str, under: str, opacity: float) -> str:
    parts = [round(opacity * int(over[i : i + 2], 16) + (1 - opacity) * int(under[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)
