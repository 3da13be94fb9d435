// The element functions, written by `make library`. Do not edit: change the Python.
