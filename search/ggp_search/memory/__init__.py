"""A search's memory: tables, paths, trees; each interpreted, and in machine words for compiled searches."""
