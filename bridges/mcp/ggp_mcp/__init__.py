"""`ggp mcp`: games, rules and analysis for assistants, by the Model Context Protocol. Needs the extra `mcp`."""
