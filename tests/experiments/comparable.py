"""What of a game does not depend on the clock."""


def comparable(outcome):
    """Return a game as it can be compared."""
    record = outcome.record
    players = tuple(player.player for player in record.players)
    return outcome.number, players, record.start, tuple(move.action for move in record.moves), record.ending
