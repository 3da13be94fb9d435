"""Folders that nobody but this user can put files into, or swap for others."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

# Search permission is all that an ancestor must grant.
_SEARCH = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | os.O_CLOEXEC
_MOST_LINKS = 40
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class UnsafeFolderError(OSError):
    """Someone else could put files into a folder; the message names the folder and the reason."""


def open_private_folder(path: Path, create: bool = False) -> int:
    """Open a folder for use with `dir_fd`; the caller closes it.

    The folder must belong to this user, and nobody else may write to it. No other user may be able
    to replace it either: every folder on the way belongs to root or this user, and only they write
    to it, or it is sticky as `/tmp` is. Symbolic links on the way are followed if root or this user
    made them. What is checked is the folder that is opened, so nothing can change in between.

    With `create`, missing folders are made, with mode 0700. Raises UnsafeFolderError, or any other
    OSError, such as FileNotFoundError.
    """
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):
        raise UnsafeFolderError(f"{path}: this system cannot tell who may write to a folder")
    walk = _Walk(create)
    try:
        walk.enter(path if path.is_absolute() else Path(os.getcwd(), path))
        found = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=walk.at)
    finally:
        walk.close()
    try:
        check_private(os.fstat(found), str(path))
    except UnsafeFolderError:
        os.close(found)
        raise
    return found


def check_private(found: os.stat_result, name: str) -> None:
    """Raise UnsafeFolderError unless something is this user's, and only this user may write to it.

    Write permission that an access control list gives shows in the permission of the group.
    """
    if found.st_uid != os.geteuid():
        raise UnsafeFolderError(f"{name} belongs to the user with id {found.st_uid}")
    if found.st_mode & _OTHERS_WRITE:
        raise UnsafeFolderError(f"others may write to {name} (mode {found.st_mode & 0o7777:04o})")


class _Walk:
    """A way through folders, each of which is checked before the next is looked up in it."""

    def __init__(self, create: bool) -> None:
        self._create = create
        self._links = 0
        self._place = "/"
        self.at = os.open("/", _SEARCH)

    def close(self) -> None:
        """Close the folder where the way ends."""
        os.close(self.at)

    def enter(self, path: Path) -> None:
        """Go to an absolute path."""
        self._check()
        left = [*reversed(path.parts)]
        while left:
            name = left.pop()
            if name == "/":
                self._move(os.open("/", _SEARCH), "/")
                continue
            target = self._link(name)
            if target is None:
                self._move(self._open(name), os.path.join(self._place, name))
            else:
                left += reversed(Path(target).parts)

    def _link(self, name: str) -> str | None:
        """What a symbolic link says; None if it is none."""
        try:
            found = os.stat(name, dir_fd=self.at, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if not stat.S_ISLNK(found.st_mode):
            return None
        place = os.path.join(self._place, name)
        if found.st_uid not in (0, os.geteuid()):
            raise UnsafeFolderError(f"the link {place} belongs to the user with id {found.st_uid}")
        self._links += 1
        if self._links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), place)
        return os.readlink(name, dir_fd=self.at)

    def _open(self, name: str) -> int:
        try:
            return os.open(name, _SEARCH | os.O_NOFOLLOW, dir_fd=self.at)
        except FileNotFoundError:
            if not self._create:
                raise
        # Another process may be faster.
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=self.at)
        return os.open(name, _SEARCH | os.O_NOFOLLOW, dir_fd=self.at)

    def _move(self, folder: int, place: str) -> None:
        os.close(self.at)
        self.at, self._place = folder, place
        # The last one is looked at again, more strictly.
        self._check()

    def _check(self) -> None:
        found = os.fstat(self.at)
        if found.st_uid not in (0, os.geteuid()):
            raise UnsafeFolderError(f"{self._place} belongs to the user with id {found.st_uid}")
        if not found.st_mode & _OTHERS_WRITE or found.st_mode & stat.S_ISVTX:
            return
        if found.st_mode & stat.S_IWOTH or not _is_alone(found.st_gid):
            mode = found.st_mode & 0o7777
            raise UnsafeFolderError(f"others may write to {self._place} (mode {mode:04o})")


def _is_alone(group: int) -> bool:
    """Whether a group is the private one of this user, as many systems make for every user."""
    import grp
    import pwd

    try:
        user = pwd.getpwuid(os.geteuid())
        found = grp.getgrgid(group)
    except KeyError:
        return False
    is_own = group == user.pw_gid and found.gr_name == user.pw_name
    return is_own and set(found.gr_mem) <= {user.pw_name}
