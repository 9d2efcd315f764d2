"""What a search remembers: tables, paths, trees; each interpreted, and in machine words for compiled searches."""
