"""What the exercises on attention share: masks, scale, properties and mistakes."""
