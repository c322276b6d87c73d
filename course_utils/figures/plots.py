"""Static figures of the course: arrays in, a figure out, in one size, palette and font.

Every figure is a ``Picture``: a matplotlib ``Figure`` that knows a sentence for those who cannot see it, and shows
itself as the last line of a cell. ``pyplot`` is never used, so no figure stays in memory.
"""

from .charts import bars, lines
from .heatmaps import heatmap
from .pictures import Picture
from .planes import arrows, cloud, scatter
from .plans import plan

__all__ = ["Picture", "arrows", "bars", "cloud", "heatmap", "lines", "plan", "scatter"]
