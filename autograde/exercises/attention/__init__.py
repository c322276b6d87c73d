"""What the exercises on attention of lessons 4 to 6 share: draws, checks, properties, scale, mistakes, accepted answers."""
