"""The kind of OpenSpiel's games."""

KIND = "openspiel"
"""The part before the colon in the names of its games."""
