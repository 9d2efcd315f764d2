"""`ggp playouts`."""


def test_the_command_prints_what_was_measured(ggp, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    found = ggp("playouts", "tictactoe", "--playouts", "200")
    assert (found.status, found.err) == (0, "")
    assert "X 5" in found.out
    assert "| interpreted |       1 |      200 |" in found.out


def test_where_the_game_is_over_there_is_nothing_to_play_out(ggp):
    found = ggp("playouts", "tictactoe", "--moves", "1,4,2,5,3")
    assert found.status == 2
    assert found.err == "ggp: the game is over: there is nothing to play out; got 'XXX/OO./...'\n"
