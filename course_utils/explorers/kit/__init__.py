"""What every explorer is made of."""
