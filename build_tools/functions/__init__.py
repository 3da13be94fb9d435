"""Cases of library functions as modules, and simplified functions as examples."""
