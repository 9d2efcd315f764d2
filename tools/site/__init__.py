"""The documentation site: `python -m tools.site --output site`."""
