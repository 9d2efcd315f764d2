"""Every searcher that searches can be watched: its events make a tree, and the tree says what the search finds."""

import random
from math import inf

import attrs
import pytest
from ggp_search.algorithms.minimax import minimax
from ggp_search.engine.tree_searcher import TreeSearcher
from ggp_solve.tablebases import build_files

import ggp
from ggp.number_text import number
from ggp.show.search_tree import steps
from ggp.show.tree import Tree, fold
from ggp.show.tree_film import film
from ggp.show.tree_marks import marks
from ggp.show.tree_text import draw_tree
from ggp.testing import random_tree
from ggp.trace import Cut, Enter, Estimate, Leaf, Leave, Note, Try

REGISTRY = ggp.load_registry()
FIG52, NIM, PIG, KALAH = (REGISTRY.game(name) for name in ("fig52", "nim", "pig", "kalah"))
UNWATCHED = ["flat", "random", "solver"]
"""Those that grow no tree, and that which asks others."""
WATCHED = sorted(set(REGISTRY.searchers) - set(UNWATCHED))


def watched(name, game, depth=3, **options):
    limits = ggp.Limits(depth=None if name == "mcts" else depth)
    return list(REGISTRY.searcher(name, **options).trace(game, game.initial_state(), limits))


def test_only_who_grows_no_tree_of_its_own_cannot_be_watched():
    unwatched = [name for name in REGISTRY.searchers if not hasattr(REGISTRY.searcher(name), "trace")]
    assert sorted(unwatched) == UNWATCHED


@pytest.mark.parametrize("name", WATCHED)
def test_every_state_that_is_entered_is_left(name):
    game = PIG if REGISTRY.searcher(name).serves_chance and name != "mcts" else NIM
    inside = 0
    for event in watched(name, game):
        inside += isinstance(event, Enter) - isinstance(event, Leaf | Leave)
        assert inside >= 0
    assert inside == 0


@pytest.mark.parametrize("name", WATCHED)
def test_the_tree_of_figure_52_has_its_value_and_best_action(name):
    root = fold(FIG52, watched(name, FIG52)).root
    assert root.range == (3, 3)
    assert root.choice == "a1"


@pytest.mark.parametrize("name", WATCHED)
def test_a_program_goes_with_it_and_every_event_has_its_line(name):
    source, events = REGISTRY.searcher(name).source, watched(name, FIG52)
    assert source[0].startswith("def ")
    assert all(0 <= event.line < len(source) for event in events)
    assert {source[event.line].strip() for event in events if not isinstance(event, Leave)} - {""}


def test_a_leaf_gets_its_value_in_the_base_case_around_the_page():
    source = REGISTRY.searcher("alphabeta").source
    lines = {source[event.line].strip() for event in watched("alphabeta", NIM, 2) if isinstance(event, Leaf)}
    assert lines == {"return self.evaluate(state)"}
    assert {source[event.line].strip() for event in watched("alphabeta", FIG52) if isinstance(event, Leaf)} == {
        "return self.utility(state)"
    }
    assert not any("self" in line for line in REGISTRY.searcher("mcts").source)  # its page is the whole recursion


@pytest.mark.parametrize("name", ["mcts", "dfpn"])
def test_the_program_is_shown_without_the_lines_that_tell(name):
    source = REGISTRY.searcher(name).source
    assert not [line for line in source if "watched" in line or "told" in line or '"""' in line]
    assert any(line.startswith(f"def {name}(") for line in source)


def earlier(game, search, state, depth, choice):
    worst, choice = minimax(game, search, state, depth, choice)
    if search.watched:
        search.told(Note(f"It is {worst}."))
    search.told(Note, "done")
    return worst, choice


@attrs.frozen(kw_only=True)
class Earlier(TreeSearcher):
    """Minimax that tells finished events, too."""

    name = "earlier"
    recursion = staticmethod(earlier)
    windowed = False


def test_a_recursion_may_tell_finished_events_and_functions_that_make_them():
    told = [event.text for event in Earlier().trace(FIG52, "A") if isinstance(event, Note)]
    assert told == ["It is 3.", "done", "It is 2.", "done", "It is 2.", "done", "It is 3.", "done"]
    assert not [line for line in Earlier().source if "search.told" in line or "search.watched" in line]


def hopeful(game, search, state, depth, choice):
    hope = search.evaluate(state)
    least = min(search.value(game.result(state, action), depth - 1) for action in game.actions(state))
    return min(hope, least), choice


