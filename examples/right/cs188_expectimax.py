"""Expectimax in the manner of CS188: ghosts move at random."""

from multiAgents import MultiAgentSearchAgent


class ExpectimaxAgent(MultiAgentSearchAgent):
    """An agent that expects random ghosts."""

    def getAction(self, gameState):
        """Return Pacman's action."""
        actions = gameState.getLegalActions(0)
        return max(actions, key=lambda a: self.expected(gameState.generateSuccessor(0, a), 1, self.depth))

    def expected(self, state, agent, depth):
        """Return the expected score."""
        if state.isWin() or state.isLose() or depth == 0:
            return self.evaluationFunction(state)
        following = (agent + 1) % state.getNumAgents()
        left = depth - (following == 0)
        scores = [
            self.expected(state.generateSuccessor(agent, a), following, left) for a in state.getLegalActions(agent)
        ]
        return max(scores) if agent == 0 else sum(scores) / len(scores)
