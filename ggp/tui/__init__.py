"""The terminal app: a board for mouse and keys. It needs the extra `tui`, except for `ggp.tui.canvas`."""
