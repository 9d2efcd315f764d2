"""An engine that misbehaves: `misbehaving.py PROTOCOL WAY`. Apart from that, it plays the moves of MOVES in order."""

import os
import signal
import subprocess
import sys
import time

protocol, way = sys.argv[1:3]
MOVES = {"ugi": ["1", "2", "3", "5", "6"], "uci": ["a2a3", "b2b3", "c2c3"], "gtp": ["d3", "e3", "f3"]}[protocol]
FOREIGN = {"ugi": "9", "uci": "a7a6", "gtp": "a1"}[protocol]
"""A move that is well written and not legal (in UGI: legal once)."""
asked = 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(move: str) -> None:
    say(f"= {move}\n" if protocol == "gtp" else f"bestmove {move}")


def child() -> None:
    started = subprocess.Popen(["sleep", "1000"], stdout=sys.stdout)  # noqa: S607
    with open(f"{sys.argv[3]}.new", "w") as file:
        file.write(str(started.pid))
    os.replace(f"{sys.argv[3]}.new", sys.argv[3])


def at_start() -> None:
    if way == "crashes at once":
        raise RuntimeError("I cannot go on")
    if way == "ends at once":
        sys.exit(0)
    if way == "says nothing":
        time.sleep(1000)
    if way == "writes nonsense at the start":
        say("\x00\x01\x1b[2J nonsense \udcff")
        time.sleep(1000)
    if way == "dies of a signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "ignores signals and quit":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


def at_go() -> None:
    """Misbehave when a move is asked for."""
    global asked
    asked += 1
    match way:
        case "crashes":
            raise RuntimeError("I cannot go on")
        case "ends":
            sys.exit(3)
        case "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "hangs" | "ignores signals and quit":
            time.sleep(1000)
        case "hangs with a child":
            child()
            time.sleep(1000)
        case "leaves a child":
            child()
            sys.exit(1)
        case "is late":
            time.sleep(2.5)
        case "plays nonsense":
            answer("nonsense")
        case "plays an illegal move":
            answer(FOREIGN if protocol != "ugi" else "10")
        case "plays the same move twice":
            answer(MOVES[0])
        case "plays nothing":
            answer("")
        case "plays a control sequence":
            answer("\x1b[31mX\x1b]0;title\x07")
        case "plays a null byte":
            answer("\x00")
        case "writes an endless line":
            while True:
                sys.stdout.write("x" * 100_000)
        case "writes lines without end":
            while True:
                say("info string I am thinking" if protocol != "gtp" else "= thinking")
        case "closes its output":
            os.close(1)
            time.sleep(1000)
        case "fills standard error":
            while True:
                sys.stderr.write("error " * 1000)
        case "refuses":
            say("? I will not\n" if protocol == "gtp" else "bestmove (none)")
        case "plays for the other side":
            answer({"ugi": "0", "uci": "a7a6", "gtp": "a8"}[protocol])
        case "answers with bytes":
            sys.stdout.buffer.write(b"\xff\xfe\xfd\n\n")
            sys.stdout.flush()
            time.sleep(1000)
        case _:
            answer(MOVES[asked - 1])


at_start()
while line := sys.stdin.readline():
    words = line.split()
    if not words:
        continue
    if words[0] == "quit" and way != "ignores signals and quit":
        break
    if words[0] in ("go", "genmove"):
        at_go()
        if way == "stops reading":
            time.sleep(1000)
    elif words[0] == "ugi" or words[0] == "uci":
        say(f"{protocol}ok")
    elif words[0] == "isready":
        if way == "is never ready":
            time.sleep(1000)
        say("readyok")
        if way == "crashes before the game":
            sys.exit(5)
    elif protocol == "gtp":
        if way == "is never ready" and words[0] == "clear_board":
            time.sleep(1000)
        say("= 2\n" if words[0] == "protocol_version" else "=\n")
        if way == "crashes before the game" and words[0] == "clear_board":
            sys.exit(5)
