"""Named sequences of passes, and what runs them."""
