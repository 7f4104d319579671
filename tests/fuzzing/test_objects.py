"""Random programs with objects: some compile and agree, and what differs is found."""

import pytest

import compilation
from fuzzing import batch, objects


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("objects")
    library, programs, refused, findings = batch.compiled(batch.read(objects.programs(1, 12)), folder, ("--host-only",))
    assert not findings and len(programs) > len(refused)
    return library, programs


def kinds(library, programs):
    return [result.kind for word, result in batch.tried(library, programs, ("--host-only",), "cpu", ["host"]) if word == "found"]


def test_they_agree(made):
    assert kinds(*made) == []


def test_what_is_printed_otherwise_is_found(made, monkeypatch, tmp_path):
    def other(path):
        there = tmp_path / path.name
        there.write_text(path.read_text().replace("print(", "print('no', "))
        return compilation.load_plain(there)

    monkeypatch.setattr(batch, "load_plain", other)
    assert "it prints" in kinds(*made)


def test_they_are_the_same_every_time():
    assert objects.programs(5, 3) == objects.programs(5, 3)
