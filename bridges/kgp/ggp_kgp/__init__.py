"""The Kalah Game Protocol: Kalah by the Kalah Game Protocol: `ggp kgp SERVER` plays on servers of that community."""
