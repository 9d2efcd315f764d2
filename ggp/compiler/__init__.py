"""Plain classes and functions made into machine code."""
