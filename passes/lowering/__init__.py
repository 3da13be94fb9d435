"""From the backend contract to machine code: a folder for each level of IR."""
