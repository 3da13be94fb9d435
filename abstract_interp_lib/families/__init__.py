"""Shape and dtype functions, one file per operator family; a folder per area."""
