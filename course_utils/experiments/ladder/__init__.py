"""The same task with one thing changed at a time: last word, average, dot products, attention, heads."""
