"""Pictures: search trees as text."""
