"""Tools for the developers of ggp."""
