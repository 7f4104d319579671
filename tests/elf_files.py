"""What a shared library asks of a system, as its own tables tell it: ELF for x86-64."""

import pathlib
import struct

SYMBOLS, NEEDED_VERSIONS, DYNAMIC = 11, 0x6FFFFFFE, 6
NEEDED, WEAK = 1, 2


class Library:
    """A shared library's dynamic section."""

    def __init__(self, path):
        self.bytes = pathlib.Path(path).read_bytes()
        (offset,) = struct.unpack_from("<Q", self.bytes, 0x28)
        (count,) = struct.unpack_from("<H", self.bytes, 0x3C)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, offset + 64 * n) for n in range(count)]

    def _section(self, kind):
        return next((section for section in self.sections if section[1] == kind), None)

    def _text(self, section, offset):
        start = self.sections[section[6]][4] + offset
        return self.bytes[start : self.bytes.index(b"\0", start)].decode()

    def needed(self):
        """The libraries that it names (`DT_NEEDED`)."""
        section = self._section(DYNAMIC)
        entries = struct.iter_unpack("<QQ", self.bytes[section[4] : section[4] + section[5]])
        return [self._text(section, value) for tag, value in entries if tag == NEEDED]

    def undefined(self):
        """The symbols that others have to define, but for weak ones."""
        section = self._section(SYMBOLS)
        entries = struct.iter_unpack("<IBBHQQ", self.bytes[section[4] : section[4] + section[5]])
        return {self._text(section, name) for name, info, _, where, _, _ in entries if name and not where and info >> 4 != WEAK}

    def versions(self):
        """The versions of symbols that it asks for: `{"libc.so.6": {"GLIBC_2.14"}}`."""
        found = {}
        section = self._section(NEEDED_VERSIONS)
        file = section[4] if section else None
        while file:
            _, count, name, first, following = struct.unpack_from("<HHIII", self.bytes, file)
            version = file + first
            for _ in range(count):
                text, step = struct.unpack_from("<8xII", self.bytes, version)
                found.setdefault(self._text(section, name), set()).add(self._text(section, text))
                version += step
            file = file + following if following else None
        return found


def glibc(versions):
    """The newest version of glibc among names such as `GLIBC_2.14`."""
    numbers = [tuple(map(int, name.removeprefix("GLIBC_").split("."))) for name in versions if name.startswith("GLIBC_2")]
    return max(numbers, default=(0,))
