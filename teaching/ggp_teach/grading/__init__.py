"""Grading a searcher that a student wrote.

`shapes` recognizes how it is called, `student` runs it in a limited process on the trees of `cases`, `textbook` knows
what is right, and `diagnosis` names the mistake that explains what is wrong.
"""
