"""Exercises on game trees.

`quiz` chooses trees and asks the `questions`. `answers` reads and compares what is typed. `quiz_page` makes a page for
the screen and a sheet for paper.
"""
