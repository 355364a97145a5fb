"""JUnit XML, which CI servers read: a suite for each submission, a case for each case.

Keeps to the schema `junit-10.xsd` of Jenkins' xUnit plugin. Hidden cases that students may not see
yet are left out, because reports of CI are often open to them.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

from autograder.emitters.forms import Batch, failed, place_of, title_of, visible
from autograder.emitters.gradescope import write_atomically

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def emit(batch: Batch) -> Iterator[str]:
    """Write `junit.xml`."""
    root = ET.Element("testsuites", name=_text(batch.homework.title))
    for name, result in batch.results.items():
        root.append(_suite(name, result))
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, 0)) for suite in root)))
    ET.indent(root)
    path = batch.folder / "junit.xml"
    body = ET.tostring(root, encoding="unicode")
    write_atomically(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n')
    yield f"junit in {path}"


def _suite(name: str, result: dict[str, Any]) -> ET.Element:
    tests, facts = visible(result), result["extra_data"]
    suite = ET.Element("testsuite", name=_text(name), tests=str(len(tests)))
    suite.set("failures", str(len(failed(tests))))
    suite.set("errors", "0")
    suite.set("time", f"{facts['seconds']:.3f}")
    properties = ET.SubElement(suite, "properties")
    for key in ("homework", "version", "seed", "isolation"):
        ET.SubElement(properties, "property", name=key, value=_text(facts[key]))
    suite.extend(map(_case, tests))
    if facts["warnings"]:
        ET.SubElement(suite, "system-out").text = _text("\n".join(facts["warnings"]))
    return suite


def _case(test: dict[str, Any]) -> ET.Element:
    facts = test["extra_data"]
    case = ET.Element("testcase", classname=_text(facts["question"]), name=_text(title_of(test)))
    case.set("time", f"{facts['seconds']:.3f}")
    if test["status"] != "passed":
        message = _text(test["output"])
        failure = ET.SubElement(case, "failure", message=message)
        failure.set("type", _text(facts["misconception"] or "failed"))
        failure.text = "\n".join(filter(None, [_place(test), message]))
    return case


def _place(test: dict[str, Any]) -> str:
    place = place_of(test)
    return _text(f"{test['failure']['file'] or 'the notebook'}, {place}") if place else ""


def _text(value: object) -> str:
    return NOT_XML.sub("", str(value))
