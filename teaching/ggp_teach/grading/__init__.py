"""Grading a searcher that a student wrote: cases, a limited process, the usual mistakes, marks."""
