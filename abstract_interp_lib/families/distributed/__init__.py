"""Communication of the processes of a group."""
