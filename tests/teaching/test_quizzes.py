"""Quizzes: every stated answer agrees with a plain calculation that shares no code with the searchers."""

import itertools
import json
import subprocess
import sys
from math import inf

import attrs
import pytest
from ggp_teach.exercise_tree import ExerciseTree, minimax
from ggp_teach.grading.textbook import textbook
from ggp_teach.quizzes.answers import RightAnswer, number_text
from ggp_teach.quizzes.questions import TOPICS
from ggp_teach.quizzes.quiz import HandedIn, QuizPlan, make_quiz, mark
from ggp_teach.quizzes.quiz_page import quiz_page, quiz_sheet

import ggp
from ggp.cli.app import main
from ggp.errors import NotationError
from ggp.game import CHANCE, MAX


@pytest.fixture(scope="module")
def registry():
    return ggp.load_registry()


class PlainStar1:
    """Ballard's Star1 (1983), once more."""

    def __init__(self, tree):
        self.tree, self.leaves = tree, set()
        worths = [node.worth for node in tree.nodes]
        self.low, self.high = min(worths) - 1, max(worths) + 1

    def value(self, state, alpha, beta):
        node = self.tree.nodes[state]
        if not node.edges:
            self.leaves.add(state)
            return node.worth
        children = list(self.tree.below[state].values())
        if node.mover == CHANCE:
            total, rest = 0.0, 1.0
            for edge, child in zip(node.edges, children, strict=True):
                rest -= edge.probability
                worst = (alpha - total - self.high * rest) / edge.probability
                best = (beta - total - self.low * rest) / edge.probability
                value = self.value(child, max(worst, self.low), min(best, self.high))
                total += edge.probability * value
                if value <= worst:
                    return min(alpha, total + self.high * rest)
                if value >= best:
                    return max(beta, total + self.low * rest)
            return total
        best = -inf if node.mover == MAX else inf
        for child in children:
            value = self.value(child, alpha, beta)
            if node.mover == MAX:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best


class PlainScout:
    """Pearl's SCOUT (1980), once more."""

    def __init__(self, tree):
        self.tree, self.entered, self.tested, self.again = tree, 0, [], []

    def evaluate(self, state):
        self.entered += 1
        node = self.tree.nodes[state]
        if not node.edges:
            return node.worth
        best = None
        for child in self.tree.below[state].values():
            inner = bool(self.tree.below[child])
            if best is None:
                best = self.evaluate(child)
                continue
            if inner and state == 0:
                self.tested.append(child)
            if self.better(child, best, node.mover):
                if inner and state == 0:
                    self.again.append(child)
                best = self.evaluate(child)
        return best

    def better(self, state, bound, player):
        """Whether the value is strictly better than the bound for the player."""
        self.entered += 1
        node = self.tree.nodes[state]
        if not node.edges:
            return node.worth > bound if player == MAX else node.worth < bound
        answers = (self.better(child, bound, player) for child in self.tree.below[state].values())
        return any(answers) if node.mover == player else all(answers)


def plain_leaves(topic, tree):
    if topic == "star1":
        search = PlainStar1(tree)
        search.value(0, -inf, inf)
        return search.leaves
    visited = textbook(TOPICS[topic][0]).run(tree, 99).visited
    return {state for state in visited if tree.terminal_test(state)}


def plain_answer(topic, tree, key):
    """Return all right answers, as texts."""
    kind, _, of = key.partition(" ")
    state = int(of) if of.isdigit() else 0
    leaves = [state for state in range(len(tree.nodes)) if tree.terminal_test(state)]
    run = textbook("alphabeta").run(tree, 99)
    orders = {}
    if topic == "ordering":
        for edges in itertools.permutations(tree.root.edges):
            other = ExerciseTree(attrs.evolve(tree.root, edges=edges))
            visited = textbook("alphabeta").run(other, 99).visited
            orders[" ".join(edge.label for edge in edges)] = sum(map(other.terminal_test, visited))
    match kind:
        case "value":
            return {number_text(minimax(tree.nodes[state]))}
        case "move":
            worth = minimax(tree.root)
            return {edge.label for edge in tree.root.edges if minimax(edge.node) == worth}
        case "leaves":
            return {str(len(plain_leaves(topic, tree)))}
        case "cut":
            seen = plain_leaves(topic, tree)
            return {" ".join(tree.names[each] for each in leaves if each not in seen) or "none"}
        case "window":
            _, alpha, beta = run.windows[state]
            return {f"{number_text(alpha)} {number_text(beta)}"}
        case "bound":
            _, alpha, beta = run.windows[state]
            value = textbook("alphabeta").run(ExerciseTree(tree.nodes[state]), 99, alpha, beta).value
            sign = "<=" if value <= alpha else ">=" if value >= beta else "="
            return {f"{sign} {number_text(value)}"}
        case "order":
            return {order for order, count in orders.items() if count == min(orders.values())}
        case "least":
            return {str(min(orders.values()))}
        case "most":
            return {str(max(orders.values()))}
    scout = PlainScout(tree)
    scout.evaluate(0)
    match kind:
        case "again":
            return {" ".join(tree.names[each] for each in scout.again) or "none"}
        case "tests":
            return {str(len(scout.tested))}
        case "entered":
            return {str(scout.entered)}
    raise AssertionError(key)


