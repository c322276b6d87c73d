"""What the lessons measure."""