@attrs.frozen(kw_only=True)
class Hopeful(TreeSearcher):
    """Hopeful: a state is worth its estimate at most."""

    name = "hopeful"
    recursion = staticmethod(hopeful)
    windowed = False


def test_a_recursion_may_estimate_a_state_that_it_searches():
    events = list(Hopeful().trace(KALAH, KALAH.initial_state(), ggp.Limits(depth=2)))
    assert events[1].text == "The estimate is 0."
    assert sum(isinstance(event, Enter) for event in events) == sum(isinstance(event, Leaf | Leave) for event in events)
    visits = fold(KALAH, events).all_shown()
    assert {len(visit.children) for visit in visits} > {0}


@pytest.mark.parametrize("name", ["star1", "star2"])
def test_chance_without_bounds_leaves_windows_open(name):
    class Unbounded(type(PIG)):
        bounds = None

    visits = fold(Unbounded(), watched(name, Unbounded(), depth=5)).all_shown()
    ends = {abs(end) for visit in visits for end in (*visit.window, visit.lower, visit.upper)}
    assert {end for end in ends if end > 1e6} == {inf}


@pytest.mark.parametrize("name", ["mcts", "dfpn", "mtdf", "quiescence"])
def test_its_film_ends_with_the_tree(name):
    events = watched(name, KALAH, depth=2)
    shown = film(Tree(KALAH, limit=60), events)
    assert shown.at(len(shown.steps)) == {mark.key: mark for mark in marks(fold(KALAH, events, limit=60))}


def test_playouts_are_counted_at_every_node_of_a_monte_carlo_tree():
    limits = ggp.Limits(nodes=50)
    tree = fold(KALAH, REGISTRY.searcher("mcts").trace(KALAH, KALAH.initial_state(), limits))
    assert tree.root.note[1] == "50 playouts"
    for visit in tree.all_shown():
        if visit.children and not visit.hidden:
            below = sum(int(child.note[1].split()[0]) for child in visit.children)
            assert below == int(visit.note[1].split()[0]) - 1  # the first playout did not go on in the tree
    assert tree.root.order == 1
    assert len({child.action for child in tree.root.children}) == len(tree.root.children)


def test_children_of_a_monte_carlo_tree_show_what_exploration_adds():
    limits = ggp.Limits(nodes=50)
    tree = fold(NIM, REGISTRY.searcher("mcts").trace(NIM, NIM.initial_state(), limits))
    terms = [child.note[2] for child in tree.root.children if len(child.note) > 2]
    assert terms
    assert all(term.startswith("+ ") and float(term[2:]) > 0 for term in terms)  # MAX moves first
    assert len(tree.root.note) == 2


@pytest.mark.parametrize("name", ["kalah", "connectfour", "pong-hau-ki"])
def test_the_monte_carlo_tree_that_is_watched_is_that_of_the_search(name):
    game, limits = REGISTRY.game(name), ggp.Limits(nodes=60)
    searcher = REGISTRY.searcher("mcts", speed="interpreted")
    found = searcher.search(game, game.initial_state(), limits)
    root = fold(game, searcher.trace(game, game.initial_state(), limits), limit=inf).root
    assert (root.choice, root.note[1]) == (found.action, "60 playouts")
    chosen = next(child for child in root.children if child.action == found.action)
    assert chosen.note[0] == number(found.value, 3)


def test_a_tree_is_searched_with_the_options_that_were_chosen():
    trees = [
        fold(KALAH, watched("alphabeta", KALAH, 4, **options)) for options in ({}, {"table": 1}, {"ordering": "none"})
    ]
    assert trees[0].visits == trees[2].visits > trees[1].visits


def test_a_state_in_the_tablebase_is_a_leaf_that_says_so(tmp_path):
    game = REGISTRY.game("nim", heaps=(2, 2))
    build_files(game, tmp_path, 2)
    events = watched("alphabeta", game, 4, tablebase=str(tmp_path))
    leaves = [event for event in events if isinstance(event, Leaf) and event.note == ("tablebase",)]
    assert {leaf.value for leaf in leaves} <= {-1, 1}
    assert leaves


def test_a_simulation_is_described():
    events = REGISTRY.searcher("mcts").trace(NIM, NIM.initial_state(), ggp.Limits(nodes=3))
    told = [event.text for event in events if isinstance(event, Note)]
    *simulated, last = told
    assert len(simulated) == 3
    assert all(text.startswith("The result of random play from here is ") for text in simulated)
    assert last.startswith("The search ends after 3 playouts. It chooses 1:1: ")


