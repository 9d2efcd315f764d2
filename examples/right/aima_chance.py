"""Expectiminimax in AIMA's manner: the dice are thrown after every move, as in backgammon."""


def expect_minmax(state, game):
    """Return the best action."""
    player = game.to_move(state)

    def value(state):
        values = [chance_node(state, action) for action in game.actions(state)]
        return max(values) if state.to_move == player else min(values)

    def chance_node(state, action):
        after = game.result(state, action)
        if game.terminal_test(after):
            return game.utility(after, player)
        return sum(value(game.outcome(after, dice)) * game.probability(dice) for dice in game.chances(after))

    return max(game.actions(state), key=lambda action: chance_node(state, action))
