"""The registry: what it takes, what it refuses and in which words, and that one bad plugin leaves the rest usable."""

import dataclasses
import importlib.metadata
import pathlib
import random
import subprocess
import sys
import types

import attrs
import pytest

import ggp
from ggp import (
    GGPWarning,
    Limits,
    OptionError,
    PluginError,
    Registry,
    SearchResult,
    UnknownNameError,
    UnsupportedGameError,
)


@attrs.frozen
class Coin:
    """Show a side: heads wins."""

    name = "coin"
    sides: int = ggp.option(2, "sides of the coin", minimum=2, maximum=9)
    rim: bool = ggp.option(False, "whether it may stand")

    def initial_state(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(1, self.sides + 1)

    def result(self, state, action):
        return action

    def terminal_test(self, state):
        return state > 0

    def utility(self, state, player):
        return 1 - 2 * player if state == 1 else 0


@attrs.frozen
class First:
    """Takes the first action."""

    name = "first"
    patience: float = ggp.option(1.0, "how patient it is", minimum=0)

    def unsupported_reason(self, game):
        return "it is a game of chance" if hasattr(game, "outcomes") else None

    def search(self, game, state, limits=Limits(), *, report=None):
        return SearchResult(action=next(iter(game.actions(state))), value=0, complete=True)

    analyse = search


class Weather(Coin):
    """A coin that the wind tosses."""

    name = "weather"

    def outcomes(self, state):
        return [(side, 1 / self.sides) for side in self.actions(state)]


def plugin(name="plugin", **hooks):
    """A plugin module with these hooks, each answering a list."""
    module = types.ModuleType(name)
    for hook, offered in hooks.items():
        setattr(module, hook, ggp.hookimpl(lambda offered=offered: offered))
    return module


@pytest.fixture
def registry():
    found = Registry()
    found.register(plugin(ggp_games=[Coin, Weather], ggp_searchers=[First]))
    return found


def test_games_and_searchers_are_made_by_name(registry):
    assert registry.game("coin") == Coin()
    assert registry.game("coin", sides=3) == Coin(sides=3)
    assert registry.searcher("first", patience=2) == First(patience=2)


def test_a_class_is_registered_without_a_hook():
    registry = Registry()
    registry.register(Coin, First)
    assert (list(registry.games), list(registry.searchers)) == (["coin"], ["first"])


def test_a_package_without_hooks_offers_what_it_imports_from_its_own_modules():
    package = types.ModuleType("coins")
    package.Coin = type("Coin", (Coin,), {"__module__": "coins.game"})
    package.Weather = type("Weather", (Weather,), {"__module__": "another.game"})
    registry = Registry()
    registry.register(package)
    assert list(registry.games) == ["coin"]


def test_the_entries_tell_what_a_front_end_shows(registry):
    entry = registry.games["coin"]
    assert (entry.name, entry.summary, entry.source) == ("coin", "Show a side: heads wins.", "plugin")
    assert [(option.name, option.default, option.expected) for option in entry.options] == [
        ("sides", 2, "a whole number from 2 to 9"),
        ("rim", False, "yes or no"),
        ("swap", False, "yes or no"),
    ]


def test_names_and_values_as_a_person_types_them(registry):
    assert registry.parse_game("coin", {"sides": "5", "rim": "yes"}) == Coin(sides=5, rim=True)
    assert registry.parse_searcher("first") == (First(), Limits())
    assert registry.parse_searcher("first:patience=0.5,depth=8") == (First(patience=0.5), Limits(depth=8))


WRONG = {
    "game": (lambda r: r.game("chess"), UnknownNameError, "there is no game 'chess': the games are coin, weather"),
    "searcher": (lambda r: r.searcher("magic"), UnknownNameError, "no searcher 'magic': the searchers are first"),
    "parameter": (
        lambda r: r.game("coin", side=3),
        OptionError,
        r"coin has no option 'side' \(did you mean sides\?\): its options are sides, rim",
    ),
    "no parameters": (
        lambda r: r.parse_searcher("first:x=1"),
        OptionError,
        "first has no option 'x': its options are pa",
    ),
    "limits are told": (lambda r: r.parse_searcher("first:x=1"), OptionError, "its limits are depth, seconds, nodes"),
    "no name": (lambda r: r.parse_searcher("first:8"), OptionError, "'8' is not an option: options are written name=v"),
    "range": (
        lambda r: r.game("coin", sides=1),
        OptionError,
        r"coin: sides must be .* \(sides of the coin\); got 1",
    ),
    "range in words": (lambda r: r.game("coin", sides=10), OptionError, "must be a whole number from 2 to 9 "),
    "type": (lambda r: r.game("coin", sides="two"), OptionError, "coin: sides must be .*; got 'two'"),
    "a limit": (
        lambda r: r.parse_searcher("first:depth=0"),
        OptionError,
        r"depth must be .* or none \(plies to look .*; got 0",
    ),
    "nothing": (lambda r: r.game(""), UnknownNameError, "there is no game '': the games are coin, weather"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_name_or_value_is_answered_with_the_right_ones(registry, wrong):
    ask, error, message = WRONG[wrong]
    with pytest.raises(error, match=message):
        ask(registry)


def test_an_empty_registry_says_so():
    with pytest.raises(UnknownNameError, match="there is no game 'coin': the games are none"):
        Registry().game("coin")


def test_a_searcher_that_cannot_serve_a_game_names_one_that_can(registry):
    registry.register(type("Patient", (First,), {"name": "patient", "unsupported_reason": lambda self, game: None}))
    assert registry.searchers_for(Weather()) == ("patient",)
    message = "first cannot search weather: it is a game of chance; patient can"
    with pytest.raises(UnsupportedGameError, match=message):
        registry.require(First(), Weather())
    registry.require(First(), Coin())


def test_where_nobody_can_search_a_game_it_says_so(registry):
    with pytest.raises(UnsupportedGameError, match="game of chance; no searcher that is installed can"):
        registry.require(First(), Weather())


class Broken:
    """Fails when it is made."""

    name = "broken"
    __init__ = None

    initial_state = to_move = actions = result = terminal_test = utility = None


def explode(*arguments):
    raise RuntimeError("no luck")


Broken.__init__ = explode


def with_option(name, *bases):
    """Return a class that declares an option, before any decorator."""
    body = {"name": name, "sides": ggp.option(2, "sides"), "__annotations__": {"sides": int}}
    return type(name.title(), bases, body)


RULES = type("Rules", (), {method: None for method in vars(Broken) if method[0] != "_"})

BAD = {
    "option without attrs": (
        plugin("p", ggp_games=[with_option("plain", RULES)]),
        "plugin p offers plain, whose sides has no value: write @attrs.frozen above class Plain$",
    ),
    "option of a dataclass": (
        plugin("p", ggp_games=[dataclasses.dataclass(frozen=True)(with_option("data", RULES))]),
        "offers data, whose sides has no value: write @attrs.frozen instead of @dataclass above class Data$",
    ),
    "option that a heir adds": (
        plugin("p", ggp_games=[with_option("heir", Coin)]),
        "offers heir, whose sides has no value: write @attrs.frozen above class Heir$",
    ),
    "misspelt hook": (plugin("p", ggp_game=[Coin]), "plugin p cannot be used: it misspells a hook.*'ggp_game'"),
    "misspelt hook, right ones": (
        plugin("p", ggp_game=[Coin]),
        "ggp_games, ggp_searchers, .*ggp_game_named",
    ),
    "no hooks": (plugin("p"), "plugin p offers nothing: it needs the class of a game or searcher with a"),
    "no list": (plugin("p", ggp_games=7), "plugin p cannot be used: its ggp_games raised TypeError"),
    "no game": (plugin("p", ggp_games=[int]), "plugin p offers <class 'int'>, which has no name: give it a class at"),
    "a number": (plugin("p", ggp_games=[7]), "plugin p offers 7, which has no name"),
    "half a game": (
        plugin("p", ggp_games=[type("Half", (), {"name": "half", "actions": 1, "result": 1})]),
        "plugin p offers half, a game that lacks initial_state, to_move, terminal_test, utility",
    ),
    "half a searcher": (
        plugin("p", ggp_searchers=[type("Half", (), {"name": "half", "search": 1})]),
        "plugin p offers half, a searcher that lacks unsupported_reason, analyse",
    ),
    "twice the same": (plugin("p", ggp_games=[Coin, Coin]), "the game name 'coin' is claimed by p and p"),
    "no name": (plugin("p", ggp_games=[type("C", (Coin,), {"name": ""})]), "which has no name"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_plugin_is_refused_in_words(bad):
    module, message = BAD[bad]
    with pytest.raises(PluginError, match=message):
        Registry().register(module)


def test_a_hook_that_raises_is_named_with_the_line():
    module = plugin("p")
    module.ggp_games = ggp.hookimpl(explode)
    with pytest.raises(PluginError, match=r"its ggp_games raised RuntimeError: no luck \(test_registry.py, line \d+\)"):
        Registry().register(module)


def test_an_error_in_pythons_library_is_located_in_the_plugin():
    module = plugin("p")
    module.ggp_games = ggp.hookimpl(lambda: random.choice([]))
    with pytest.raises(PluginError, match=r"its ggp_games raised IndexError: .* \(test_registry.py, line \d+\)"):
        Registry().register(module)


def test_a_game_that_cannot_be_made_is_named_with_its_plugin():
    registry = Registry()
    registry.register(plugin("p", ggp_games=[Broken]))
    with pytest.raises(PluginError, match=r"broken \(from p\) cannot be created: RuntimeError: no luck"):
        registry.game("broken")


def test_a_name_that_two_plugins_claim_is_unusable_and_the_rest_works(registry):
    message = "the game name 'coin' is claimed by plugin and other: it is unusable until one of them is removed"
    with pytest.raises(PluginError, match=message):
        registry.register(plugin("other", ggp_games=[Coin], ggp_searchers=[]))
    with pytest.raises(PluginError, match=message):
        registry.game("coin")
    assert list(registry.games) == ["weather"]
    assert registry.game("weather") == Weather()
    assert registry.problems == [message]


def test_a_game_and_a_searcher_may_share_a_name():
    registry = Registry()
    registry.register(Coin, type("Tosser", (First,), {"name": "coin"}))
    assert list(registry.games) == list(registry.searchers) == ["coin"]


GOOD_FILE = pathlib.Path(__file__).read_text(encoding="utf-8").split("class Weather")[0].split("import ggp\n", 1)[1]
GOOD_FILE = "import attrs\nimport ggp\n" + GOOD_FILE + "@ggp.hookimpl\ndef ggp_games():\n    return [Coin]\n"


def write(folder, text, name="plugin.py"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_a_plugin(tmp_path):
    registry, path = Registry(), write(tmp_path, GOOD_FILE)
    registry.load_file(path)
    assert registry.games["coin"].source == str(path)
    assert registry.game("coin", sides=3).actions(0) == range(1, 4)


def test_a_file_without_hooks_offers_the_games_that_it_defines(tmp_path):
    text, _, hooks = GOOD_FILE.partition("@ggp.hookimpl")
    assert hooks
    registry, path = (
        Registry(),
        write(tmp_path, text + "from fractions import Fraction\n\nclass Helper:\n    name = 'x'\n"),
    )
    registry.load_file(path)
    assert list(registry.games) == ["coin"]
    assert registry.game("coin", sides=3).actions(0) == range(1, 4)


def test_two_files_of_the_same_name_are_two_plugins(tmp_path):
    registry = Registry()
    for folder, name in (("one", "coin"), ("two", "medal")):
        (tmp_path / folder).mkdir()
        registry.load_file(write(tmp_path / folder, GOOD_FILE.replace('"coin"', f'"{name}"')))
    assert list(registry.games) == ["coin", "medal"]


def test_a_file_is_the_name_of_its_only_game(tmp_path):
    path = write(tmp_path, GOOD_FILE)
    registry = Registry()
    assert registry.game(str(path)).name == "coin"
    assert registry.game(str(path)) == registry.game("coin")
    assert registry.files == [str(path)]  # loaded once


def test_a_file_with_several_games_or_none_is_no_name(tmp_path):
    one = GOOD_FILE.partition("\n@ggp.hook")[0]
    text = one + "\n\nclass Medal(Coin):\n    name = 'medal'\n"
    with pytest.raises(UnknownNameError, match=r"two[.]py has the games coin, medal: add --plugin .*two[.]py, and "):
        Registry().game(str(write(tmp_path, text, "two.py")))
    with pytest.raises(UnknownNameError, match=r"there is no file .*three[.]py"):
        Registry().game(str(tmp_path / "three.py"))


MISSPELT = """

class Bad:
    name = 'bad'
    inital_state = to_move = actions = result = terminal_test = utility = 1
"""


def test_a_misspelt_class_beside_a_good_one_is_told(tmp_path):
    text = GOOD_FILE.partition("\n@ggp.hook")[0] + MISSPELT
    with pytest.warns(
        GGPWarning, match=r"leaves out bad, a game that lacks initial_state \(did you mean initial_state"
    ):
        assert Registry().games_of(write(tmp_path, text)) == ["coin"]


def test_a_base_class_of_a_good_one_is_no_fault(tmp_path):
    derived = "\n\nclass Good(Bad):\n    name = 'good'\n    initial_state = 1\n"
    assert Registry().games_of(write(tmp_path, MISSPELT + derived)) == ["good"]


def test_a_directory_is_no_game(tmp_path):
    with pytest.raises(UnknownNameError, match=r"is a directory: the games are .*, or a file such as game.py"):
        Registry().game(str(tmp_path))


BAD_FILES = {
    "raises": ("raise RuntimeError('no\\nluck')", r"cannot be loaded: RuntimeError: no luck \(plugin.py, line 1\)"),
    "exits": ("import sys\nsys.exit(3)", r"cannot be loaded: SystemExit: 3 \(plugin.py, line 2\)"),
    "exits quietly": ("raise SystemExit", r"cannot be loaded: SystemExit \(plugin.py, line 1\)"),
    "syntax": ("def ggp_games(:", r"cannot be loaded: SyntaxError: .*\(plugin.py, line 1\)"),
    "missing import": ("import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_m"),
    "null bytes": ("\0", "cannot be loaded: "),
    "empty": ("", "offers nothing"),
    "half a game": ("class Half:\n    name = 'half'\n    actions = 1", "offers half, a game that lacks initial_state"),
    "a class without a name": (
        GOOD_FILE.partition("\n@ggp.hook")[0].replace("name =", "title ="),
        "such as name = 'chomp'",
    ),
    "misspelt methods": (
        "class C:\n    name = 'c'\n    initial_state = to_move = action = result = terminal_test = utilit = 1",
        r"lacks actions, utility \(did you mean actions instead of action\?\)"
        r" \(did you mean utility instead of utilit\?\)",
    ),
    "forgotten mark": (
        "def ggp_games():\n    return []",
        "offers nothing: it needs .* marked with @ggp.hookimpl",
    ),
}


@pytest.mark.parametrize("bad", BAD_FILES)
def test_a_bad_file_is_refused_in_words(tmp_path, bad):
    text, message = BAD_FILES[bad]
    path = write(tmp_path, text)
    registry = Registry()
    with pytest.raises(PluginError, match=message) as caught:
        registry.load_file(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "plugin.py"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(PluginError, match="cannot be loaded: SyntaxError"):
        Registry().load_file(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PluginError, match=r"nowhere.py: there is no such file"):
        Registry().load_file(tmp_path / "nowhere.py")


def test_a_file_that_is_not_python_is_refused(tmp_path):
    path = write(tmp_path, "hello", "plugin.txt")
    with pytest.raises(
        PluginError, match=r"plugin.txt cannot be loaded: it is not a Python file: its name must end in .py"
    ):
        Registry().load_file(path)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(PluginError, match="there is no such file"):
        Registry().load_file(tmp_path)


def install(folder, distribution, entry, text=None):
    """Make a distribution in `folder` that offers one plugin."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ggp]\n{entry}\n")
    if text is not None:
        write(folder, text, entry.split("=")[1].strip() + ".py")


def installed(folder):
    """What a fresh interpreter with `folder` on its path finds: one line a problem, one a game."""
    program = (
        "import ggp; registry = ggp.load_registry(); print(*registry.problems, sep='\\n');"
        "print(*(f'{entry.name} from {entry.source}' for entry in registry.games.values()), sep='\\n')"
    )
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-W", "error", "-c", program], env={"PYTHONPATH": str(folder)}, capture_output=True, text=True
    )
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_installed_plugins_are_found_and_bad_ones_are_named_with_their_distribution(tmp_path):
    install(tmp_path, "good-coins", "coins = good_coins", GOOD_FILE)
    install(tmp_path, "bad-coins", "coins = bad_coins", "raise RuntimeError('no luck')")
    install(tmp_path, "leaving", "leaving = leaving", "import sys; sys.exit()")
    install(tmp_path, "absent", "absent = absent_module")
    install(tmp_path, "misspelt", "misspelt = misspelt", "import ggp\n@ggp.hookimpl\ndef ggp_gaems():\n    return []")
    lines = installed(tmp_path)
    assert "coin from coins (good-coins 1.0)" in lines
    assert "plugin coins (bad-coins 1.0) cannot be loaded: RuntimeError: no luck (bad_coins.py, line 1)" in lines
    assert "plugin leaving (leaving 1.0) cannot be loaded: SystemExit (leaving.py, line 1)" in lines
    assert any(
        line.startswith("plugin absent (absent 1.0) cannot be loaded: ModuleNotFoundError: No module named")
        for line in lines
    )
    assert any(line.startswith("plugin misspelt (misspelt 1.0) cannot be used: it misspells a hook") for line in lines)
    assert any(line.startswith("kalah from kalah (ggp ") for line in lines)


def test_searchers_that_are_installed_are_asked_for_when_one_is_wanted(tmp_path):
    hook = "import ggp\n@ggp.hookimpl\ndef ggp_searchers():\n    raise RuntimeError('no luck')"
    install(tmp_path, "bad-luck", "luck = bad_luck", hook)
    program = (
        "import sys, ggp; told = []; registry = ggp.load_registry(told.append); list(registry.games)\n"
        "print(told, 'ggp_search.engine.tree_searcher' in sys.modules)\n"
        "list(registry.searchers); print(told == registry.problems, *told)"
    )
    run = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(tmp_path)}, capture_output=True)  # noqa: S603
    before, after = run.stdout.decode().splitlines()
    assert before == "[] False"
    assert after.startswith("True plugin luck (bad-luck 1.0) cannot be used: its ggp_searchers raised RuntimeError: no")


def test_what_an_installed_plugin_prints_is_no_data(tmp_path):
    install(tmp_path, "loud-coins", "coins = loud_coins", f"print('loud')\n{GOOD_FILE}")
    program = "import ggp; ggp.load_registry()"
    run = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(tmp_path)}, capture_output=True)  # noqa: S603
    assert (run.stdout, run.stderr) == (b"", b"loud\n")


def test_installed_plugins_that_claim_one_name_are_both_named(tmp_path):
    install(tmp_path, "one-coin", "one = one_coin", GOOD_FILE)
    install(tmp_path, "two-coins", "two = two_coins", GOOD_FILE)
    lines = installed(tmp_path)
    claim = "the game name 'coin' is claimed by one (one-coin 1.0) and two (two-coins 1.0): it is unusable"
    assert any(line.startswith(claim) for line in lines)
    assert not any(line.startswith("coin from") for line in lines)
    assert any(line.startswith("nim from") for line in lines)


def test_one_module_offered_by_two_distributions_is_named(tmp_path):
    install(tmp_path, "one-coin", "one = coins", GOOD_FILE)
    install(tmp_path, "two-coins", "two = coins")
    assert any("two (two-coins 1.0)" in line and "cannot be used" in line for line in installed(tmp_path))


@pytest.mark.parametrize("group", ["ggp", "ggp.games"])
def test_the_file_of_an_installed_plugin_is_the_same_plugin(tmp_path, group):
    install(tmp_path, "good-coins", "coins = good_coins", GOOD_FILE)
    if group == "ggp.games":
        entry_points = "[ggp.games]\ncoin = good_coins:Coin\n"
        (tmp_path / "good_coins-1.0.dist-info" / "entry_points.txt").write_text(entry_points)
    program = (
        "import ggp; registry = ggp.load_registry(); file = 'good_coins.py'; registry.load_file(file)\n"
        "print(registry.games_of(file), registry.game_entry('coin').source, *registry.searchers, *registry.problems)"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)  # noqa: S603
    assert (run.stderr, run.stdout.split()[:2]) == ("", ["['coin']", "good_coins.py"])
    assert "claimed" not in run.stdout


def test_another_file_with_the_name_of_an_installed_game_is_refused(tmp_path):
    install(tmp_path, "good-coins", "coins = good_coins", GOOD_FILE)
    (tmp_path / "other.py").write_text((tmp_path / "good_coins.py").read_text())
    program = (
        "import ggp; registry = ggp.load_registry()\n"
        "try: registry.load_file('other.py')\nexcept ggp.PluginError as error: print(error, registry.files)"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)  # noqa: S603
    assert "the game name 'coin' is claimed by coins (good-coins 1.0) and other.py: it is unusable" in run.stdout
    assert run.stdout.endswith("removed; to use the installed one, type coin in place of the file []\n")


def install_game(folder, line):
    """Make a distribution in `folder` that names one game by its class."""
    info = folder / "coins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coins\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ggp.games]\n{line}\n")
    write(folder, GOOD_FILE.partition("@ggp.hookimpl")[0], "coins.py")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("coin = coins:Coin", "coin from coins (coins 1.0)"),
        ("penny = coins:Coin", "plugin coins (coins 1.0) offers no game of the name penny"),
        ("coin = coins:Gone", "plugin coins (coins 1.0) cannot be loaded: AttributeError"),
        ("nim = coins:Coin", "plugin coins (coins 1.0) offers no game of the name nim"),
    ],
)
def test_a_game_may_be_named_by_its_class(tmp_path, line, shown):
    install_game(tmp_path, line)
    found = installed(tmp_path)
    assert any(each.startswith(shown) for each in found), found
    assert any(each.startswith("nim from toys (ggp ") for each in found)


def test_only_the_game_that_is_asked_for_is_imported():
    program = (
        "import sys, ggp; registry = ggp.load_registry(); registry.game('nim'); registry.searcher('alphabeta');"
        "games = {'ggp_kalah', 'ggp_othello', 'ggp_checkers', 'ggp_tictactoe'};"
        "print(sorted(games & set(sys.modules))); print(len(registry.games), sorted(games & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)  # noqa: S603
    few, all_games = run.stdout.splitlines()
    assert few == "[]"
    assert all_games.endswith("['ggp_checkers', 'ggp_kalah', 'ggp_othello', 'ggp_tictactoe']")


def test_ctrl_c_while_plugins_load_is_not_swallowed(monkeypatch):
    class Point:
        name = value = "slow"
        dist = None

        def load(self):
            raise KeyboardInterrupt

    monkeypatch.setattr("ggp.plugins.entry_points", lambda group: [Point()] if group == "ggp" else [])
    with pytest.raises(KeyboardInterrupt):
        ggp.load_registry()


def test_an_entry_point_without_a_distribution_is_named_as_such(monkeypatch):
    point = importlib.metadata.EntryPoint("stray", "no_such_module", "ggp")
    monkeypatch.setattr("ggp.plugins.entry_points", lambda group: [point] if group == "ggp" else [])
    assert ggp.load_registry().problems[0].startswith("plugin stray (unknown distribution) cannot be loaded: Module")


def test_every_plugin_loads_where_there_is_no_llvm():
    program = (
        "import sys; sys.modules['llvmlite'] = None; import ggp; found = ggp.load_registry(); print(found.problems)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout == "[]\n"


class Opener:
    """A plugin that makes a coin with as many sides as its name says."""

    asked: list[str]

    def __init__(self):
        self.asked = []

    @ggp.hookimpl
    def ggp_game_named(self, name):
        self.asked.append(name)
        if name == "coin:broken":
            raise ZeroDivisionError("no sides")
        if name == "coin:none":
            raise PluginError("a coin needs sides")
        return type("Named", (Coin,), {"name": name, "__doc__": "Made."}) if name.startswith("coin:") else None


@pytest.fixture
def opening():
    registry = Registry()
    registry.register(Coin, Opener())
    return registry


def test_a_plugin_makes_a_game_from_its_name_and_lists_nothing(opening):
    assert opening.game("coin:six").name == "coin:six"
    assert opening.parse_game("coin:six", {"sides": "6"}).sides == 6
    assert opening.game_entry("coin:six") is opening.game_entry("coin:six")
    assert list(opening.games) == ["coin"]


def test_a_name_that_no_plugin_knows_is_unknown(opening):
    with pytest.raises(UnknownNameError, match="there is no game 'card:six'"):
        opening.game("card:six")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("coin:broken", "cannot make coin:broken: ZeroDivisionError: no sides"), ("coin:none", "a coin needs sides")],
)
def test_a_game_that_cannot_be_made_from_its_name_is_a_sentence(opening, name, sentence):
    with pytest.raises(PluginError, match=sentence):
        opening.game(name)


@pytest.mark.parametrize("name", ["coin:six", "../six.coin", "a\\b"])
def test_a_foreign_text_makes_no_plugin_open_what_it_names(opening, name):
    with pytest.raises(OptionError, match="would open a file of this machine"):
        opening.foreign_game(name)
    (plugin,) = (each for each in opening._manager.get_plugins() if isinstance(each, Opener))
    assert plugin.asked == []
    assert opening.game("coin:six") == opening.foreign_game("coin:six")  # after the user has named it
