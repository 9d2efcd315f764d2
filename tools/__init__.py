"""What the makers of ggp need."""
