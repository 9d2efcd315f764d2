"""The Kalah Game Protocol: `ggp kgp SERVER` plays on servers of that community."""
