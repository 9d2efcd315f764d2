"""Rule sheets: the rules of a description in words, made from the structure of its rules."""

from collections.abc import Iterable, Iterator, Sequence

from ggp_gdl.boards import FactBoard
from ggp_gdl.checks import reachable
from ggp_gdl.description import Atom, Description, Name, Rule, Term, is_variable, term_of
from ggp_gdl.play import RANDOM

MOST_WAYS = 6
"""The sheet lists at most this many ways in which a move can be legal, or the game can end."""
MOST_TERMS = 10
"""Maximum number of relations that are explained, and of facts that are listed."""
NUMBERS = ("No", "One", "Two")


def rule_sheet(description: Description, board: FactBoard | None) -> str:
    """Return the rules in sentences: the players, the board, the start, the moves, the end and the goals."""
    return " ".join(sentence[:1].upper() + sentence[1:] + "." for sentence in _sentences(description, board))


def _sentences(description: Description, board: FactBoard | None) -> Iterator[str]:
    players = [role for role in description.roles if role != RANDOM]
    turns = "move in turn" if len(players) > 1 else "plays alone, for a goal of up to 100"
    yield f"{NUMBERS[len(players)]} player{'s' * (len(players) > 1)}, {_list(players, 'and')}, {turns}"
    if RANDOM in description.roles:
        yield "Chance moves as well, and its moves are equally likely"
    if board:
        owners = sorted(board.owners.items(), key=lambda each: (each[1] is None, each[1] or 0, each[0]))
        contents = [each if owner is None else f"{each} (of {players[owner]})" for each, owner in owners]
        empty = [f"{board.empty} (empty)"] if board.empty else []
        yield f"The board has {len(board.columns)} columns and {len(board.rows)} rows"
        yield f"A cell holds {_list([*contents, *empty], 'or')}"
    starts = [rule for rule in _of(description, "init") if not board or not _is_cell(rule.head, board)]
    others = [_phrase(rule.head) for rule in starts if not rule.body]
    if others:
        yield f"at the start, {_list(others[:MOST_TERMS], 'and')}" + (", and more" if len(others) > MOST_TERMS else "")
    yield from _told([rule for rule in starts if rule.body], "at the start, {}")
    yield from _told(_of(description, "legal"), "{}")
    yield from _told(_of(description, "terminal"), "the game ends")
    yield from _told(_of(description, "goal"), "{}")
    yield from _explained(description)


def _is_cell(head: Atom, board: FactBoard) -> bool:
    return head.name[1:] == (board.functor, board.arity)


def _of(description: Description, keyword: str) -> list[Rule]:
    return [rule for rule in description.rules if rule.head.name[0] == keyword]


def _told(rules: Iterable[Rule], sentence: str) -> Iterator[str]:
    """Yield a sentence for each head of rules, with the conditions under which it holds."""
    ways: dict[str, list[str]] = {}
    for rule in rules:
        head = sentence.format(_phrase(rule.head))
        ways.setdefault(head, []).append(_list([_phrase(each) for each in rule.body], "and"))
    for head, bodies in ways.items():
        more = f"; or in {len(bodies) - MOST_WAYS} other ways" if len(bodies) > MOST_WAYS else ""
        told = "; or if ".join(each for each in bodies[:MOST_WAYS] if each)
        yield f"{head} if {told}{more}" if told else head


def _explained(description: Description) -> Iterator[str]:
    """Yield the meaning of each relation that depends on the state and that moves, goals or the end of the game use."""
    needs: dict[Name, set[Name]] = {}
    for rule in description.rules:
        needs.setdefault(rule.head.name, set()).update(
            each.name for each in rule.body if each.operator in ("holds", "not")
        )
    roots = [name for name in needs if name[0] in ("legal", "goal", "terminal")]
    changing = [
        name
        for name in needs
        if len(name) == 1
        and name not in roots
        and name in reachable(roots, needs)
        and any(each[0] == "true" for each in reachable([name], needs))
    ]
    for name in changing[:MOST_TERMS]:
        yield from _told([rule for rule in description.rules if rule.head.name == name], "{} holds")


def _phrase(atom: Atom) -> str:
    """Return a literal in words."""
    keyword, args = atom.name[0], atom.args
    if atom.operator in ("distinct", "same"):
        return f"{_text(args[0])} is{' not' * (atom.operator == 'distinct')} {_text(args[1])}"
    if keyword in ("legal", "does"):
        move = _text(term_of(atom.name, args))
        return f"{_text(args[0])} {'may' if keyword == 'legal' else 'does'} {move}"
    if keyword == "goal":
        return f"{_text(args[0])} gets {_text(args[1] if len(args) > 1 else atom.name[1])}"
    text = _text(term_of(atom.name, args) if len(atom.name) == 3 else (keyword, *args))
    return f"not {text}" if atom.operator == "not" else text


def _text(term: Term) -> str:
    """Return a term in words, with variables in capital letters."""
    if is_variable(term):
        return str(term[1:]).upper()
    return term if isinstance(term, str) else " ".join(map(_text, term))


def _list(texts: Sequence[str], last: str) -> str:
    """Return words as a list: `a, b and c`."""
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
