"""The cache of compiled programs in the user's cache folder.

An entry is one file, named after the hash of everything it depends on (`cache_key.py`). It starts
with a digest of its name and contents: a truncated, damaged or renamed entry is a miss. It is
written to a temporary file and renamed, so that readers see either the old entry or the new one.

Whoever can write an entry can execute code. So the folder must belong to this user alone
(`private_folders.py`), and so must an entry. Problems of the cache never fail a compilation: they
are logged, to the logger `torch_refine`, and the program is compiled as without a cache.

Among existing packages, `diskcache` unpickles what it reads and ignores owners; `platformdirs`
chooses the same folder on Linux.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex

from torch_refine.runtime.compiling.private_folders import check_private, open_private_folder

SWITCH = "TORCH_REFINE_CACHE"
SIZE = "TORCH_REFINE_CACHE_GIB"
_DEFAULT_GIB = 2.0

_MAGIC = b"torch-refine cache entry 1\n"
_HEADER = len(_MAGIC) + hashlib.sha256().digest_size
_ENTRY = re.compile(r"[0-9a-f]{64}\.entry")
_UNFINISHED = re.compile(r"\.[0-9a-f]{64}\.[0-9a-f]{16}")
# Longer than writing an entry takes.
_SECONDS_UNFINISHED = 3600
# The folder is scanned again once entries of this share of its bound were added.
_SHARE = 1 / 16

_logger = logging.getLogger("torch_refine")


def cache_folder() -> Path | None:
    """The cache folder, None if `TORCH_REFINE_CACHE=0` disables it.

    `TORCH_REFINE_CACHE` may also name another folder. Otherwise, as with 1, it is `torch-refine` in
    `$XDG_CACHE_HOME`, or in `~/.cache`. Raises RuntimeError if there is no home.
    """
    setting = os.environ.get(SWITCH, "")
    if setting == "0":
        return None
    if setting not in ("", "1"):
        return Path(setting)
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG Base Directory Specification says to ignore relative paths.
    home = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    return home / "torch-refine"


def most_bytes() -> int:
    """The bound of the total size of entries: `TORCH_REFINE_CACHE_GIB`, or 2 GiB."""
    setting = os.environ.get(SIZE, "")
    try:
        found = float(setting) if setting else _DEFAULT_GIB
        return int(found * 2**30)
    except (ValueError, OverflowError):
        _warn_once(f"{SIZE} is a number of GiB, not {setting!r}: using {_DEFAULT_GIB}")
        return int(_DEFAULT_GIB * 2**30)


def find(key: str) -> bytes | None:
    """The content of an entry; None if there is no valid one."""
    with _folder(create=False) as folder:
        return None if folder is None else _read(folder, key)


def store(key: str, content: bytes) -> None:
    """Add an entry; least recently used ones may be evicted."""
    limit = most_bytes()
    entry = _MAGIC + _digest(key, content) + content
    if len(entry) > limit:
        return
    with _folder(create=True) as folder:
        if folder is None:
            return
        try:
            _write(folder, key, entry)
        except OSError as error:
            # The disk is full, or read-only.
            _warn_once(f"cannot write to the cache: {error}")
            return
        with suppress(OSError):
            _evictions.added(folder, len(entry), limit)


def refuse(key: str, why: str) -> None:
    """Log that the content of an entry is invalid."""
    _logger.warning("ignoring the cache entry %s: %s", _name(key), why)


@contextmanager
def _folder(create: bool) -> Iterator[int | None]:
    """The open cache folder; None if there is none, or it must not be used."""
    opened = found = None
    try:
        found = cache_folder()
        opened = None if found is None else open_private_folder(found, create)
    except (OSError, RuntimeError, ValueError) as error:
        # The folder does not exist before the first compilation.
        if create or not isinstance(error, FileNotFoundError):
            _warn_once(f"there is no cache in {found or 'the home folder'}: {error}")
    try:
        yield opened
    finally:
        if opened is not None:
            os.close(opened)


@cache
def _warn_once(message: str) -> None:
    _logger.warning("%s", message)


def _name(key: str) -> str:
    return f"{key}.entry"


def _digest(key: str, content: bytes) -> bytes:
    digest = hashlib.sha256(key.encode())
    digest.update(content)
    return digest.digest()


def _read(folder: int, key: str) -> bytes | None:
    # Opening a special file must not block.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        opened = os.open(_name(key), flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        refuse(key, str(error))
        return None
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            refuse(key, "it is no file")
            return None
        check_private(found, "it")
        with open(opened, "rb", closefd=False) as file:
            content = _content(key, file.read())
        if content is None:
            refuse(key, "it is damaged")
            return None
        # Entries in use are kept.
        with suppress(OSError):
            os.utime(opened)
        return content
    except (OSError, MemoryError) as error:
        refuse(key, str(error) or "it is too large")
        return None
    finally:
        os.close(opened)


def _content(key: str, entry: bytes) -> bytes | None:
    content = entry[_HEADER:]
    return content if entry[:_HEADER] == _MAGIC + _digest(key, content) else None


def _write(folder: int, key: str, entry: bytes) -> None:
    unfinished = f".{key}.{token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    opened = os.open(unfinished, flags, 0o600, dir_fd=folder)
    try:
        with open(opened, "wb") as file:
            file.write(entry)
        os.replace(unfinished, _name(key), src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished, dir_fd=folder)
        raise


class _Evictions:
    """Evicts entries beyond the bound, without scanning the folder for each new one.

    A process scans the folder when it adds its first entry, then whenever it has added a sixteenth
    of the bound. So each running process may exceed the bound by that much.
    """

    def __init__(self) -> None:
        self._added: int | None = None

    def added(self, folder: int, count: int, limit: int) -> None:
        """Account for a new entry of `count` bytes in a folder bounded to `limit` bytes."""
        if self._added is None or self._added + count > limit * _SHARE:
            self._added = 0
            evict(folder, limit)
        else:
            self._added += count


def evict(folder: int, limit: int) -> None:
    """Delete the least recently used entries until the total is within the limit.

    Unfinished files of killed writers are deleted, too; other files are kept.
    """
    entries = []
    total = 0
    now = time.time()
    with os.scandir(folder) as found:
        for each in found:
            is_entry = _ENTRY.fullmatch(each.name)
            if not is_entry and not _UNFINISHED.fullmatch(each.name):
                continue
            try:
                about = each.stat(follow_symlinks=False)
            except OSError:
                # Another process deleted it first.
                continue
            if is_entry:
                entries.append((about.st_mtime_ns, about.st_size, each.name))
                total += about.st_size
            elif about.st_mtime < now - _SECONDS_UNFINISHED:
                _delete(folder, each.name, about.st_mtime_ns)
    for used, size, name in sorted(entries):
        if total <= limit:
            break
        _delete(folder, name, used)
        total -= size


def _delete(folder: int, name: str, used: int) -> None:
    """Delete a file, unless it was used since it was listed."""
    with suppress(OSError):
        if os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime_ns == used:
            os.unlink(name, dir_fd=folder)


_evictions = _Evictions()
