"""Contractions by warpgroups: four warps that multiply tiles of shared memory together."""
