"""Classes that are written from descriptions, and descriptions that are written from games."""

import ast
import io
import random

import pytest
from ggp_gdl import written
from ggp_gdl.automaton import Automaton
from ggp_gdl.branching import Branching
from ggp_gdl.description import format_term, read, term_of
from ggp_gdl.exclusion import exclusive_facts
from ggp_gdl.export import export
from ggp_gdl.game import WORD, PackedGame
from ggp_gdl.grounding import Grounding
from ggp_gdl.layout import fit
from ggp_gdl.library import OWN, game_named, make, named_files, relation_class
from ggp_gdl.net import TRUE, Net
from ggp_gdl.play import referee_of
from ggp_gdl.rehearsal import rehearsed
from ggp_gdl.table_writer import TableWriter
from ggp_gdl.writer import Writer
from ggp_gdl.written import run

import ggp
from ggp.cli import main
from ggp.options import values_of

NAMES = sorted(named_files(OWN))
LONG = ("reversi", "breakthrough")


def text_of(name):
    return named_files(OWN)[name].read_text()


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in LONG)) for n in NAMES])
def test_our_descriptions_become_classes_of_words(name):
    source = written.write(rehearsed(text_of(name), name)).source
    assert issubclass(run(source, name), PackedGame)
    assert max(map(len, source.splitlines())) < 80


LONG_LINES = {
    "a condition": "if state[0] & 1234567890 == 1234567890 and state[1] >> 5 & 3 != 0 or not self.any_1234(state):",
    "a tuple": "return (state[0] & ~12345678901234567890 | T0[action], state[1] & ~1234567890 | T1[action], state[2],)",
    "words": "words = [*state, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    "two values": "yield 'legal_mark_with_a_long_name', (row0[0], ('mark', row0[2], row1[3]), 'a_word_, as, is')",
    "a loop": "for row0 in s.state.index('true_cell_of_a_large_board', (0, 1, 2, 3)).get((a0, a1, a2, 'a and b'), ()):",
    "an addition": "n0 |= (w0 >> 1 & 1234567890123456789) + (w1 >> 2 & 1234567890123456789) - (w2 << 3 & 12345678)",
    "a call": "found.add((row0[0], row0[1], row0[2], row0[3], row1[0], row1[1], row1[2], row1[3], row2[0], row2[1]))",
    "a function": "def legal_with_a_long_name_bbbbbbbbbbbbb(s, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, found):",
    "a remark": "while bits:  # (move 1 2 3 4 5 6 7 8 9 10) ... (move 10 20 30 40 50 60 70 80 90 100)",
}


@pytest.mark.parametrize("line", LONG_LINES.values(), ids=LONG_LINES)
@pytest.mark.parametrize("depth", [0, 3])
def test_long_lines_are_broken_and_mean_the_same(line, depth):
    blocks = ["def f(a0, s, self, state):", *[f"{'    ' * i}while state:" for i in range(1, depth + 1)]]
    code = "    " * (depth + 1) + line
    rest = ["    " * (depth + 2) + "pass"] if line.partition("  #")[0].endswith(":") else []
    broken = list(fit([code]))
    assert len(broken) > 1
    assert max(map(len, broken)) < 80
    assert ast.dump(ast.parse("\n".join([*blocks, *broken, *rest]))) == ast.dump(
        ast.parse("\n".join([*blocks, code, *rest]))
    )


def test_contents_of_a_cell_are_proved_to_be_exclusive_and_other_facts_are_not():
    automaton = Automaton(rehearsed(text_of("tictactoe"), "tictactoe"))
    found = exclusive_facts(automaton)
    names = {
        node: format_term(term_of(*bit)) for bit, node in zip(automaton.net.bits, automaton.net.bit_nodes, strict=True)
    }
    others = {names[node]: {names[other] for other in found.get(node, ())} for node in names}
    assert others["(cell 2 3 x)"] == {"(cell 2 3 o)", "(cell 2 3 b)"}
    assert others["(control x)"] == {"(control o)"}


