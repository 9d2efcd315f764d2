"""How much the benchmarks run: everything, or a smoke test."""

import attrs


@attrs.frozen(kw_only=True)
class Scale:
    """How often and how long each program runs, and how deep its searches are, in plies."""

    rounds: int
    whole_rounds: int
    """Number of repetitions of long measurements: whole searches, ablations, processes."""
    shortest: float
    """Minimum length of a turn, in seconds."""
    plain_depth: int
    table_depth: int
    interpreted_depth: int
    pig_depth: int
    connectfour_depth: int
    perft_depth: int
    ablation_rows: int
    """Number of rows of each ablation."""
    ablation_depth: int
    strong_depth: int
    ablation_pig_depth: int
    deep: int
    """The depth, in plies, that searches should reach within two seconds."""
    threads_depth: int
    growth_depth: int
    interpreted_growth: int
    """The same, interpreted."""
    starts: tuple[str, ...]
    """The commands whose start is measured, by their names in `benchmarks.starts`."""
    visitors: int
    """Number of visitors of the page at the same time."""
    descriptions: tuple[str, ...]
    """Descriptions in GDL that are measured; () means all of them."""
    turn_positions: int
    """Number of positions in which moves of searches are compared."""
    engine_games: int
    """Number of games that two trivial engines play in a round."""
    pauses: tuple[float, ...]
    """Seconds that visitors think before a move, on average."""


FULL = Scale(
    rounds=7,
    whole_rounds=3,
    shortest=0.3,
    plain_depth=13,
    table_depth=14,
    interpreted_depth=8,
    pig_depth=10,
    connectfour_depth=12,
    perft_depth=10,
    ablation_rows=100,
    ablation_depth=14,
    strong_depth=20,
    ablation_pig_depth=12,
    deep=22,
    threads_depth=24,
    growth_depth=22,
    interpreted_growth=10,
    descriptions=(),
    turn_positions=1000,
    engine_games=200,
    starts=("python", "games", "warm", "cold"),
    visitors=200,
    pauses=(3.0, 0.0),
)
QUICK = Scale(
    rounds=1,
    whole_rounds=1,
    shortest=0.0,
    plain_depth=8,
    table_depth=8,
    interpreted_depth=6,
    pig_depth=4,
    connectfour_depth=5,
    perft_depth=5,
    ablation_rows=2,
    ablation_depth=8,
    strong_depth=9,
    ablation_pig_depth=4,
    deep=8,
    threads_depth=8,
    growth_depth=4,
    interpreted_growth=3,
    descriptions=("tictactoe", "nim"),
    turn_positions=20,
    engine_games=2,
    starts=("python", "games"),
    visitors=3,
    pauses=(0.0,),
)
