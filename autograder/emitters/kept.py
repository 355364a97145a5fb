"""Results of earlier runs in the same folder: a batch that goes on has them in its forms, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.emitters.forms import Batch
from autograder.emitters.people import people_of
from autograder.grading.intake.facts import Found
from autograder.report.reading import ReportError, read_class


def with_kept(batch: Batch) -> tuple[Batch, list[str]]:
    """Add the results that lie in the folder and were not asked for; return lines to print, too.

    All are in the order of their names then, as they are in a batch of one folder. Of a student of
    Canvas, what is graded now takes the place of what was.
    """
    try:
        there = read_class(batch.folder, batch.homework.name)
    except ReportError:
        return batch, []
    others = [result for result in there.results if result.folder.name not in batch.results]
    known = set(batch.homework.question_names)
    kept = {r.folder.name: _read(r.folder) for r in others if r.points.keys() <= known}
    unread = [f"{r.name}: has other questions: grade it anew" for r in others if r.name not in kept]
    found = {n: _place(n, r, batch) for n, r in {**kept, **batch.results}.items()}
    now = {who for name in batch.results for who in _canvas(found[name])}
    replaced = [name for name in kept if now & _canvas(found[name])]
    lines = [
        f"{name}: left out, as another file of this student is graded now" for name in replaced
    ]
    kept = {name: result for name, result in kept.items() if name not in replaced}
    results = dict(sorted({**batch.results, **kept}.items())) if kept else batch.results
    lines = [*there.unread, *unread, *lines, *_told(kept, batch)]
    return replace(batch, results=results, found=found), lines


def _canvas(found: Found) -> set[str]:
    return {person.canvas for person in found.people if person.canvas}


def _read(folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return result


def _place(name: str, result: Mapping[str, Any], batch: Batch) -> Found:
    """Tell where a submission was and whose it is; where it lies now is not known of kept ones."""
    found = batch.found.get(name, Found(name, batch.folder / name))
    return found if found.people else replace(found, people=people_of(result))


def _told(kept: Mapping[str, dict[str, Any]], batch: Batch) -> Iterator[str]:
    if not kept:
        return
    version = batch.homework.version
    old = sum(result["extra_data"]["version"] != version for result in kept.values())
    results = "result" if len(kept) == 1 else "results"
    also = f"the gradebook also has {len(kept)} other {results} from {batch.folder}"
    yield f"{also}; {old} of an earlier version: grade all submissions anew" if old else also
