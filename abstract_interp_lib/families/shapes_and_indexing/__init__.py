"""Views, permutations, joins, indexing and scattering."""
