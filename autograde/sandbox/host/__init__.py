"""The judge's side: starts workers, asks them, and believes nothing but plain values."""
