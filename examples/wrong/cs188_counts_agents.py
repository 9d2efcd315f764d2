"""CS188's agent that counts the move of each single agent as a whole round."""

from game import Agent


class MultiAgentSearchAgent(Agent):
    """The class that the project hands out."""

    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = None
        self.depth = int(depth)


class AlphaBetaAgent(MultiAgentSearchAgent):
    """An agent that plays by alpha-beta."""

    def getAction(self, gameState):
        """Return Pacman's action."""
        return self.value(gameState, 0, 0, float("-inf"), float("inf"))[1]

    def value(self, state, agent, depth, alpha, beta):
        """Return the value of a state, and the action."""
        if agent == state.getNumAgents():
            agent = 0
        if depth == self.depth or state.isWin() or state.isLose():
            return self.evaluationFunction(state), None
        best = (float("-inf") if agent == 0 else float("inf")), None
        for action in state.getLegalActions(agent):
            score = self.value(state.generateSuccessor(agent, action), agent + 1, depth + 1, alpha, beta)[0]
            if agent == 0:
                if score > best[0]:
                    best = score, action
                if best[0] > beta:
                    return best
                alpha = max(alpha, best[0])
            else:
                if score < best[0]:
                    best = score, action
                if best[0] < alpha:
                    return best
                beta = min(beta, best[0])
        return best
