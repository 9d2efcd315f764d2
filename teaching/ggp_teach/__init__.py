"""For courses: exercises (`ggp quiz`), grading of students' searchers (`ggp grade`), and a league (`ggp league`)."""

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_players() -> list[type]:
    from ggp_teach.league.python_player import PythonPlayer

    return [PythonPlayer]
