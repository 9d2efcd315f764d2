"""The command `ggp playouts`."""