def test_facts_that_a_rare_move_lets_hold_together_are_not_exclusive():
    text = """
        (role a) (role b) (init (turn a)) (init (at 1)) (init (left 6))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (legal ?p (go ?n)) (true (turn ?p)) (succ ?m ?n))
        (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
        (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
        (<= (next (at ?n)) (does ?p (go ?n)))
        (<= (next (at 6)) (does ?p (go 5)) (true (at 4)) (true (left 1)))
        (<= terminal (true (left 0)))
        (<= (goal a 100) (true (at 6))) (<= (goal b 0) (true (at 6)))
        (<= (goal a 0) (not (true (at 6)))) (<= (goal b 100) (not (true (at 6))))
    """
    referee = rehearsed(text, "rare")
    for way in referee.rehearsed:  # as if random games had never seen it
        way[:] = [state for state in way if ("left", "0") not in state]
    automaton = Automaton(referee)
    at = [automaton.net.bit_nodes[p] for p, (name, _) in enumerate(automaton.net.bits) if name[1] == "at"]
    assert len(at) == 6
    assert not any(set(at) & others for node, others in exclusive_facts(automaton).items() if node in at)


@pytest.mark.slow
def test_a_state_that_a_class_takes_for_impossible_is_refused():
    # not by `make`: on a slow machine, it plays by the rules while another process makes the class
    game = run(written.write(rehearsed(text_of("reversi"), "reversi")).source, "reversi")()
    state = game.format_state(game.initial_state()).replace("(cell 4 4 white)", "(cell 4 4 white) (cell 4 4 black)")
    with pytest.raises(ggp.NotationError, match=r"\(cell 4 4 \w+\) and \(cell 4 4 \w+\) never hold together"):
        game.parse_state(state)


@pytest.mark.parametrize("name", ["tictactoe", "nim", "hexapawn", "ponghauki", "pegs", "connectfour"])
def test_a_class_plays_as_the_rules_do(name):
    made, rules = make(text_of(name), f"gdl:{name}")(), relation_class(rehearsed(text_of(name), name))()
    generator = random.Random(5)
    for _ in range(6):
        packed, facts = made.initial_state(), rules.initial_state()
        while not rules.terminal_test(facts):
            assert frozenset(made.facts(packed)) == facts
            assert not made.terminal_test(packed)
            assert made.to_move(packed) == rules.to_move(facts)
            actions = {made.move_of(action): action for action in made.actions(packed)}
            assert sorted(actions, key=str) == sorted(rules.actions(facts), key=str)
            move = generator.choice(rules.actions(facts))
            packed, facts = made.result(packed, actions[move]), rules.result(facts, move)
        assert made.terminal_test(packed)
        assert made.utility(packed, ggp.MAX) == rules.utility(facts, ggp.MAX)


class Assembly:
    """Random nets: facts, and gates over facts and other gates."""

    def __init__(self, seed):
        generator = random.Random(seed)
        facts = " ".join(f"(fact {i})" for i in range(70))
        rules = read(f"(role x) {facts} (<= (init (cell ?i)) (fact ?i)) (<= (next (cell ?i)) (true (cell ?i)))")
        self.net = Net(Grounding(rules))
        nodes = list(self.net.bit_nodes)
        for _ in range(60):
            parts = generator.sample(nodes[-40:], generator.randint(2, 4))
            nodes.append(self.net.all(generator.choice((1, -1)) * part for part in parts))
        self.roots = [generator.choice((1, -1)) * node for node in nodes[-25:]]
        self.states = [[generator.random() < share for _ in range(70)] for share in (0.1, 0.5, 0.8, 0.9, 0.97)]

    def holds(self, node, state):
        if abs(node) == TRUE:
            return node > 0
        if abs(node) in self.net.bit_of:
            return state[self.net.bit_of[abs(node)]] == (node > 0)
        return all(self.holds(part, state) for part in self.net.gates[abs(node)]) == (node > 0)


