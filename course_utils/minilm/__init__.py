"""The published sentence encoder: its tokenizer and its layers, in NumPy."""
