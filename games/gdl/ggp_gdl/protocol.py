"""The GGP protocol: messages between the host of a match and its players, in KIF over HTTP.

    (info)                                                      name and status of the player
    (start MATCH ROLE (RULES ...) STARTCLOCK PLAYCLOCK)         `ready`
    (play MATCH nil), then (play MATCH (MOVE ...))              the player's move, in the state after these moves
    (stop MATCH (MOVE ...)), (abort MATCH)                      `done`

A message has the moves of all roles, in the order of the description. Clocks are in seconds.

Source: M. Genesereth, N. Love and B. Pell, General game playing: overview of the AAAI competition, AI Magazine 26
(2005); S. Schreiber and others, the server and players of ggp-base.
"""

import re

from ggp_gdl.description import Form, Term, format_term, parse

LARGEST = 4 << 20
"""Maximum size of a message, in bytes."""
CONTENT = "text/acl"
"""The type of a message in HTTP."""
PORT = 9147
"""The usual port of a player."""


def spellings(text: str) -> dict[str, str]:
    """Return a dictionary from the lower-case form of each word of a text to the word as it is written.

    Hosts distinguish upper and lower case; the reasoner does not.
    """
    return {word.lower(): word for word in reversed(re.findall(r"[^\s()]+", text))}


def spelled(term: Term, spellings: dict[str, str]) -> str:
    """Return a term with the spelling that a host uses."""
    return re.sub(r"[^\s()]+", lambda found: spellings.get(found[0], found[0]), format_term(term))


def message(text: str) -> Form | None:
    """Return the message that a text holds; None if the text is not a message of the protocol.

    Raise DescriptionError if the brackets of the text do not match.
    """
    expressions = parse(text)
    return expressions[0] if len(expressions) == 1 and isinstance(expressions[0], Form) and expressions[0] else None
