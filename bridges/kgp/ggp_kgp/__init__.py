"""Kalah on servers of the Kalah Game Protocol: `ggp kgp SERVER`.

`client` speaks the protocol, over TCP or WebSocket, and `command` is the command.
"""
