"""Static figures: arrays in, a picture out."""
