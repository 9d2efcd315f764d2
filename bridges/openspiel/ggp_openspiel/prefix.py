"""The prefix of the names of OpenSpiel's games."""

PREFIX = "openspiel"
"""The part before the colon in the names of OpenSpiel's games."""
