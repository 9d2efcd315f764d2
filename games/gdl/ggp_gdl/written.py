"""Generated classes: the class of a description is generated once, checked against the referee, and stored in the
cache.
"""

import hashlib
import linecache
import pathlib
import random
import sys
import time
import types
from typing import NamedTuple

from ggp import files
from ggp.compiler import cache
from ggp.errors import StoreError
from ggp_gdl.game import PackedGame
from ggp_gdl.grounding import Deadline, OutOfTimeError, TooLargeError
from ggp_gdl.play import Referee

CHECKED = 150
"""Before a class is used, it is compared with the referee in this number of plies of random play."""
SECONDS = 2.0
"""Maximum processor time for comparing a class with the referee."""
LARGEST = 16 << 20


class Written(NamedTuple):
    """The source of a class, or the reason why no class was written."""

    source: str
    reason: str = ""


def fingerprint(text: str, goals: str = "opposed") -> str:
    """Return a key made from a description, its goals, and the code that translates it."""
    digest = hashlib.sha256(f"{goals} {text}".encode())
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:40]


def write(referee: Referee, deadline: Deadline | None = None) -> Written:
    """Return the class of a game, or the reason why the game must be interpreted.

    Raises:
        OutOfTimeError: a deadline was given, and it has passed.
    """
    from ggp_gdl.automaton import Automaton  # a class that is kept needs none of it
    from ggp_gdl.table_writer import TableWriter
    from ggp_gdl.writer import LongCodeError, Writer

    try:
        automaton = Automaton(referee, deadline)
        try:
            source = Writer(automaton).write()
        except LongCodeError:
            source = TableWriter(automaton).write()
        _compare(referee, run(source, fingerprint(source))())
    except TooLargeError as error:
        if deadline and isinstance(error, OutOfTimeError):
            raise
        return Written("", str(error))
    return Written(source)


def run(source: str, key: str) -> type[PackedGame]:
    """Return the class that a source defines."""
    name, file = f"ggp_gdl_written_{key}", f"<gdl {key}>"
    module = types.ModuleType(name)
    module.__file__ = file
    tables, begin, code = source.partition("\nclass Game(")
    code = begin + code  # the compiler reads and parses it, without the tables, which may have megabytes
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    sys.modules[name] = module
    for text, path in ((tables, f"{file} tables"), (code, file)):
        exec(compile(text, path, "exec"), module.__dict__)  # noqa: S102 - code of our own writer
    made: type[PackedGame] = module.__dict__["Game"]
    return made


def _compare(referee: Referee, game: PackedGame) -> None:
    """Raise TooLargeError if a class and the referee differ in a state of random play."""
    generator, stop, plies = random.Random(1), time.process_time() + SECONDS, 0
    while plies < CHECKED and time.process_time() < stop:
        facts, state = referee.reasoner.initial_facts(), game.initial_state()
        while True:
            plies += 1
            if frozenset(game.facts(state)) != facts or bool(game.terminal_test(state)) != referee.terminal(facts):
                raise TooLargeError("its class differs from the rules")
            if referee.terminal(facts):
                value = referee.outcome(facts).difference // game.unit
                if game.utility(state, 0) != value:
                    raise TooLargeError("its class differs from the rules")
                break
            position = referee.position(facts)
            actions = {game.move_of(action): action for action in game.actions(state)}
            mover = game.to_move(state)
            moves = position.moves[referee.role(mover)]
            chooses = any(
                len(each) > 1 for each in position.moves.values()
            )  # else all wait, and one of them by the proof
            if (mover != position.mover and chooses) or actions.keys() != set(moves):
                raise TooLargeError("its class differs from the rules")
            move = generator.choice(moves)
            facts, state = referee.result(facts, move), game.result(state, actions[move])
            if plies >= CHECKED or time.process_time() > stop:
                break


def recall(key: str) -> Written | None:
    """Return the class or the reason that is stored for a description; None if nothing is stored."""
    file = path_of(key)
    if file is None or not file.is_file():
        return None
    try:
        content = files.read_bytes(file, LARGEST)
    except OSError:
        return None
    digest, _, source = content.partition(b"\n")
    if digest != b"# " + hashlib.sha256(source).hexdigest().encode():
        return None
    text = source.decode()
    return Written("", text[2:].strip()) if text.startswith("# ") else Written(text)


def keep(key: str, made: Written) -> None:
    """Store the class of a description, or the reason why there is none. Do nothing if the file cannot be written."""
    file = path_of(key)
    if file is None:
        return
    source = (made.source or f"# {made.reason}\n").encode()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_file(file, b"# " + hashlib.sha256(source).hexdigest().encode() + b"\n" + source)
    except (StoreError, OSError):
        return


def path_of(key: str) -> pathlib.Path | None:
    """Return the path of the file of a class; None if the cache is turned off."""
    directory = cache.directory()
    return None if directory is None else directory / "gdl" / f"{key}.py"
