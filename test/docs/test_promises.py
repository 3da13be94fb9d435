"""`docs/safety.md` names tests that exist, and a test for each promise."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(test/[\w/]+\.py)::(test_\w+)`")


def test_every_promise_names_a_test_that_exists():
    text = (ROOT / "docs" / "safety.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    promises = [row for row in rows if not row.startswith(("| promise |", "| ---"))]
    assert len(promises) > 20
    for promise in promises:
        named = NAMED.findall(promise)
        assert named, promise
        for path, name in named:
            assert re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE), name