def test_df_pn_shows_what_it_asks_and_both_numbers():
    tree = fold(FIG52, watched("dfpn", FIG52))
    assert tree.root.note == ("> 3?", "proof ∞", "disproof 0")
    assert [child.note[1:] for child in tree.root.children] == [("proof ∞", "disproof 0")] * 3


def test_df_pn_shows_the_frontier_with_one_and_one_and_every_leaf_with_its_numbers():
    events = watched("dfpn", FIG52)
    tree = Tree(FIG52)
    shown = []
    for event in events:
        tree.add(event)
        shown += [
            visit.note[1:] for visit in tree.all_shown() if visit.closed and not visit.leaf and visit is not tree.root
        ]
        for visit in tree.all_shown():
            if visit.leaf:
                assert visit.note in {("proof 0", "disproof ∞"), ("proof ∞", "disproof 0")}
    assert ("proof 1", "disproof 1") in shown
    assert len([visit for visit in tree.all_shown() if visit.leaf]) == 9


def test_mtdf_goes_through_the_tree_question_by_question():
    events = watched("mtdf", FIG52)
    asked = [event for event in events if isinstance(event, Enter) and event.state == "A"]
    assert len(asked) == 2
    assert all(event.alpha == event.beta for event in asked)
    assert fold(FIG52, events).root.children[0].action == "a1"


def test_quiescence_shows_the_moves_beyond_the_horizon():
    tree = fold(KALAH, watched("quiescence", KALAH, depth=1))
    beyond = [child for visit in tree.root.children for child in visit.children]
    assert beyond
    assert all(child.action is not None and child.depth < 0 for child in beyond)


REPEATING = [
    name
    for name in WATCHED
    if REGISTRY.searcher(name).unsupported_reason(REGISTRY.game("pong-hau-ki")) is None and name != "mcts"
]


