"""A section of a document, which a benchmark writes again."""

from __future__ import annotations

import re


def with_section(document: str, heading: str, text: str, following: str) -> str:
    """The document with a section, which begins with its heading and ends with an empty line.

    The section is written where it was, or before the heading `following`; other sections are kept.
    """
    section = re.compile(rf"^{re.escape(heading)}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    if section.search(document):
        return section.sub(lambda _: text, document, count=1)
    return document.replace(f"{following}\n", f"{text}{following}\n", 1)
