"""Kalah by hand: seeds are laid one by one on a list. Slow, obvious, and no relation of the packed rules."""


def play(south, north, mover, house, capture):
    """The board after a play, before any sweep: each side a list of its houses and its store, and the next mover."""
    m = len(south) - 1
    sides = [list(south), list(north)]
    own, other = sides[mover], sides[1 - mover]
    ring = [(own, place) for place in range(m + 1)] + [(other, place) for place in range(m)]
    hand, own[house], at = own[house], 0, house
    while hand:
        at = (at + 1) % len(ring)
        side, place = ring[at]
        side[place] += 1
        hand -= 1
    opposite = m - 1 - at
    if at < m and own[at] == 1 and (capture == "empty" or (capture == "standard" and other[opposite])):
        own[m] += other[opposite] + 1
        own[at] = other[opposite] = 0
    return sides[0], sides[1], mover if at == m else 1 - mover


def swept(side):
    """All seeds of a side in its store."""
    return [0] * (len(side) - 1) + [sum(side)]


def step(south, north, mover, house, capture):
    """The board after a play; if a side's houses are empty, both sides' seeds are in the stores."""
    south, north, after = play(south, north, mover, house, capture)
    if not any(south[:-1]) or not any(north[:-1]):
        south, north = swept(south), swept(north)
    return south, north, after
