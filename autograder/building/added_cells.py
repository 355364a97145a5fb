"""The cells that the build adds to a notebook: one writes files, one shows the progress.

On Colab there is the notebook and nothing else, so that it brings along what lies beside it in the
starter. Both are skipped while grading, and leave no name behind that an answer could use.
"""

from __future__ import annotations

import base64
import bz2
import io
import json
import re
import tarfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nbformat.v4 import new_code_cell, new_markdown_cell

SETUP = """\
# Setup: run this cell first. It writes the checks beside the notebook, where they are missing.
#
# That is so on Colab, which has the notebook alone; in the homework's folder nothing happens. The
# long text below is a compressed archive of that folder: the public cases in `tests/`, the modules
# that run them, and what else the notebook reads. Nothing in it is secret.


def write_missing(archive: str) -> None:
    import base64, importlib.util, io, sys, tarfile
    from pathlib import Path

    written = 0
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive))) as files:
        for file in files:
            place = Path(file.name)
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(files.extractfile(file).read())
                written += 1
    if written:
        print(f"wrote {written} files beside the notebook")
    if "google.colab" in sys.modules and importlib.util.find_spec("otter") is None:
        get_ipython().run_line_magic("pip", "install --quiet --requirement requirements.txt")


write_missing("%s")
del write_missing
"""
HEADING = """
---
## How far you are

The cell below tries the public cases of all questions and shows which of them pass. Run it whenever
you want to know; it takes a few seconds.
"""
PROGRESS = '''\
import showing

showing.progress(
    globals(),
    """
%s
    """.split(),%s
)
'''
ARCHIVE = re.compile(r"QlpoO[A-Za-z0-9+/]{100,}={0,2}")
"""Base64 of what bzip2 writes."""
WIDTH = 90


def setup_cell(files: Mapping[str, bytes]) -> Any:
    """Return the cell that writes files beside the notebook where they are missing."""
    metadata = {"tags": ["otter_ignore"], "jupyter": {"source_hidden": True}}
    return new_code_cell(SETUP.strip() % packed(files), id="setup", metadata=metadata)


def progress_cells(questions: Sequence[str], slow: Sequence[str]) -> list[Any]:
    """Return the cell that shows which questions pass their public cases, after its heading.

    Args:
        questions: all of them, in order.
        slow: those among them that train for too long to be tried with the others.
    """
    left_out = f"\n    slow={json.dumps(list(slow))}," if slow else ""
    names = textwrap.fill(
        " ".join(questions), WIDTH, initial_indent="    ", subsequent_indent="    "
    )
    metadata = {"tags": ["otter_ignore"]}
    code = new_code_cell((PROGRESS % (names, left_out)).strip(), id="progress", metadata=metadata)
    return [new_markdown_cell(HEADING.strip(), id="about-progress"), code]


def packed(files: Mapping[str, bytes]) -> str:
    """Pack files into a text, the same one each time.

    bzip2, as there is one library of it, which writes the same bytes in each of its releases.
    """
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return base64.b64encode(bz2.compress(data.getvalue())).decode()


def unpacked(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file in the archives that a text holds."""
    for archive in ARCHIVE.findall(text):
        with tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive))) as files:
            for entry in files:
                content = files.extractfile(entry)
                yield entry.name, b"" if content is None else content.read()
