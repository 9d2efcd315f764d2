"""What a play of Kalah does, in words: the sowing, an extra turn, a capture, the end of the game."""

from collections.abc import Iterator

from ggp_kalah.notation import format_turn
from ggp_kalah.packing import Packing, State
from ggp_kalah.rules import Rules


def tell(packing: Packing, state: State, turn: tuple[int, ...], plays: Rules) -> str:
    """What the houses of `turn`, played one after another from `state`, do; `plays` have single houses."""
    told = []
    for house in turn:
        told.append(", ".join(_clauses(packing, state, house, plays)))
        state = plays.result(state, house)
    return "; then ".join(told)


def _clauses(packing: Packing, state: State, house: int, plays: Rules) -> Iterator[str]:
    mover = state[2]
    seeds = packing.unpack(state[mover])[house]
    over = plays.terminal_test(plays.result(state, house))
    yield f"sows {seeds} seed{'' if seeds == 1 else 's'} from {format_turn((house,), mover)}"
    captured = plays.captured(state[mover], state[1 - mover], house)
    if captured:
        yield f"captures {captured}"
    elif (house + seeds) % (2 * packing.houses + 1) == packing.houses:
        yield "ends in the store" if over else "ends in the store: an extra turn"
    if over:
        yield "and ends the game"
