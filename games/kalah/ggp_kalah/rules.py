"""Kalah's rules on packed boards, and the capabilities that searches use.

A side's *word* is one integer. The word has `bits` bits for the seeds of each of the m houses, and above them `bits`
bits for the store. House 0, the farthest from the store, has the lowest bits, and sowing goes upwards. So sowing a seed
into each of several houses adds a row of ones to the word, which is a single addition. A word is a number in base
`2**bits`, and its remainder when divided by `2**bits - 1` is the sum of its digits: `word % mask` counts a side's
seeds.
"""

from collections.abc import Iterator, Sequence

import attrs

import ggp

State = tuple[int, int, int]
"""South's word, North's word, and the player to move. South is MAX."""

WORD = 63
"""Number of bits of a machine word, not counting its sign."""
WIDE = 16
"""Minimum number of bits for each house and store, if a board does not fit into machine words."""
EXTRA_TURN = 1 << 40
"""The weight of an extra turn in `suggest`: more than any capture."""


def _bits(seeds: int, houses: int) -> int:
    """Return the number of bits for each house and store of a board with this many seeds."""
    narrow, most = WORD // (houses + 1), seeds + 1
    return narrow if most < 1 << narrow else max(WIDE, most.bit_length())


@attrs.frozen
class KalahRules:
    """The rules of Kalah.

    An action is a house; with turn="whole", it is a number for the houses of a turn, see `houses_of`.
    """

    houses: int = ggp.option(6, "houses a side", minimum=1, maximum=12)
    seeds: int = ggp.option(4, "seeds in each house at the start", minimum=0)
    capture: str = ggp.option(
        "standard",
        "when a last seed in one's own empty house captures: if the opposite house holds seeds, always, or never",
        choices=("standard", "empty", "none"),
    )
    majority: bool = ggp.option(False, "the game ends as soon as a store holds more than half of all seeds")
    turn: str = ggp.option("single", "an action is one house, or all the houses of a turn", choices=("single", "whole"))
    scoring: str = ggp.option(
        "margin",
        "the utility: the margin in seeds, or only win, draw and loss (1, 0, -1)",
        choices=("margin", "outcome"),
    )

    # How a board is packed

    bits: int = ggp.constant(lambda game: _bits(2 * game.houses * game.seeds, game.houses))
    """Number of bits for each house and store. A side fits into a machine word if there are not too many seeds."""
    mask: int = ggp.constant(lambda game: (1 << game.bits) - 1)
    """A mask of `bits` ones, at the place of house 0."""
    store: int = ggp.constant(lambda game: game.bits * game.houses)
    """The position of the store's lowest bit in a word."""
    all_houses: int = ggp.constant(lambda game: (1 << game.store) - 1)
    """A mask of all houses."""
    one_each: int = ggp.constant(lambda game: game.all_houses // game.mask)
    """A word with one seed in each house, and none in the store."""
    ring: int = ggp.constant(lambda game: 2 * game.houses + 1)
    """Number of places in which a player sows: both sides' houses and the player's own store."""
    digit: int = ggp.constant(lambda game: game.houses.bit_length())
    """Number of bits for each house in the number of a whole turn."""
    is_secured: bool = ggp.constant(lambda game: game.scoring == "margin" and not game.majority)
    """Whether the seeds in the stores have an effect only on the final margin."""

    @property
    def capacity(self) -> int:
        """The maximum number of seeds on a board: the sum of a word's digits must stay below the mask."""
        return self.mask - 1

    @property
    def arithmetic(self) -> str:
        """ "unchecked" if all numbers fit into a machine word, otherwise "checked"; the number of a whole turn may not
        fit.
        """
        fits = self.bits * (self.houses + 1) <= WORD
        return "unchecked" if fits and self.turn == "single" else "checked"

    def pack(self, side: Sequence[int]) -> int:
        """Return the word of a side, from the seeds in houses 0 to m - 1 and the store."""
        return sum(seeds << self.bits * index for index, seeds in enumerate(side))

    def unpack(self, word: int) -> list[int]:
        """Return the seeds in houses 0 to m - 1 and the store of a side."""
        return [self.seeds_in(word, index) for index in range(self.houses + 1)]

    def state(self, south: Sequence[int], north: Sequence[int], mover: int) -> State:
        """Return the state from the seeds of each side and the player to move. If a side's houses are empty, all seeds
        go into their owners' stores.
        """
        if not any(south[:-1]) or not any(north[:-1]):
            return sum(south) << self.store, sum(north) << self.store, mover
        return self.pack(south), self.pack(north), mover

    def seeds_in(self, word: int, index: int) -> int:
        """Return the seeds in a house, or in the store, which is the last place."""
        return word >> self.bits * index & self.mask

    # The rules

    def initial_state(self) -> State:
        return self.seeds * self.one_each, self.seeds * self.one_each, ggp.MAX

    def to_move(self, state: State) -> ggp.Player:
        return state[2]

    def actions(self, state: State) -> Iterator[int]:
        if self.turn == "whole":
            yield from self.turns(state)
        else:
            own = (state[1] if state[2] else state[0]) & self.all_houses
            bits, mask, house = self.bits, self.mask, 0
            while own:
                if own & mask:
                    yield house
                own >>= bits
                house += 1

    def result(self, state: State, action: int) -> State:
        return self.play(state, action) if self.turn == "single" else self.play_turn(state, action)

    def play(self, state: State, house: int) -> State:
        """Return the state after playing one house: sow, capture, and sweep at the end. The other player moves next,
        unless the last seed falls into the store.
        """
        south, north, mover = state
        own, other, last = self.sow(north, south, house) if mover else self.sow(south, north, house)
        bits, mask, all_houses = self.bits, self.mask, self.all_houses
        if last < self.houses and own >> bits * last & mask == 1:  # it was empty
            opposite = self.store - bits * (last + 1)
            taken = self.taken(other >> opposite & mask)
            if taken:
                own += (taken << self.store) - (1 << bits * last)
                other -= taken - 1 << opposite
        if not (own & all_houses and other & all_houses):  # each player keeps the seeds of the own side
            own, other = own % mask << self.store, other % mask << self.store
        if last != self.houses:  # else an extra turn
            return (other, own, 0) if mover else (own, other, 1)
        return (other, own, 1) if mover else (own, other, 0)

    def sow(self, own: int, other: int, house: int) -> tuple[int, int, int]:
        """Sow all seeds of a house, one by one around the board past the opponent's store.

        The places of the ring are 0 to m - 1 for the player's houses, m for the player's store, and m + 1 to 2m for the
        opponent's houses.

        Returns:
            the words after sowing, and the place of the last seed.
        """
        bits, store, ring, lap = self.bits, self.store, self.ring, self.one_each
        own_lap, at = lap | 1 << store, bits * house
        seeds = own >> at & self.mask
        own -= seeds << at
        if seeds >= ring:  # whole laps
            own += seeds // ring * own_lap
            other += seeds // ring * lap
            seeds %= ring
        last = house + seeds
        at += bits
        if last <= self.houses:
            return own + (own_lap >> store + bits - bits * seeds << at), other, last
        own += own_lap >> at << at
        if last < ring:
            return own, other + (own_lap >> bits * (ring - last)), last
        last -= ring
        return own + (own_lap >> store - bits * last), other + lap, last

    def taken(self, opposite: int) -> int:
        """Return how many seeds go into the store if the last seed falls into an empty house of the player."""
        if self.capture == "none" or (self.capture == "standard" and not opposite):
            return 0
        return opposite + 1

    def terminal_test(self, state: State) -> bool:
        south, north, _ = state
        if self.majority:
            half = (south % self.mask + north % self.mask) // 2
            if south >> self.store > half or north >> self.store > half:
                return True
        return not south & self.all_houses  # then North's are empty, too: the seeds have gone into the stores

    def utility(self, state: State, player: ggp.Player) -> int:
        value = self.margin(state)
        if self.scoring == "outcome":
            value = 1 if value > 0 else -1 if value < 0 else 0
        return value if player == ggp.MAX else -value

    # Whole turns: the houses of a turn are the digits of a number, the first house in the lowest digit. Each digit is
    # the index of a house plus one.

    def houses_of(self, action: int) -> tuple[int, ...]:
        """Return the houses that an action plays, in sequence."""
        if self.turn == "single":
            return (action,)
        length = -(-action.bit_length() // self.digit)
        return tuple((action >> self.digit * index & (1 << self.digit) - 1) - 1 for index in range(length))

    def action_of(self, houses: Sequence[int]) -> int | None:
        """Return the action that plays these houses, legal or not; None if there is no such action."""
        if self.turn == "single":
            return houses[0] if len(houses) == 1 else None
        inside = all(0 <= house < self.houses for house in houses)
        return sum(house + 1 << self.digit * index for index, house in enumerate(houses)) if inside else None

    def play_turn(self, state: State, turn: int) -> State:
        """Return the state after playing every house of the turn."""
        while turn:
            state = self.play(state, (turn & (1 << self.digit) - 1) - 1)
            turn >>= self.digit
        return state

    def turns(self, start: State) -> Iterator[int]:
        """Yield every turn, sorted by its sequence of houses.

        The function backtracks by replaying a turn from the start, so that it needs no stack.
        """
        mover = start[2]
        state, turn, at, house = start, 0, 0, 0  # `at`: the bits that the houses played so far take
        while turn or house < self.houses:
            if house == self.houses:  # back to before the last house played, and on to the next: its digit is that
                at -= self.digit
                house = turn >> at
                turn -= house << at
                state = self.play_turn(start, turn)
            elif self.seeds_in(state[1] if mover else state[0], house):
                after, longer = self.play(state, house), turn + (house + 1 << at)
                if after[2] == mover and not self.terminal_test(after):
                    state, turn, at, house = after, longer, at + self.digit, 0
                else:
                    yield longer
                    house += 1
            else:
                house += 1

    # What a search may use

    def margin(self, state: State) -> int:
        """Return South's store minus North's, in seeds."""
        return (state[0] >> self.store) - (state[1] >> self.store)

    def score(self, state: State) -> int:
        return self.margin(state) if self.is_secured else 0

    def key(self, state: State) -> State:
        if not self.is_secured:
            return state
        return state[0] & self.all_houses, state[1] & self.all_houses, state[2]

    def bounds(self, state: State) -> tuple[int, int]:
        """Return two utilities: if MIN gets all seeds that are still in the houses, and if MAX gets them."""
        margin, left = self.margin(state), self.left(state)
        if self.scoring == "margin":
            return margin - left, margin + left
        least = 1 if margin > left else 0 if margin == left else -1
        greatest = -1 if margin < -left else 0 if margin == -left else 1
        return least, greatest

    def left(self, state: State) -> int:
        """Return how many seeds are still in the houses."""
        return ((state[0] & self.all_houses) + (state[1] & self.all_houses)) % self.mask

    def suggest(self, state: State, action: int) -> int:
        """Return the priority of an action: extra turns come first, then captures by size, then houses near the store.
        A whole turn is ranked by its gain.
        """
        own, other = (state[1], state[0]) if state[2] else (state[0], state[1])
        if self.turn == "whole":
            after = self.play_turn(state, action)
            return ((after[1] if state[2] else after[0]) >> self.store) - (own >> self.store)
        if self.ends_in_store(own, action):
            return EXTRA_TURN + action
        return self.captured(own, other, action) * self.houses + action

    def quiet(self, state: State, action: int) -> bool:
        """Return whether the action captures nothing and gives no extra turn."""
        own, other = (state[1], state[0]) if state[2] else (state[0], state[1])
        house = action if self.turn == "single" else action - 1
        if house >= self.houses or self.ends_in_store(own, house):  # a turn of several houses has extra turns
            return False
        return self.captured(own, other, house) == 0

    def ends_in_store(self, own: int, house: int) -> bool:
        """Return whether the last seed of the house falls into the player's own store."""
        return (house + self.seeds_in(own, house)) % self.ring == self.houses

    def captured(self, own: int, other: int, house: int) -> int:
        """Return how many seeds playing the house would capture, including its own last seed."""
        seeds = self.seeds_in(own, house)
        passed = house + seeds >= self.ring  # the opponent's houses, each of which gets a seed
        last = house + seeds - self.ring if passed else house + seeds
        if seeds > self.ring or last >= self.houses or (last != house and self.seeds_in(own, last)):
            return 0
        opposite = self.seeds_in(other, self.houses - 1 - last)
        return self.taken(opposite + 1 if passed else opposite)
