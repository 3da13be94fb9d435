"""Matrix multiplication, decompositions, solves, norms and distances."""
