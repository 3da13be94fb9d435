"""From loops over memory to kernels of a GPU, and their code."""
