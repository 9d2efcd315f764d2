"""Experiments: many games between players, and statistics of the results.

`experiment` decides which games are played, and `runner` plays them on an executor. `journal` stores finished games;
`results`, `ratings` and `sprt` evaluate them. `plan_file` reads an experiment from a file; `report` and `page` write
its results.
"""

from ggp.experiments.executors import HERE, Workshop, workshop
from ggp.experiments.experiment import Experiment, GameJob, Outcome, gauntlet, play_job, round_robin
from ggp.experiments.journal import Journal
from ggp.experiments.pairs import Pairs
from ggp.experiments.ratings import Rating, Ratings, rate
from ggp.experiments.results import Results
from ggp.experiments.runner import outcomes
from ggp.experiments.sprt import SPRT
from ggp.experiments.starts import even_starts, random_starts, read_starts

__all__ = [
    "HERE",
    "SPRT",
    "Experiment",
    "GameJob",
    "Journal",
    "Outcome",
    "Pairs",
    "Rating",
    "Ratings",
    "Results",
    "Workshop",
    "even_starts",
    "gauntlet",
    "outcomes",
    "play_job",
    "random_starts",
    "rate",
    "read_starts",
    "round_robin",
    "workshop",
]
