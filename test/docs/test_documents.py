"""The documents: what they show is what is printed, and what they point to exists."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from torch_refine.dialect.library import LIBRARY
from torch_refine.dialect.schemas import REGISTRY

REPOSITORY = Path(__file__).parent.parent.parent
DOCUMENTS = [*sorted(REPOSITORY.glob("*.md")), *sorted((REPOSITORY / "docs").rglob("*.md"))]
GUIDE = REPOSITORY / "docs" / "adding_a_function.md"
FAMILIES = "abstract_interp_lib/families"
EXPORTED = "abstract_interp_lib/exported/library.mlir"

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A block that starts so is a file, or a quotation of one.
FILE = re.compile(r"(?:#|//) ([\w/]+\.(?:py|mlir))\n")
QUOTATION = re.compile(r"# From ([\w/]+\.py)\n")
FUNCTION = re.compile(r"def (\w+)\(")

# The targets of the Makefile, on the reader's copies of the families and the library.
TARGET = f"""
import sys
from pathlib import Path
from torch_refine.abstract_interp_lib import families
families.__path__[:] = [str(Path({FAMILIES!r}).resolve())]
from torch_refine.build_tools import {{module}} as tool
from torch_refine.build_tools import export_library, new_function
from torch_refine.importer.functions.user_code import run_command
new_function.FAMILIES = Path({FAMILIES!r})
export_library.LIBRARY = Path({EXPORTED!r})
code = run_command(tool.main, sys.argv[1:])
if code == 0 and tool is export_library:
    mine = [d for d in export_library.load_families().values() if d.file == "time_convolution.py"]
    Path("extra.mlir").write_text(export_library.export_with_lines(mine)[0])
sys.exit(code)
"""


class Reader:
    """Someone who follows the guide: saves its files and runs its commands, in order.

    The folder stands for the root of the repository, and holds what the guide reads and changes.
    """

    def __init__(self, folder):
        self.folder = folder.resolve()
        shutil.copytree(
            REPOSITORY / FAMILIES,
            self.folder / FAMILIES,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        (self.folder / EXPORTED).parent.mkdir()
        shutil.copy(LIBRARY, self.folder / EXPORTED)
        (self.folder / "dialect").mkdir()
        shutil.copy(REGISTRY, self.folder / "dialect")

    def save(self, name, text):
        (self.folder / name).write_text(text)

    def replace_function(self, name, text):
        """Put another version of a function into the Python file that was saved last."""
        changed = max(self.folder.glob("**/*.py"), key=lambda path: path.stat().st_mtime_ns)
        old = changed.read_text()
        whole = re.compile(rf"^def {name}\(.*?(?=\n\n\n|\Z)", re.MULTILINE | re.DOTALL)
        assert len(whole.findall(old)) == 1
        changed.write_text(whole.sub(lambda _: text.rstrip("\n"), old))

    def run(self, line):
        """What a command prints."""
        command = shlex.split(line)
        if command[0] == "make":
            options = dict(word.split("=") for word in command[2:])
            module = {"check-function": "check_function", "function": "new_function"}
            words = [options["OP"]] if "OP" in options else []
            words += ["--file", options["FILE"]] if "FILE" in options else []
            text = TARGET.format(module=module.get(command[1], "export_library"))
            command = [sys.executable, "-c", text, *words]
        elif command[0] == "python":
            command[0] = sys.executable
        elif command[0] == "torch-refine-opt":
            command[0] = Path(sys.executable).with_name(command[0])
            if "=" not in command[1]:
                # The library of the guide's reader has the new functions; the tool has its own.
                command[1] += "=extra-library=extra.mlir"
        else:
            assert command[0] in ("grep", "rm")
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        return done.stdout


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
    assert ran >= 12


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
