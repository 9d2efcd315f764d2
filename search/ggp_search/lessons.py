"""The textbook's searchers in pseudo-code: what is shown beside the tree, and which line is run when.

They say what the recursions beside this file do, without what those need besides: bounds known before, the best action.
"""

from ggp.trace import Lesson, Line

LEAVES = (
    Line("  if the game is over in state: return its utility", ("terminal",)),
    Line("  if depth = 0: return the estimate of state", ("estimate",)),
)

MINIMAX = Lesson(
    (
        Line("minimax(state, depth):", ("enter",)),
        *LEAVES,
        Line("  if MAX is to move:"),
        Line("    best ← −∞"),
        Line("    for each action of state:"),
        Line("      value ← minimax(result(state, action), depth − 1)", ("try MAX",)),
        Line("      best ← max(best, value)"),
        Line("  if MIN is to move:"),
        Line("    best ← +∞"),
        Line("    for each action of state:"),
        Line("      value ← minimax(result(state, action), depth − 1)", ("try MIN",)),
        Line("      best ← min(best, value)"),
        Line("  return best", ("leave",)),
    )
)

ALPHA_BETA = Lesson(
    (
        Line("alpha_beta(state, depth, α, β):", ("enter",)),
        *LEAVES,
        Line("  if MAX is to move:"),
        Line("    best ← −∞"),
        Line("    for each action of state:"),
        Line("      value ← alpha_beta(result(state, action), depth − 1, α, β)", ("try MAX",)),
        Line("      best ← max(best, value), α ← max(α, value)"),
        Line("      if value ≥ β: leave the loop   — MIN has better higher up", ("cut MAX",)),
        Line("  if MIN is to move:"),
        Line("    best ← +∞"),
        Line("    for each action of state:"),
        Line("      value ← alpha_beta(result(state, action), depth − 1, α, β)", ("try MIN",)),
        Line("      best ← min(best, value), β ← min(β, value)"),
        Line("      if value ≤ α: leave the loop   — MAX has better higher up", ("cut MIN",)),
        Line("  return best", ("leave",)),
    )
)

SCOUT = Lesson(
    (
        Line("scout(state, depth):", ("enter",)),
        *LEAVES,
        Line("  for each action of state:", ("try",)),
        Line("    successor ← result(state, action)"),
        Line("    if it is the first action,"),
        Line("    or MAX is to move and test(successor, depth − 1, > best),"),
        Line("    or MIN is to move and not test(successor, depth − 1, ≥ best):"),
        Line("      best ← scout(successor, depth − 1)"),
        Line("  return best", ("leave",)),
        Line(""),
        Line("test(state, depth, bound):", ("test enter",)),
        Line("  if the game is over in state: compare its utility", ("test terminal",)),
        Line("  if depth = 0: compare the estimate of state", ("test estimate",)),
        Line("  for each action of state:"),
        Line("    passed ← test(result(state, action), depth − 1, bound)", ("test try",)),
        Line("    if passed and MAX is to move: leave the loop", ("test cut MAX",)),
        Line("    if not passed and MIN is to move: leave the loop", ("test cut MIN",)),
        Line("  return passed", ("test leave",)),
    )
)

EXPECTIMINIMAX = Lesson(
    (
        Line("expectiminimax(state, depth):", ("enter",)),
        *LEAVES,
        Line("  if MAX is to move:"),
        Line("    best ← −∞"),
        Line("    for each action of state:"),
        Line("      value ← expectiminimax(result(state, action), depth − 1)", ("try MAX",)),
        Line("      best ← max(best, value)"),
        Line("  if MIN is to move:"),
        Line("    best ← +∞"),
        Line("    for each action of state:"),
        Line("      value ← expectiminimax(result(state, action), depth − 1)", ("try MIN",)),
        Line("      best ← min(best, value)"),
        Line("  if chance is to move:"),
        Line("    best ← 0"),
        Line("    for each outcome of state, of probability p:"),
        Line("      value ← expectiminimax(result(state, outcome), depth − 1)", ("try CHANCE",)),
        Line("      best ← best + p × value"),
        Line("  return best", ("leave",)),
    )
)
