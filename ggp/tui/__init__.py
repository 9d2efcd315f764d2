"""The terminal app: a board for mouse and keys. The app needs the extra `tui`, except for `ggp.tui.canvas`.

`app` is the screen, `board_view` the board on it, and `canvas` draws a scene in characters. `background_match` plays
the match in a thread, where `human_input` waits for the person's moves.
"""
