"""For courses: exercises (`ggp quiz`), grading of students' searchers (`ggp grade`), and a league (`ggp league`).

Each of the three has a room of its own: `quizzes`, `grading` and `league`. `exercise_tree` is the tree that students
search, `limited` the process in which their programs run, and `tree_editor` the page for trees.
"""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_players() -> list[type]:
    from ggp_teach.league.python_player import PythonPlayer

    return [PythonPlayer]


@ggp.hookimpl
def ggp_pages() -> list[object]:
    from ggp_teach.quizzes.served_quiz import ServedQuiz
    from ggp_teach.tree_editor import TreeEditor

    return [ServedQuiz(), TreeEditor()]
