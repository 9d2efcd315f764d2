"""The terminal app: a board to play on by mouse and keys. It needs the extra `tui`; `ggp.tui.canvas` does not."""
