"""Runs the steps of a workflow as GitHub does: what stands in `run`, in bash, in order."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import yaml

EXPRESSION = re.compile(r"\$\{\{ *(.+?) *\}\}")


@dataclass
class Ran:
    """What the steps of a job did: the code of the last one that ran, and what all printed."""

    code: int = 0
    printed: str = ""
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def annotations(self):
        """The errors that GitHub would show, as (properties, message)."""
        found = re.findall(r"^\s*::error ?(.*?)::(.*)$", self.printed, re.MULTILINE)
        return [(dict(p.split("=", 1) for p in told.split(",") if p), text) for told, text in found]


def read(path):
    """Parse a workflow or an action."""
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def run(steps, workspace, tmp_path, *, values=None, env=None, skip=()):
    """Run the `run` steps in a workspace until one fails.

    Args:
        steps: of a job or a composite action.
        workspace: the folder that a checkout would fill.
        tmp_path: for GitHub's own files.
        values: what each expression of the steps stands for, and nothing else may stand in them.
        env: of the job.
        skip: names of steps that are left out.
    """
    files = {name: tmp_path / name for name in ("SUMMARY", "OUTPUT", "PATH")}
    for path in files.values():
        path.write_text("")
    ran = Ran()
    for step in steps:
        if "run" not in step or step["name"] in skip:
            continue
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=workspace,
            env=_environment(workspace, files)
            | _filled({**(env or {}), **step.get("env", {})}, values),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        ran.code = done.returncode
        ran.printed += done.stdout + done.stderr
        if ran.code:
            break
    ran.summary = files["SUMMARY"].read_text(encoding="utf-8")
    ran.outputs = dict(line.split("=", 1) for line in files["OUTPUT"].read_text().splitlines())
    return ran


def _environment(workspace, files):
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    added = files["PATH"].read_text().split()[::-1]  # by earlier steps
    return {
        **kept,
        "PATH": ":".join([*added, str(Path(sys.executable).parent), os.environ["PATH"]]),
        "OMP_NUM_THREADS": "1",
        "PIP_NO_INDEX": "1",  # all is installed already, or the step fails
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_STEP_SUMMARY": str(files["SUMMARY"]),
        "GITHUB_OUTPUT": str(files["OUTPUT"]),
        "GITHUB_PATH": str(files["PATH"]),
    }


def _filled(env, values):
    """Put values in place of expressions; one that is not known is a mistake of the test."""
    return {
        name: EXPRESSION.sub(lambda match: str((values or {})[match[1]]), str(text))
        for name, text in env.items()
    }
