"""The abstract interpreter: what it says holds for whatever the unknown values are."""