@pytest.mark.parametrize("name", REPEATING)
@pytest.mark.parametrize("game", ["pong-hau-ki", "morris", "awari"])
def test_no_value_is_unknown_where_positions_come_back(name, game, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")  # both speeds are compared elsewhere
    game = REGISTRY.game(game)
    depth = 6 if game.name == "pong-hau-ki" else 3
    tree = fold(game, watched(name, game, depth), limit=inf)
    found = REGISTRY.searcher(name).search(game, game.initial_state(), ggp.Limits(depth=depth))
    assert tree.root.lower == tree.root.upper == found.value
    for visit in tree.all_shown():
        assert (visit.lower, visit.upper) != (-inf, inf), visit


def test_minimax_shows_every_value_of_a_line_that_repeats():
    game = REGISTRY.game("pong-hau-ki")
    tree = fold(game, watched("minimax", game, 6), limit=inf)
    repeated = [visit for visit in tree.all_shown() if visit.leaf == "terminal" and not game.terminal_test(visit.state)]
    assert {visit.lower for visit in repeated} == {0}
    for visit in tree.all_shown():
        assert visit.lower == visit.upper
        if visit.children:
            best = max if visit.mover == ggp.MAX else min
            assert visit.lower == best(child.lower for child in visit.children)


def test_a_repetition_is_told_with_what_it_is_worth():
    events = watched("alphabeta", REGISTRY.game("pong-hau-ki"), 6)
    assert Note("The state comes back in this line: a repetition is worth 0.") in events


@pytest.mark.parametrize(
    ("name", "game"),
    [
        (name, game)
        for name in sorted(set(WATCHED) - {"mcts", "dfpn", "mtdf"})
        for game in ("kalah", "pong-hau-ki", "pig")
        if REGISTRY.searcher(name).unsupported_reason(REGISTRY.game(game)) is None
    ],
)
def test_as_many_visits_and_leaves_are_watched_as_the_search_counts(name, game):
    game, searcher = REGISTRY.game(game), REGISTRY.searcher(name, table=0, ordering="none", speed="interpreted")
    done = searcher.search(game, game.initial_state(), ggp.Limits(depth=3)).statistics
    assert counted(searcher, game, ggp.Limits(depth=3)) == (done.nodes, done.leaves)


def test_every_playout_that_is_watched_has_a_leaf():
    searcher, limits = REGISTRY.searcher("mcts"), ggp.Limits(nodes=50)
    assert (
        counted(searcher, KALAH, limits)[1] == searcher.search(KALAH, KALAH.initial_state(), limits).statistics.leaves
    )


def counted(searcher, game, limits):
    """The visits and leaves that are watched."""
    events = list(searcher.trace(game, game.initial_state(), limits))
    return sum(isinstance(each, Enter) for each in events), sum(isinstance(each, Leaf | Estimate) for each in events)


def question(game, state, depth, limit, orders):
    """Watch a search that asks whether a state is worth at least `limit`, and tries actions in any order."""
    yield Enter(state, depth, limit, limit)
    if game.terminal_test(state):
        value = game.utility(state, ggp.MAX)
        yield Leaf(value, terminal=True)
        return value
    is_max = game.to_move(state) == ggp.MAX
    untried, best = list(game.actions(state)), None
    orders.shuffle(untried)
    while untried:
        action = untried.pop(0)
        yield Try(action)
        value = yield from question(game, game.result(state, action), depth - 1, limit, orders)
        if best is None or (value > best if is_max else value < best):
            best, choice = value, action
        if untried and (best >= limit if is_max else best < limit):
            yield Cut(tuple(untried))
            break
    yield Leave(best, inf, choice) if best >= limit else Leave(-inf, best, choice)
    return best


def in_other_orders(game, depth, limits, seed):
    """Watch several questions, each with its own orders of actions."""
    orders = random.Random(seed)
    return [event for limit in limits for event in question(game, game.initial_state(), depth, limit, orders)]


SHALLOW = REGISTRY.game("tree", branching=3, depth=3, seed=1)
DEEP_CUTS = REGISTRY.game("tree", branching=6, depth=3, seed=4)
LATER_QUESTIONS = {
    "mtdf, kalah": (KALAH, watched("mtdf", KALAH, depth=2)),
    "mtdf, three actions": (SHALLOW, watched("mtdf", SHALLOW)),
    "mtdf, six actions": (DEEP_CUTS, watched("mtdf", DEEP_CUTS)),
    "other orders, three actions": (SHALLOW, in_other_orders(SHALLOW, 3, (0, 4, -4, 2), 1)),
    "other orders, six actions": (DEEP_CUTS, in_other_orders(DEEP_CUTS, 3, (0, 4, -4, 2), 2)),
}


@pytest.mark.parametrize(("game", "events"), LATER_QUESTIONS.values(), ids=LATER_QUESTIONS)
def test_the_film_is_in_step_with_its_tree_whatever_a_later_question_cuts(game, events):
    shown, tree, removed = film(Tree(game, limit=100), events), Tree(game, limit=100, windowed=True), 0
    for step, _ in enumerate(steps(tree, events), start=1):
        assert shown.at(step) == {mark.key: mark for mark in marks(tree)}
    for key, made in shown.versions.items():
        cut = [each.mark for each in made if each.mark and each.mark.symbol == "unvisited"]
        removed += bool(cut) and made[-1].mark is None
        if not key.endswith("all that were cut"):
            assert len({mark.branch for mark in cut}) <= 1  # a mark stands for one action
        else:
            assert len({mark.parent for mark in cut}) == 1
    assert removed  # a later question looked at what an earlier one had cut


@pytest.mark.parametrize("name", sorted(set(WATCHED) - {"mcts", "dfpn", "mtdf"}))
def test_every_state_that_is_entered_is_left_before_its_parent_tries_another_action(name):
    for seed in range(8):
        tree = random_tree(random.Random(seed), stochastic=name in ("expectiminimax", "star1", "star2"))
        path = []
        for event in REGISTRY.searcher(name).trace(tree, tree.initial_state(), ggp.Limits(depth=4)):
            if isinstance(event, Enter):
                path.append(event.state)
            elif isinstance(event, Leave | Leaf):
                path.pop()
            elif isinstance(event, Try):
                assert event.action in tree.actions(path[-1])
        assert path == []


def test_a_state_that_comes_back_is_a_leaf_that_says_so_with_the_value_on_its_path():
    game = REGISTRY.game("pong-hau-ki")
    leaves = [event for event in watched("alphabeta", game, 6) if isinstance(event, Leaf) and event.note]
    assert {(event.value, event.note) for event in leaves} == {(0, ("repeats",))}
    told = draw_tree(fold(game, watched("alphabeta", game, 6)))
    assert "unknown" not in told
    assert "0, repeats" in told
