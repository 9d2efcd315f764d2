"""The textbook's searches, as one recursion in which every usual mistake is a setting.

A student's search is compared with the textbook's search; if it differs, it is compared with searches that make a
mistake on purpose. The report names the mistake whose values, moves and visits are most similar to those of the
student's search.
"""

from collections.abc import Mapping, Sequence
from math import ceil, inf
from typing import Literal

import attrs

from ggp.game import CHANCE, MAX, MIN, Player
from ggp_teach.exercise_tree import ExerciseTree, TreeNode

CutSign = Literal[">=", ">", "never", "<=", "alpha", "own", "good"]
"""The condition under which MAX cuts. MIN's condition is the mirror image.

- ">=", ">", "<=": the value is at least beta, above beta, or at most beta.
- "never": no cut.
- "alpha": the value is above alpha.
- "own": the value is at most alpha.
- "good": the value is at least beta, or above 0.
"""


@attrs.frozen(kw_only=True)
class VariantSearch:
    """The textbook's search, or a search with a mistake: every default is the textbook's choice."""

    prunes: bool = True
    """Whether there is a window; False for minimax and expectiminimax."""
    form: Literal["", "no minus", "window unchanged", "window not swapped", "no research"] = ""
    """How the program differs from the textbook's; "" if it does not.

    - `no minus`: a negamax that forgets the minus.
    - `window unchanged`, `window not swapped`: a negamax that passes on (alpha, beta), or (-alpha, -beta).
    - `no research`: a SCOUT that does not search an action again after a null window has shown that it is better.
    """
    raw: bool = False
    """Whether the negamax is expected to return values for the player to move."""
    at: Literal["both", "max", "min"] = "both"
    """The nodes at which the mistake is made: the nodes of both players, of MAX or of MIN."""
    first_window: tuple[float, float] = (-inf, inf)
    """The window of the root."""
    shared: bool = False
    """Whether the window is shared by all nodes and is not restored after a branch."""
    table: Literal["", "bounds", "depths"] = ""
    """A fault of the table: it takes bounds for exact values ("bounds"), or uses values of any depth ("depths")."""
    estimates_cut: float = 0
    """Within this number of plies of the depth limit, a node gets its estimate as its value if the estimate lies
    outside the window.
    """
    turns: Literal["state", "alternate", "max first", "root", "shifted", "depth"] = "state"
    """The rule for who moves.

    - `state`: as the state says.
    - `alternate`, `max first`: the players move in turn, beginning with the root's player or with MAX.
    - `root`: the root's player moves everywhere.
    - `shifted`: the root's player moves twice, and then the players move in turn.
    - `depth`: MAX moves if the remaining depth is even, and MIN moves if it is odd.
    """
    max_cut: CutSign = ">="
    min_cut: CutSign = ">="
    cut_before: bool = False
    """True if the window is narrowed first, and the test for a cut compares the player's own bound instead of the
    value.
    """
    max_narrows: bool = True
    min_narrows: bool = True
    """`max_narrows`: whether alpha follows the best value of MAX; `min_narrows`: whether beta follows that of MIN."""
    wrong_end: bool = False
    """Whether MAX lowers beta and MIN raises alpha to the best value."""
    follows_last: bool = False
    """Whether the window follows the last value instead of the best value."""
    passes: Literal["window", "alpha", "beta", "nothing", "swapped", "swapped below", "root", "best", "narrower"] = (
        "window"
    )
    """The part of the window that is passed to the nodes below.

    - `root`: the root's children get the whole window.
    - `swapped`, `swapped below`: alpha takes the place of beta, everywhere or below the root.
    - `best`: the best value so far takes the place of the player's bound.
    - `narrower`: each bound is moved by 1 towards the other.
    """
    returns: Literal["best", "bound", "last", "own bound", "stale", "nothing", "mean"] = "best"
    """The value that is returned.

    - `best`, `last`: the best value, or the last one.
    - `bound`: the player's own bound.
    - `own bound`, `stale`, `nothing`: after a cut, the player's own bound, the best value before the cut, or 0.
    - `mean`: at a node of MIN, the mean of the values.
    """
    starts_at_estimate: bool = False
    """Whether the best value begins with the estimate of the node itself, before the first action."""
    start: float = inf
    """Before the first action, the best value is minus `start` for MAX, and `start` for MIN."""
    depth_shift: int = 0
    """The number of plies that the search looks too far (or, if negative, not far enough)."""
    expands_root: bool = False
    """Whether the root is never evaluated, whatever the depth."""
    depth_share: float = 1
    """The share of the given depth that the search uses: 0.5 is half of it."""
    decrements: Literal["all", "none", "max", "min"] = "all"
    """The nodes at which the depth decreases: the nodes of both players, no nodes, the nodes of MAX or of MIN."""
    leaf: Literal[
        "max", "mover", "negative", "zero estimate", "zero end", "last mover", "parity", "absolute"
    ] = "max"  # fmt: skip
    """The leaf's value.

    - `max`, `negative`: the value for MAX, or its negative.
    - `mover`, `last mover`: the value for the player to move at the leaf, or for the player who moved last.
    - `zero estimate`, `zero end`: an estimate, or a utility, is replaced by 0.
    - `absolute`: an estimate loses its sign.
    - `parity`: as `mover`, but taken for the value of the player who would move if players alternated.
    """
    ends: Literal["both", "depth", "no action"] = "both"
    """Where a line ends.

    - `both`: at the end of the game and at the depth limit.
    - `depth`: only at the depth limit. An earlier end of the game is an error.
    - `no action`: only at the depth limit. An earlier end of the game gets the value before the first action.
    """
    chance: Literal["mean", "even", "max", "min", "player", "likely", "sum", "divided", "first", "cut", "alternate"] = (
        "mean"
    )
    choice: Literal["first", "last", "first action", "last action", "worst"] = "first"
    swapped: bool = False
    """Whether MAX minimises and MIN maximises."""
    max_is: Literal["max", "min"] = "max"
    min_is: Literal["min", "max"] = "min"
    skips: Literal["", "first", "last", "all but one", "all but two", "all but three"] = ""
    """The actions that are never tried: the first, the last, or all after the first one, two or three; "" if all are
    tried.
    """
    mutates: bool = False
    """Whether the first action changes the state itself, so that the second action is played in the changed state."""

    def run(
        self,
        tree: ExerciseTree,
        depth: float,
        alpha: float = -inf,
        beta: float = inf,
        order: Mapping[int, Sequence[str]] | None = None,
    ) -> "SearchOutcome":
        """Search a tree to a depth in plies.

        `order` has the states whose actions are not searched from left to right, each with the order of its actions.
        """
        low, high = max(alpha, self.first_window[0]), min(beta, self.first_window[1])
        return _Run(self, tree, order or {}).start(ceil(depth * self.depth_share) + self.depth_shift, low, high)


