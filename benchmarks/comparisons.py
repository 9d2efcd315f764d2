"""The same searches by ggp, by other frameworks and by hand-written C."""

from benchmarks import native, ours, peers
from benchmarks.ours import PLAIN, registry
from benchmarks.report import Section, at_least, rates
from benchmarks.rounds import interleave, ratio, same_states
from benchmarks.scale import Scale

OUTCOME = f"alphabeta:evaluation=hundredth,{PLAIN}"
"""Alpha-beta with values as in open_spiel, where a game of `mancala` has the value -1, 0 or 1."""
TABLE = "table=64,ordering=none,bounds=no,etc=no"
MEGABYTES = 64


def kalah(scale: Scale) -> Section:
    """Compare plain alpha-beta on Kalah(6,4) in ggp (compiled), in C written by hand and in open_spiel."""
    depth, margin, outcome = scale.plain_depth, registry().game("kalah"), registry().game("kalah", scoring="outcome")
    rows = interleave(
        {
            "ggp, compiled": lambda: ours.recursion(margin, f"alphabeta:{PLAIN},speed=compiled", depth),
            "C by hand": lambda: native.Native(depth, 0).contender(),
            "ggp, compiled, outcome": lambda: ours.recursion(outcome, f"{OUTCOME},speed=compiled", depth),
            "open_spiel alpha-beta, outcome": lambda: peers.spiel_alphabeta("mancala", depth),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows[:2])
    same_states(rows[2:])
    return Section(
        f"Kalah(6,4), plain alpha-beta, depth {depth}",
        "The value of a game is the store margin. In the rows named outcome, it is the outcome, and the value of a leaf"
        " is a hundredth of the store margin, as in open_spiel. The C program stores boards and sows as ggp does.",
        (rates(rows),),
        (
            at_least("Kalah, plain alpha-beta: compiled beside C", 0.9, ratio(rows[0], rows[1])),
            at_least("Kalah, plain alpha-beta: compiled beside open_spiel", 25, ratio(rows[2], rows[3])),
        ),
    )


def table(scale: Scale) -> Section:
    """Compare alpha-beta with a transposition table on Kalah(6,4), in ggp and in C written by hand."""
    depth, game = scale.table_depth, registry().game("kalah")
    rows = interleave(
        {
            "ggp, compiled": lambda: ours.recursion(game, f"alphabeta:{TABLE},speed=compiled", depth),
            "C by hand": lambda: native.Native(depth, MEGABYTES).contender(),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows)
    return Section(
        f"Kalah(6,4), alpha-beta with a table of {MEGABYTES} MB, depth {depth}",
        "Both programs have the same table (entries, hash, buckets, replacement), the game's own order, and no bounds.",
        (rates(rows),),
        (at_least("Kalah, with table: compiled beside C", 0.85, ratio(rows[0], rows[1])),),
    )


def tictactoe(scale: Scale) -> Section:
    """Compare plain alpha-beta on the whole tree of tic-tac-toe, in ggp and in open_spiel."""
    game = registry().game("tictactoe")
    rows = interleave(
        {
            "ggp, compiled": lambda: ours.recursion(game, f"alphabeta:{PLAIN},speed=compiled", 9),
            "ggp, interpreted": lambda: ours.recursion(game, f"alphabeta:{PLAIN},speed=interpreted", 9),
            "open_spiel alpha-beta": lambda: peers.spiel_alphabeta("tic_tac_toe", 9),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows)
    return Section(
        "Tic-tac-toe, plain alpha-beta to the end",
        "Cells row by row.",
        (rates(rows),),
        (at_least("Tic-tac-toe: compiled beside open_spiel", 100, ratio(rows[0], rows[2])),),
    )


def connectfour(scale: Scale) -> Section:
    """Compare plain alpha-beta on Connect Four, in ggp and in C written by hand."""
    depth, game = scale.connectfour_depth, registry().game("connectfour")
    rows = interleave(
        {
            "ggp, compiled": lambda: ours.recursion(game, f"alphabeta:{PLAIN},speed=compiled", depth),
            "C by hand": lambda: native.counting("connectfour", depth),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows)
    return Section(
        f"Connect Four, plain alpha-beta, depth {depth}",
        "Leaves are valued by the evaluation `threats`. The C program uses ggp's bitboards, and finds threats with"
        " fewer operations.",
        (rates(rows),),
        (at_least("Connect Four, plain alpha-beta: compiled beside C", 0.8, ratio(rows[0], rows[1])),),
    )


def othello(scale: Scale) -> Section:
    """Compare perft of Othello, in ggp and in C written by hand."""
    depth, game = scale.perft_depth, registry().game("othello")
    rows = interleave(
        {
            "ggp, compiled": lambda: ours.perft(game, depth),
            "C by hand": lambda: native.counting("othello", depth),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows)
    return Section(
        f"Othello, perft {depth}",
        "States are sequences of moves, passes included. The C program uses ggp's bitboards, and looks for moves once"
        " in each state.",
        (rates(rows),),
        (at_least("Othello, perft: compiled beside C", 0.5, ratio(rows[0], rows[1])),),
    )


def interpreted(scale: Scale) -> Section:
    """Compare interpreted plain alpha-beta on Kalah(6,4) in ggp, in open_spiel and in easyAI."""
    depth, margin, outcome = (
        scale.interpreted_depth,
        registry().game("kalah"),
        registry().game("kalah", scoring="outcome"),
    )
    rows = interleave(
        {
            "ggp, interpreted, outcome": lambda: ours.recursion(outcome, f"{OUTCOME},speed=interpreted", depth),
            "open_spiel alpha-beta, outcome": lambda: peers.spiel_alphabeta("mancala", depth),
            "ggp, interpreted": lambda: ours.recursion(margin, f"alphabeta:{PLAIN},speed=interpreted", depth),
            "easyAI Negamax": lambda: peers.easy_negamax(depth),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows[:2])
    return Section(
        f"Kalah(6,4), plain alpha-beta, interpreted, depth {depth}",
        "open_spiel's recursion is in Python, its game in C++. easyAI's Negamax has `unmake_move` and our rules."
        " Negamax negates at every ply, so the opponent must pass after an extra turn. The pass is a ply, so the tree"
        " differs.",
        (rates(rows),),
        (
            at_least("Kalah, interpreted beside open_spiel (the goal is 1.0)", 0.75, ratio(rows[0], rows[1])),
            at_least("Kalah, interpreted beside easyAI's Negamax", 1.0, ratio(rows[2], rows[3])),
        ),
    )


def pig(scale: Scale) -> Section:
    """Compare expectiminimax on Pig in ggp, compiled and interpreted, and in open_spiel."""
    depth, game = scale.pig_depth, registry().game("pig", goal=100, turns=1000)
    text = f"expectiminimax:{PLAIN}"
    rows = interleave(
        {
            "ggp, compiled": lambda: ours.recursion(game, f"{text},speed=compiled", depth),
            "ggp, interpreted": lambda: ours.recursion(game, f"{text},speed=interpreted", depth),
            "open_spiel expectiminimax": lambda: peers.spiel_expectiminimax(depth // 2),
        },
        scale.rounds,
        scale.shortest,
    )
    same_states(rows[:2])
    return Section(
        f"Pig to 100, expectiminimax, depth {depth}",
        "In open_spiel a roll of the die is not a ply, so open_spiel's search gets half the depth. A player may also"
        " hold with nothing at stake there, so the tree differs.",
        (rates(rows),),
        (at_least("Pig, expectiminimax: compiled beside open_spiel", 100, ratio(rows[0], rows[2])),),
    )
