"""A single file that runs where no Python is: `python -m tools.onefile`."""