@attrs.frozen
class SearchOutcome:
    """The result of a search: the value for MAX, the action, and the states in order of visit.

    A part that is not known is None.
    """

    value: float | None
    action: str | None
    visited: tuple[int, ...]
    crashed: str = ""
    windows: Mapping[int, tuple[float, float, float]] = {}
    """The depth and the window of each visit."""


class _Stop(Exception):
    """Raised if the search with a mistake comes to a point at which any program would fail."""


class _Run:
    """One search."""

    def __init__(self, search: VariantSearch, tree: ExerciseTree, order: Mapping[int, Sequence[str]]) -> None:
        self.search, self.tree, self.order = search, tree, order
        self.right = textbook("alphabeta" if search.prunes else "minimax", strict=search.max_cut == ">")
        self.shared = -inf, inf
        self.table: dict[tuple[TreeNode, float], float] = {}
        self.visited: list[int] = []
        self.windows: dict[int, tuple[float, float, float]] = {}
        self.action: str | None = None

    def start(self, depth: float, alpha: float, beta: float) -> SearchOutcome:
        mover = MAX if self.search.turns == "max first" else self.tree.to_move(0)
        try:
            if self.search.form in ("", "no research"):
                value = self.value(0, depth, alpha, beta, mover, root=True)
            else:
                value = self.negamax(0, depth, alpha, beta) * (1 if mover == MAX or not self.search.raw else -1)
        except _Stop as error:
            return SearchOutcome(None, None, tuple(self.visited), str(error))
        return SearchOutcome(value, self.action, tuple(self.visited), windows=self.windows)

    def value(
        self, state: int, depth: float, alpha: float, beta: float, turn: Player, last: Player = MIN, root: bool = False
    ) -> float:
        """Return the value of a state; `turn` is the player to move, if the search assumes that players alternate."""
        search, tree = self.search, self.tree
        self.visited.append(state)
        self.windows[state] = depth, alpha, beta
        over = tree.terminal_test(state)
        if search.ends != "both" and over and depth > 0:
            if search.ends == "depth":
                raise _Stop("no action")
            return -inf if turn == MAX else inf
        if 0 < depth <= search.estimates_cut and not root and not alpha < tree.nodes[state].worth < beta:
            return tree.nodes[state].worth
        if over or (depth <= 0 and not (root and search.expands_root)):
            return self.leaf(state, turn, over, last)
        mover = tree.to_move(state)
        if mover == CHANCE and search.chance not in ("max", "min", "player", "alternate"):
            return self.chance(state, depth - 1, alpha, beta, turn)
        player = mover if search.turns == "state" else int(depth) % 2 if search.turns == "depth" else turn
        if mover == CHANCE:
            player = {"max": MAX, "min": MIN, "player": 1 - last, "alternate": turn}[search.chance]
        below = depth - (search.decrements == "all" or search.decrements == ("max", "min")[player])
        if not search.table:
            return self.player(state, player, below, alpha, beta, root)
        key = tree.nodes[state], depth if search.table == "bounds" else 0
        if key not in self.table:
            self.table[key] = self.player(state, player, below, alpha, beta, root)
        return self.table[key]

    def leaf(self, state: int, turn: Player, over: bool, last: Player) -> float:
        search, worth = self.search, self.tree.nodes[state].worth
        mover = self.tree.nodes[state].mover
        if search.leaf == "zero estimate" and not over:
            return 0.0
        if search.leaf == "zero end" and over:
            return 0.0
        if search.leaf == "absolute" and not over:
            return abs(worth)
        if search.leaf == "negative":
            return -worth
        if search.leaf == "mover":
            return worth if mover == MAX else -worth
        if search.leaf == "parity":
            return worth if mover == turn else -worth
        if search.leaf == "last mover":
            return worth if last == MAX else -worth
        return worth

    def player(self, state: int, player: Player, depth: float, alpha: float, beta: float, root: bool) -> float:
        """Return the value of a node at which a player moves."""
        search = self.search if self.search.at in ("both", ("max", "min")[player]) else self.right
        tree = self.tree
        sign = 1 if player == MAX else -1
        if search.shared:
            alpha, beta = self.shared
        if (search.max_is == "min" and player == MAX) or (search.min_is == "max" and player == MIN) or search.swapped:
            sign = -sign
        entry = alpha, beta
        best, value, total, stale, chosen = -search.start, 0.0, 0.0, 0.0, None
        if search.starts_at_estimate:
            best = sign * tree.nodes[state].worth
        choice: str | None = None
        cut = False
        actions = list(self.order.get(state) or tree.actions(state))
        if search.skips and len(actions) > 1:
            kept = {"first": slice(1, None), "last": slice(-1), "all but one": slice(1), "all but two": slice(2)}
            actions = actions[kept.get(search.skips, slice(3))]
        here = state
        for number, action in enumerate(actions):
            if search.mutates and action not in tree.below[here]:
                raise _Stop("illegal")
            child = tree.below[here][action]
            if search.mutates:
                here = child
            low, high = self.handed(search, entry, alpha, beta, player, root, sign * best)
            if search.form == "no research" and number:
                low, high = (alpha, alpha + 1) if player == MAX else (beta - 1, beta)
            stays = search.turns == "root" or (search.turns == "shifted" and root)
            value = self.value(child, depth, low, high, player if stays else 1 - player, player)
            mine = sign * value
            stale = sign * best
            if mine > best or (mine == best and search.choice == "last"):
                best, choice = mine, action
            chosen = action
            total += value
            own, other, cuts, narrows = (
                (alpha, beta, search.max_cut, search.max_narrows)
                if player == MAX
                else (-beta, -alpha, search.min_cut, search.min_narrows)
            )
            if search.shared:
                own, other = self.shared if player == MAX else (-self.shared[1], -self.shared[0])
            before = own
            current = sign * (mine if search.follows_last else best) * (1 if player == MAX else -1)
            if narrows:
                own = current if search.follows_last else max(own, current)
            if search.wrong_end:
                other, own = min(other, current), before
            reached = own if search.cut_before else current
            stop = {
                ">=": reached >= other,
                ">": reached > other,
                "never": False,
                "<=": reached <= other,
                "alpha": current > before,
                "own": current <= before,
                "good": reached >= other or mine > 0,
            }[cuts]
            if search.shared or search.wrong_end:
                stop = own > other if cuts == ">" else own >= other
                alpha, beta = (own, other) if player == MAX else (-other, -own)
                self.shared = alpha, beta
            else:
                alpha, beta = (own, beta) if player == MAX else (alpha, -own)
            if search.prunes and stop:
                cut = True
                break
        if root:
            self.action = {"first action": actions[0], "last action": chosen}.get(search.choice, choice)
            if search.choice == "worst":
                self.action = chosen
        if search.returns == "bound":
            return alpha if player == MAX else beta
        if search.returns == "last":
            return value
        if search.returns == "nothing" and cut:
            return 0.0
        if search.returns == "own bound" and cut:
            return alpha if player == MAX else beta
        if search.returns == "stale" and cut:
            return stale
        if search.returns == "mean" and player == MIN:
            return total / len(actions)
        return sign * best

    def handed(
        self,
        search: VariantSearch,
        entry: tuple[float, float],
        alpha: float,
        beta: float,
        player: Player,
        root: bool,
        best: float,
    ) -> tuple[float, float]:
        """Return the window for the nodes below."""
        match search.passes:
            case "narrower":
                return alpha + 1, beta - 1
            case "best":
                return (best, beta) if player == MAX else (alpha, best)
            case "nothing":
                return -inf, inf
            case "alpha":
                return alpha, inf
            case "beta":
                return -inf, beta
            case "swapped":
                return beta, alpha
            case "swapped below" if not root:
                return beta, alpha
            case "root" if root:
                return -inf, inf
        return alpha, beta

    def negamax(self, state: int, depth: float, alpha: float, beta: float) -> float:
        """Return the value of a state for the player to move, by a negamax with a mistake."""
        tree, form = self.tree, self.search.form
        self.visited.append(state)
        sign = -1 if tree.nodes[state].mover == MIN else 1
        if tree.terminal_test(state) or depth <= 0:
            return sign * tree.nodes[state].worth
        best = -inf
        for action in tree.actions(state):
            window = {"no minus": (-beta, -alpha), "window not swapped": (-alpha, -beta)}.get(form, (alpha, beta))
            value = self.negamax(tree.below[state][action], depth - 1, *window)
            value = value if form == "no minus" else -value
            if value > best:
                best = value
                self.action = action if state == 0 else self.action
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def chance(self, state: int, depth: float, alpha: float, beta: float, turn: Player) -> float:
        """Return the value of a chance node."""
        drawn = self.tree.outcomes(state)
        low, high = (alpha, beta) if self.search.chance == "cut" else (-inf, inf)
        if self.search.chance == "likely":
            label = max(drawn, key=lambda pair: pair[1])[0]
            return self.value(self.tree.below[state][label], depth, low, high, turn, 1 - turn)
        values = []
        for label, _ in drawn[:1] if self.search.chance == "first" else drawn:
            values.append(self.value(self.tree.below[state][label], depth, low, high, turn, 1 - turn))
        mean = sum(share * value for (_, share), value in zip(drawn, values, strict=False))
        match self.search.chance:
            case "even":
                return sum(values) / len(values)
            case "sum":
                return sum(values)
            case "divided":
                return mean / len(values)
            case "first":
                return values[0]
        return mean


def textbook(task: str, *, strict: bool = False) -> VariantSearch:
    """Return the textbook's search for a task; with `strict`, it does not cut if a value equals the bound, as CS188
    requires.
    """
    cut: CutSign = ">" if strict else ">="
    return VariantSearch(prunes=task == "alphabeta", max_cut=cut, min_cut=cut)
