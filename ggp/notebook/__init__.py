"""Widgets for JupyterLab, marimo and other hosts of anywidget: a board to play on, and a search to step through.

from ggp.notebook import play, step_through

widget = play(kalah, south="human", north="medium")
step_through(fig52, registry.searcher("alphabeta"))
"""

try:
    import anywidget  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "anywidget":
        raise
    raise ModuleNotFoundError("widgets need an extra: pip install 'ggp[notebook]'", name=error.name) from None

from ggp.notebook.board_players import play
from ggp.notebook.board_widget import BoardWidget
from ggp.notebook.stepper import StepperWidget, step_through

__all__ = ["BoardWidget", "StepperWidget", "play", "step_through"]