@pytest.mark.parametrize("size", [1, 3], ids=["any facts", "one fact of three"])
@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_a_branching_program_finds_what_a_net_says(seed, apart, size):
    made = Assembly(seed)
    nodes = made.net.bit_nodes
    groups = [nodes[i : i + size] for i in range(0, len(nodes), size)]
    exclusive = {node: frozenset(group) - {node} for group in groups for node in group if size > 1}
    for state in made.states:
        for i in range(len(state)):
            state[i] = state[i] and not any(state[i - i % size : i])
    branching = Branching(made.net, words=2, answers=1, exclusive=exclusive)
    row, words = branching.program([(node, (i,)) for i, node in enumerate(made.roots)], apart=apart)
    for state in made.states:
        bits = sum(1 << i + (64 - WORD) * (i >= WORD) for i, holds in enumerate(state) if holds)
        memory = [bits & (1 << WORD) - 1, bits >> 64, *[0] * (words - 2)]
        at = row
        while at:
            word, mask, value, target, set_bits, then, otherwise = branching.rows[at]
            if memory[word] & mask == value:
                memory[target] |= set_bits
            at = then if memory[word] & mask == value else otherwise
        assert memory[2] == sum(made.holds(node, state) << i for i, node in enumerate(made.roots))


@pytest.mark.parametrize("name", ["tictactoe", "nim", "ponghauki", "pig"])
def test_a_class_with_tables_plays_as_the_one_with_a_line_for_each_condition(name):
    automaton = Automaton(rehearsed(text_of(name), name))
    one, other = (run(form(automaton).write(), form.__name__)() for form in (Writer, TableWriter))
    generator = random.Random(2)
    for _ in range(5):
        state = one.initial_state()
        while not one.terminal_test(state):
            actions = list(one.actions(state))
            assert (one.to_move(state), sorted(actions)) == (other.to_move(state), list(other.actions(state)))
            action = generator.choice(actions)
            assert one.result(state, action) == other.result(state, action)
            state = one.result(state, action)
            assert one.terminal_test(state) == other.terminal_test(state)
        assert one.utility(state, ggp.MAX) == other.utility(state, ggp.MAX)


VALUES = {"tictactoe": 0, "nim": 1, "hexapawn": -1, "domineering": 1}


@pytest.mark.parametrize("name", VALUES)
def test_the_value_of_a_description_is_that_of_the_game(name):
    registry = ggp.load_registry()
    game = registry.game(f"gdl:{name}")
    found = registry.searcher("alphabeta", speed="interpreted").search(game, game.initial_state())
    assert (found.value, found.complete) == (VALUES[name], True)


def test_a_written_class_is_kept_and_a_damaged_one_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    made = written.write(rehearsed(text_of("nim"), "nim"))
    written.keep("key", made)
    assert written.recall("key") == made
    (file,) = (tmp_path / "gdl").iterdir()
    file.write_text(file.read_text().replace("stones", "pebbles"))
    assert written.recall("key") is None


def test_a_class_that_is_shown_is_a_game_of_its_own(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    assert main(["gdl", "show", "tictactoe"]) == 0
    path = tmp_path / "shown.py"
    path.write_text(capsys.readouterr().out)
    assert main(["--plugin", str(path), "show", "tictactoe-gdl", "--moves", "mark-2-2"]) == 0
    assert "2 [ ] [X] [ ]" in capsys.readouterr().out


def test_the_machine_code_of_a_class_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    text = text_of("tictactoe").replace("(index 3)", "(index 3) (kept 1)")
    game = make(text, "gdl:kept")()
    ggp.load_registry().searcher("mcts", speed="compiled").search(game, game.initial_state(), ggp.Limits(nodes=100))
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "gdl"]


def test_turns_that_are_proved_are_said_to_be():
    assert "by a proof" in written.write(rehearsed(text_of("tictactoe"), "x")).source


SMALL = {"tictactoe": {"h": 2, "v": 2, "k": 2}, "nim": {"heaps": (1, 2)}, "hexapawn": {}, "pong-hau-ki": {}}


