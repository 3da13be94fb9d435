"""A benchmark that writes its section of a document keeps the others."""

from sections import with_section

_DOCUMENT = "# Title\n\n## One\n\nold\n\n## Two\n\nkept\n\n## Three\n\nlast\n"


def test_a_section_is_replaced():
    assert with_section(_DOCUMENT, "## One", "## One\n\nnew \\1\n\n", "## Three") == (
        "# Title\n\n## One\n\nnew \\1\n\n## Two\n\nkept\n\n## Three\n\nlast\n"
    )


def test_a_new_section_is_before_another():
    assert with_section(_DOCUMENT, "## Third", "## Third\n\nnew\n\n", "## Three") == (
        "# Title\n\n## One\n\nold\n\n## Two\n\nkept\n\n## Third\n\nnew\n\n## Three\n\nlast\n"
    )
