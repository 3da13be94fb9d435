"""Real networks, exported and imported: the corpus that refinement is tested on."""
