"""The engine of all searchers: everything around a recursion.

`search` is the object that a recursion asks, `settings` decides automatic options, `engine` and `compiled_engine` run
the recursion, `driver` deepens and finds the principal variation, and `limits` ends the search in time.
"""
