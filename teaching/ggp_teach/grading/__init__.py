"""Grading of a searcher that a student wrote.

`shapes` recognizes how the searcher is called. `student` runs the searcher in a limited process, on the trees of
`cases`. `textbook` has the correct searches, and `diagnosis` names the mistake that explains the errors.
"""
