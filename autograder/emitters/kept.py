"""Results of earlier runs in the same folder: a batch that goes on has them in its forms, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.emitters.forms import Batch
from autograder.emitters.people import not_counted, replaced, with_owners
from autograder.grading.intake.facts import Found
from autograder.report.reading import ReportError, read_class


def counted(batch: Batch, with_kept: bool) -> tuple[Batch, list[str]]:
    """Settle which results count; return lines to print, too.

    Args:
        batch: what was graded now.
        with_kept: add the results that lie in the folder and were not asked for.
    """
    batch, lines = _with_kept(batch) if with_kept else (batch, [])
    later = replaced(batch.found[name] for name in batch.results)
    lines += [not_counted(*names) for names in later.items()]
    results = {name: result for name, result in batch.results.items() if name not in later}
    return replace(batch, results=results), list(dict.fromkeys(lines))


def _with_kept(batch: Batch) -> tuple[Batch, list[str]]:
    """Add what is kept; all are in the order of their names then, as they are of one folder."""
    try:
        there = read_class(batch.folder, batch.homework.name)
    except ReportError:
        return batch, []
    others = [result for result in there.results if result.folder.name not in batch.results]
    known = set(batch.homework.question_names)
    kept = {r.folder.name: _read(r.folder) for r in others if r.points.keys() <= known}
    unread = [f"{r.name}: has other questions: grade it anew" for r in others if r.name not in kept]
    found = {n: _place(n, r, batch) for n, r in {**kept, **batch.results}.items()}
    results = dict(sorted({**batch.results, **kept}.items())) if kept else batch.results
    lines = [*there.unread, *there.replaced, *unread, *_told(kept, batch)]
    return replace(batch, results=results, found=found), lines


def _read(folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return result


def _place(name: str, result: Mapping[str, Any], batch: Batch) -> Found:
    """Tell where a submission was and whose it is; where it lies now is not known of kept ones."""
    found = batch.found.get(name, Found(name, batch.folder / name))
    return with_owners(found, result)


def _told(kept: Mapping[str, dict[str, Any]], batch: Batch) -> Iterator[str]:
    if not kept:
        return
    version = batch.homework.version
    old = sum(result["extra_data"]["version"] != version for result in kept.values())
    results = "result" if len(kept) == 1 else "results"
    also = f"the gradebook also has {len(kept)} other {results} from {batch.folder}"
    yield f"{also}; {old} of an earlier version: grade all submissions anew" if old else also
