"""A single file that runs without Python being installed: `python -m tools.onefile`."""
