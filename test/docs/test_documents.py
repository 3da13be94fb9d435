"""The documents: what they show is what is printed, and what they point to exists."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from torch_refine.build_tools.export_library import HEADER
from torch_refine.dialect.library import LIBRARY, functions_in

REPOSITORY = Path(__file__).parent.parent.parent
DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
GUIDE = REPOSITORY / "docs" / "adding_a_function.md"
FAMILIES = "abstract_interp_lib/families"
# What the guide's reader takes out and writes anew.
WORKED = (".aten.conv_tbc", ".aten.conv_tbc.out")

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A block that starts so is a file, or a quotation of one.
FILE = re.compile(r"(?:#|//) ([\w/]+\.(?:py|mlir))\n")
QUOTATION = re.compile(r"# From ([\w/]+\.py)\n")
FUNCTION = re.compile(r"def (\w+)\(")

# The targets of the Makefile, on a folder that stands in for that of the families. The checker sees
# this folder alone, which is faster; the exporter writes the whole library, but elsewhere.
CHECK = """
import os, sys
from torch_refine.abstract_interp_lib import families
families.__path__[:] = [os.getcwd()]
from torch_refine.build_tools import check_function
sys.exit(check_function.main(sys.argv[1:]))
"""
START = """
import os, sys
from pathlib import Path
from torch_refine.build_tools import new_function
new_function.FAMILIES = Path(os.getcwd())
sys.exit(new_function.main(sys.argv[1:]))
"""
EXPORT = """
import os, sys
from pathlib import Path
from torch_refine.abstract_interp_lib import families
families.__path__.insert(0, os.getcwd())
from torch_refine.build_tools import export_library
export_library.LIBRARY = Path("library.mlir")
code = export_library.main([])
if code == 0:
    mine = [d for d in export_library.load_families().values() if d.file == "time_convolution.py"]
    Path("extra.mlir").write_text(export_library.export(mine))
sys.exit(code)
"""


class Reader:
    """Someone who follows the guide: saves its files and runs its commands, in order."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.family = self.folder / "missing.py"
        shipped = functions_in(LIBRARY.read_text())
        before = [text for symbol, text in shipped.items() if not symbol.endswith(WORKED)]
        (self.folder / "library.mlir").write_text(HEADER + "".join(before))

    def save(self, name, text):
        path = self.folder / Path(name).name
        path.write_text(text)
        if path.suffix == ".py":
            self.family = path

    def replace_function(self, name, text):
        """Put another version of a function into the family's file."""
        old = self.family.read_text()
        whole = re.compile(rf"^def {name}\(.*?(?=\n\n\n|\Z)", re.MULTILINE | re.DOTALL)
        assert len(whole.findall(old)) == 1
        self.family.write_text(whole.sub(lambda _: text.rstrip("\n"), old))

    def run(self, line):
        """What a command prints, with paths as the document shows them."""
        command = shlex.split(line)
        folder = self.folder
        if command[0] == "rm":
            # The reader's library is without the operator, and the reader's folder empty.
            return ""
        if command[:2] == ["make", "check-function"]:
            command = ["-W", "ignore", "-c", CHECK, command[2].removeprefix("OP=")]
        elif command[:2] == ["make", "function"]:
            options = [command[2].removeprefix("OP="), "--file", command[3].removeprefix("FILE=")]
            command = ["-W", "ignore", "-c", START, *options]
        elif command == ["make", "library"]:
            command = ["-W", "ignore", "-c", EXPORT]
        elif command[0] == "torch-refine-opt":
            tool = Path(sys.executable).with_name(command[0])
            # The library of the guide's reader has the new functions; the shipped one does not.
            pipeline = command[1] + ("," if "=" in command[1] else "=extra-library=") + "extra.mlir"
            command = [tool, pipeline, *command[2:]]
        else:
            assert command[0] == "grep"
            folder = REPOSITORY
        if command[0] == "-W":
            command = [sys.executable, *command]
        done = subprocess.run(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        return done.stdout.replace(f"{self.folder}/", f"{FAMILIES}/")


def blocks(document):
    """The fenced blocks of a document: line, language, text."""
    text = document.read_text()
    return [
        (text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in BLOCK.finditer(text)
    ]


def commands(text):
    """The commands of a console block, each with what it is said to print."""
    found = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(found[::2], found[1::2], strict=True))


def comparable(text):
    """An output without the size of the library, which grows, and without blanks at line ends."""
    text = re.sub(r"(?<=^library\.mlir: )\d+", "N", text, flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_the_guide_shows_what_is_printed(tmp_path):
    reader = Reader(tmp_path)
    ran = 0
    for line, language, text in blocks(GUIDE):
        if language == "console":
            for command, shown in commands(text):
                printed = reader.run(command)
                assert comparable(printed) == comparable(shown), (
                    f"{GUIDE.name}:{line}: `{command}` prints\n{printed}"
                )
                ran += 1
        elif quoted := QUOTATION.match(text):
            source = (REPOSITORY / quoted[1]).read_text()
            assert text[quoted.end() :] in source, f"{GUIDE.name}:{line}: is not in {quoted[1]}"
        elif file := FILE.match(text):
            reader.save(file[1], text)
        else:
            function = FUNCTION.match(text)
            assert function is not None, f"{GUIDE.name}:{line}: what is this block for?"
            reader.replace_function(function[1], text)
    assert ran >= 8


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_relative_links_point_to_files(document):
    prose = BLOCK.sub("", document.read_text())
    missing = [
        target
        for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", prose)
        if not re.match(r"[a-z]+:|#", target)
        and not (document.parent / target.partition("#")[0]).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(document):
    makefile = (REPOSITORY / "Makefile").read_text()
    targets = set(re.findall(r"^([\w-]+):", makefile, flags=re.MULTILINE))
    text = document.read_text()
    code = "\n".join(block for _, _, block in blocks(document))
    # In code only: in prose, "make" is also a word.
    mentioned = re.findall(r"`make ([a-z-]+)", BLOCK.sub("", text))
    mentioned += re.findall(r"^(?:\$ )?make ([a-z-]+)", code, flags=re.MULTILINE)
    assert sorted(set(mentioned) - targets) == []
