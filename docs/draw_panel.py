"""Draws README's picture, docs/panel.svg, from the explorer as it is now."""

from pathlib import Path

from course_utils.explorers import query_key_value
from course_utils.explorers.kit.explorer import standalone

panel = query_key_value.panel()
picture = standalone(panel.draw(panel.start), panel.height)
(Path(__file__).parent / "panel.svg").write_text(picture + "\n", encoding="utf-8")
