"""The commands `ggp quiz`, `ggp grade` and `ggp league`, one module for each."""
