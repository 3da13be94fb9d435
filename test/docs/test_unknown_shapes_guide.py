"""`docs/unknown_shapes.md`: its examples are true."""

from guides import run_guide


def test_the_guide_shows_what_is_printed(tmp_path):
    assert run_guide("unknown_shapes.md", tmp_path) == 11
