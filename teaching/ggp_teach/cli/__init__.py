"""Commands of the class: each module is the command of its name."""
