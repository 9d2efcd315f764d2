"""A trivial engine for Connect Four that speaks UGI: it plays the first column that is not full."""

import sys


def run() -> None:
    """Answer the commands until `quit`, or until the input ends."""
    moves: list[str] = []
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["ugi"]:
                print("ugiok", flush=True)  # noqa: T201
            case ["isready"]:
                print("readyok", flush=True)  # noqa: T201
            case ["position"]:
                moves = words[3:]
            case ["go"]:
                print("bestmove", next(each for each in "1234567" if moves.count(each) < 6), flush=True)  # noqa: T201
            case ["quit"]:
                return


if __name__ == "__main__":
    run()
