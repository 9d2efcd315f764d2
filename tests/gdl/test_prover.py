"""Games of descriptions and an independent prover: the same states, moves, turns, ends and goals."""

import random

import pytest
from ggp_gdl.description import format_term
from ggp_gdl.library import OWN, make, named_files
from prover import Prover

import ggp

PLIES = {"tictactoe": 10, "nim": 20, "pegs": 2, "pig": 20, "hexapawn": 20, "ponghauki": 20, "domineering": 6}


def contradictions(text, plies, seed=1):
    """Play at random, and yield a sentence for each thing in which a game and the prover differ."""
    game, prover, generator = make(text, "gdl:game")(), Prover(text), random.Random(seed)
    players = [role for role in prover.roles if role != "random"]
    state = None
    for _ in range(plies):
        if state is None:
            state, facts = game.initial_state(), {fact[1] for fact in prover.ask(("init", "?x"))}
        if set(game.facts(state)) != facts:
            yield f"states: {set(game.facts(state)) ^ facts}"
            return
        over = bool(prover.ask("terminal", facts))
        if bool(game.terminal_test(state)) != over:
            yield f"the end of {facts}"
            return
        if over:
            goals = [int(next(iter(prover.ask(("goal", role, "?x"), facts)))[2]) for role in players]
            worth = (goals[0] - sum(goals[1:])) // game.unit
            if game.utility(state, ggp.MAX) != worth:
                yield f"goals {goals}, but {game.utility(state, ggp.MAX)}"
            state = None
            continue
        legal = {role: {move[2] for move in prover.ask(("legal", role, "?x"), facts)} for role in prover.roles}
        mover = game.to_move(state)
        role = "random" if mover == ggp.CHANCE else players[mover]
        actions = {game.move_of(action): action for action in game.actions(state)}
        if set(actions) != legal[role]:
            yield f"moves of {role}: {set(actions) ^ legal[role]}"
            return
        if any(len(moves) != 1 for other, moves in legal.items() if other != role):
            yield f"{role} is not the only one to choose"
        move = generator.choice(sorted(actions, key=format_term))
        made = [(other, move if other == role else next(iter(moves))) for other, moves in legal.items()]
        facts = {fact[1] for fact in prover.ask(("next", "?x"), facts, made)}
        state = game.result(state, actions[move])


QUICK = ("tictactoe", "nim")


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in PLIES])
def test_a_game_is_what_its_description_says(name):
    assert list(contradictions(named_files(OWN)[name].read_text(), PLIES[name])) == []
