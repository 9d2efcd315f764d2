"""`ggp compile`: what is compiled, and core."""

import json


def test_each_operation_is_listed_with_its_source(ggp):
    found = ggp("compile", "nim")
    assert found.status == 0
    assert any(row.startswith("| terminal_test ") and "nim_rules.py:" in row for row in found.out.splitlines())
    data = json.loads(ggp("compile", "nim", "--method", "result", "--json").out)
    assert list(data["operations"]) == ["result"]
    assert set(data["operations"]["result"]) == {"compiled", "place", "reason"}


def test_the_core_of_the_rules_is_printed(ggp):
    found = ggp("compile", "kalah", "--core", "--method", "to_move")
    assert found.out.splitlines()[1:] == ["def to_move(self, state):", "    t1 = state[2]", "    return t1"]
    assert "def result(self, state, action):" in ggp("compile", "kalah", "--core").out
    texts = json.loads(ggp("compile", "kalah", "--core", "--method", "sow", "--json").out)["core"]
    assert "def sow(" in texts["sow"]


def test_an_unknown_method_is_refused_with_those_that_there_are(ggp):
    found = ggp("compile", "kalah", "--method", "dance")
    assert found.status == 2
    assert "dance is not an operation of kalah; the operations are terminal_test, " in found.err
    found = ggp("compile", "kalah", "--core", "--method", "dance")
    assert found.status == 2
    assert "kalah has no method dance; its methods are " in found.err


def test_a_method_without_core_says_why(ggp, tmp_path):
    file = tmp_path / "game.py"
    file.write_text(
        "import attrs\nfrom typing import ClassVar\n\n@attrs.frozen\nclass One:\n    name: ClassVar[str] = 'one'\n"
        "    def initial_state(self): return 0\n    def to_move(self, state): return 0\n"
        "    def actions(self, state): return (0,)\n    def result(self, state, action): return 1\n"
        "    def terminal_test(self, state):\n        with open(__file__) as file:\n            return state == 1\n"
        "    def utility(self, state, player): return 0\n"
    )
    found = ggp("--plugin", str(file), "compile", "one", "--core", "--method", "terminal_test")
    assert found.status == 0
    assert found.out == "# game.py:11\n# game.py:12: `with` is not compiled\n"
