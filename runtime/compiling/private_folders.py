"""Folders that no other user can write to or replace."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

# Search permission suffices for ancestors.
_SEARCH = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | os.O_CLOEXEC
_MAX_LINKS = 40
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class UnsafeFolderError(OSError):
    """Another user could write to a folder; the message names the folder and the reason."""


def open_private_folder(path: Path, create: bool = False) -> int:
    """Open a folder for use with `dir_fd`; the caller closes it.

    The folder must belong to this user, and no other user may write to it or replace it: every
    ancestor belongs to root or this user, and only they can write to it, or it is sticky like
    `/tmp`. Symbolic links on the path are followed if they belong to root or this user. The checks
    are of the opened folder, so there is no race.

    With `create`, missing folders are created with mode 0700. Raises UnsafeFolderError, or any
    other OSError, such as FileNotFoundError.
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
    """Raise UnsafeFolderError unless this user owns the file, and only this user may write to it.

    Write permission granted by an access control list shows in the group's permission.
    """
    if found.st_uid != os.geteuid():
        raise UnsafeFolderError(f"{name} belongs to the user with id {found.st_uid}")
    if found.st_mode & _OTHERS_WRITE:
        raise UnsafeFolderError(f"others may write to {name} (mode {found.st_mode & 0o7777:04o})")


class _Walk:
    """A path traversal that checks each folder before looking up the next in it."""

    def __init__(self, create: bool) -> None:
        self._create = create
        self._links = 0
        self._place = "/"
        self.at = os.open("/", _SEARCH)

    def close(self) -> None:
        """Close the last folder of the path."""
        os.close(self.at)

    def enter(self, path: Path) -> None:
        """Traverse an absolute path."""
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
        """The target of a symbolic link; None if it is not one."""
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
        if self._links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), place)
        return os.readlink(name, dir_fd=self.at)

    def _open(self, name: str) -> int:
        try:
            return os.open(name, _SEARCH | os.O_NOFOLLOW, dir_fd=self.at)
        except FileNotFoundError:
            if not self._create:
                raise
        # Another process may have created it first.
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=self.at)
        return os.open(name, _SEARCH | os.O_NOFOLLOW, dir_fd=self.at)

    def _move(self, folder: int, place: str) -> None:
        os.close(self.at)
        self.at, self._place = folder, place
        # The last folder is checked again, more strictly.
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
    """Whether a group is the private group of this user, as many systems create for each user."""
    import grp
    import pwd

    try:
        user = pwd.getpwuid(os.geteuid())
        found = grp.getgrgid(group)
    except KeyError:
        return False
    is_own = group == user.pw_gid and found.gr_name == user.pw_name
    return is_own and set(found.gr_mem) <= {user.pw_name}