@pytest.mark.parametrize("name", SMALL)
def test_a_game_that_is_written_and_read_back_is_the_same(name):
    game = ggp.load_registry().game(name, **SMALL[name])
    assert values_of(game).keys() >= SMALL[name].keys()
    back = make(export(game), "gdl:back")()
    generator = random.Random(3)
    for _ in range(10):
        one, other = game.initial_state(), back.initial_state()
        for _ in range(30):
            assert game.terminal_test(one) == back.terminal_test(other)
            if game.terminal_test(one):
                assert (game.utility(one, ggp.MAX) > 0) == (back.utility(other, ggp.MAX) > 0)
                break
            assert game.to_move(one) == back.to_move(other)
            choice = generator.choice(list(game.actions(one)))
            named = ggp.capabilities.notation(game).format_action(one, choice).lower()
            by_name = {back.format_action(other, action): action for action in back.actions(other)}
            assert len(by_name) == len(list(game.actions(one)))
            one, other = game.result(one, choice), back.result(other, by_name[named])


def test_a_game_too_large_or_with_chance_is_not_written():
    registry = ggp.load_registry()
    with pytest.raises(ggp.UnsupportedGameError, match="has chance"):
        export(registry.game("pig"))


@pytest.mark.slow
def test_the_board_of_a_description_is_drawn_with_moves_to_click():
    game = game_named("gdl:breakthrough")()
    scene = game.scene(game.initial_state())
    assert scene["a1"].owner == ggp.MAX
    assert scene["a8"].owner == ggp.MIN
    assert {move.start for move in scene.moves} >= {"a2", "h2"}
    small = game_named("gdl:tictactoe")()
    assert sum(cell.action is not None for cell in small.scene(small.initial_state()).cells) == 9


def test_commands_take_a_file_wherever_they_take_a_game(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    path = tmp_path / "Small Game.kif"
    path.write_text(text_of("nim"))
    for command in (
        ["search", str(path)],
        ["solve", str(path), "--quiet"],
        ["gdl", "show", str(path)],
        ["rules", str(path)],
    ):
        assert main(command) == 0, command
    monkeypatch.setenv("GGP_GDL", str(tmp_path))
    capsys.readouterr()
    assert main(["games", "gdl:small-game"]) == 0
    assert "first (MAX) and second (MIN)" in capsys.readouterr().out


def test_a_relation_that_nothing_defines_is_told_when_its_game_is_shown(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    path = tmp_path / "slip.kif"
    path.write_text(text_of("nim") + "\n(<= (next (heap 9 9)) (rol first))\n")
    assert main(["gdl", "show", str(path)]) == 0
    line = len(path.read_text().splitlines())
    told = f"slip.kif, line {line}: nothing defines rol (did you mean role?); so this relation never holds"
    assert told in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gdl:tictacto", "there is no description 'tictacto' (did you mean tictactoe?)"),
        ("missing.kif", "there is no description missing.kif in this folder: name a file"),
    ],
)
def test_a_description_that_is_not_there_is_a_sentence(name, sentence, capsys):
    assert main(["search", name]) == 2
    assert sentence in capsys.readouterr().err


def test_a_game_of_a_file_is_resumed_from_another_folder(tmp_path, monkeypatch, capsys):
    begun, elsewhere = tmp_path / "begun", tmp_path / "elsewhere"
    begun.mkdir(), elsewhere.mkdir()
    (begun / "small.kif").write_text(text_of("tictactoe"))
    monkeypatch.setenv("GGP_STORE", str(tmp_path / "games.db"))
    monkeypatch.chdir(begun)
    monkeypatch.setattr("sys.stdin", io.StringIO("mark-2-2\nquit\n"))
    assert main(["play", "small.kif", "--first", "human", "--second", "random"]) == 0
    monkeypatch.chdir(elsewhere)
    assert main(["resume"]) == 2
    assert "GGP_GDL" in capsys.readouterr().err
    monkeypatch.setenv("GGP_GDL", str(begun))
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["resume"]) == 0
    assert "you quit after 2 moves" in capsys.readouterr().err


def test_a_wrong_file_is_named_with_the_line(tmp_path, capsys):
    path = tmp_path / "bad.kif"
    path.write_text("(role x)\n(<= p (true a b))\n")
    assert main(["search", str(path)]) == 2
    assert "bad.kif, line 2: true has one argument; got 2" in capsys.readouterr().err


def test_a_referee_is_made_once_for_a_text():
    assert referee_of(text_of("nim")) is referee_of(text_of("nim"))
    assert read(text_of("nim")).roles == ("first", "second")
