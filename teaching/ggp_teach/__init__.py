"""For courses: exercises (`ggp quiz`), grading of students' searchers (`ggp grade`), and a league (`ggp league`)."""