def check_quiz(registry, plan):
    quiz = make_quiz(registry, plan)
    assert len(quiz.questions) == plan.number or plan.topic == "ordering"
    asked = [(exercise.tree.root, question.key) for exercise in quiz.exercises for question in exercise.questions]
    assert len(set(asked)) == len(asked)
    for exercise in quiz.exercises:
        for question in exercise.questions:
            expected = plain_answer(plan.topic, exercise.tree, question.key)
            assert set(question.answer.accepted) == expected, (plan, question)
            assert question.why
            assert question.line or question.key in ("cut", "leaves") or "only a bound" in question.why, question
            assert all(map(question.answer.is_right, question.answer.accepted))


def plans(number):
    for seed in range(number):
        topic = list(TOPICS)[seed % len(TOPICS)]
        yield QuizPlan(topic=topic, seed=seed, depth=2 + seed % 2, branching=2 + seed % 3, ties=seed % 5 == 0)


def test_answers_agree_with_a_plain_calculation_and_nothing_is_asked_twice(registry):
    for plan in plans(18):
        check_quiz(registry, plan)


@pytest.mark.slow
def test_the_answers_of_a_thousand_quizzes_agree_with_a_plain_calculation(registry):
    for plan in plans(1000):
        check_quiz(registry, plan)


def test_the_same_seed_asks_the_same(registry):
    one, other = (make_quiz(registry, QuizPlan(topic="scout", seed=5)) for _ in range(2))
    assert one.questions == other.questions
    assert make_quiz(registry, QuizPlan(topic="scout", seed=6)).questions != one.questions


READ = {
    "a fraction": ("number", "7/3", "2.3333", True),
    "rounded": ("number", "1/3", "0.33", True),
    "another number": ("number", "3", "4", False),
    "a minus of the keyboard of a phone": ("number", "-3", "−3", True),
    "names in any order": ("names", "C2 C3", "c3, C2", True),
    "a name too many": ("names", "C2", "C2 C3", False),
    "none": ("names", "none", "none", True),
    "an order": ("order", "a1 a3 a2", "a1,a3,a2", True),
    "another order": ("order", "a1 a3 a2", "a1 a2 a3", False),
    "a window": ("window", "-inf 3", "[-∞, 3]", True),
    "a bound": ("bound", "<= 2", "≤2", True),
    "a bound on the other side": ("bound", "<= 2", ">= 2", False),
}


@pytest.mark.parametrize("case", READ)
def test_answers_are_read_as_people_write_them(case):
    form, answer, given, right = READ[case]
    assert RightAnswer(form, (answer,)).is_right(given) is right


@pytest.mark.parametrize(
    ("form", "text"), [("number", "x"), ("window", "3"), ("bound", "< x"), ("names", " "), ("number", "1/0")]
)
def test_what_is_no_answer_is_refused(form, text):
    with pytest.raises(NotationError, match=r"cannot be read: write |nothing was given: write "):
        RightAnswer(form, ("1",)).is_right(text)


def test_a_code_is_marked_and_a_changed_one_refused(registry, capsys):
    plan = QuizPlan(topic="minimax", seed=2, number=4)
    quiz = make_quiz(registry, plan)
    answers = [question.answer.shown for question in quiz.questions]
    answers[1] = "100"
    code = HandedIn(plan, "Zoë", tuple(answers)).code()
    assert main(["quiz", "--check", code, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["name"], found["score"], found["max_score"]) == ("Zoë", 3, 4)
    assert [each.right for each in mark(quiz, answers)] == [True, False, True, True]
    assert main(["quiz", "--check", code[:-3]]) == 2
    assert "copy all of it" in " ".join(capsys.readouterr().err.split())


def test_the_page_has_the_questions_and_the_sheet_has_solutions(registry):
    quiz = make_quiz(registry, QuizPlan(topic="alphabeta", seed=7))
    page, sheet = quiz_page(quiz), quiz_sheet(quiz)
    assert page.count("<form") == sheet.count('<p class="blank">') == 8
    assert "solutions" in sheet
    assert all(question.why.split("<")[0] in sheet for question in quiz.questions)
    assert "http://" not in page.replace("http://www.w3.org", "")


@pytest.mark.slow
def test_the_terminal_asks_and_ends_with_a_code():
    command = [sys.executable, "-m", "ggp", "quiz", "minimax", "--questions", "2"]
    run = subprocess.run(  # noqa: S603 - this program
        command, input="3\n1\n2\n3\n", capture_output=True, text=True, check=True
    )
    assert "of 2 right" in run.stdout
    code = run.stdout.split("To hand in:")[1].strip()
    assert HandedIn.of(code).plan.topic == "minimax"


@pytest.mark.slow
def test_the_end_of_the_input_ends_the_quiz():
    run = subprocess.run([sys.executable, "-m", "ggp", "quiz"], input="", capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "the input ended before question 1 was answered" in " ".join(run.stderr.split())
