"""Exercises on game trees.

`quiz` chooses trees and asks the `questions`, `answers` reads and compares what is typed, and `quiz_page` prints both
for the screen and for paper.
"""
