"""A notebook for marimo: a board, a cell that looks at its moves, and a search to step through."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import ggp
    from ggp import show
    from ggp.notebook import play, step_through

    registry = ggp.load_registry()
    kalah, fig52 = registry.game("kalah"), registry.game("fig52")
    return fig52, ggp, kalah, mo, play, registry, show, step_through


@app.cell
def _(kalah, mo, play, registry):
    board = mo.ui.anywidget(play(kalah, south="human", north="medium", registry=registry))
    board  # noqa: B018
    return (board,)


@app.cell
def _(board, mo):
    mo.md(f"moves so far: {' '.join(board.value['moves'])}.")
    return


@app.cell
def _(board, ggp, kalah, registry, show):
    state = board.match.state
    show.Analysis(kalah, state, registry.searcher("alphabeta").analyse(kalah, state, ggp.Limits(depth=3)))
    return (state,)


@app.cell
def _(kalah, show, state):
    show.Board(kalah, state)
    return


@app.cell
def _(fig52, mo, registry, step_through):
    stepper = mo.ui.anywidget(step_through(fig52, registry.searcher("alphabeta")))
    stepper  # noqa: B018
    return (stepper,)


@app.cell
def _(mo, stepper):
    mo.md(f"step {stepper.value['step']}.")
    return


if __name__ == "__main__":
    app.run()
