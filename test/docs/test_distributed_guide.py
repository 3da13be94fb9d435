"""`docs/distributed.md`: its examples are true."""

from guides import run_guide


def test_the_guide_shows_what_is_printed(tmp_path):
    assert run_guide("distributed.md", tmp_path) == 3
