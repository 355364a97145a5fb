#!/usr/bin/env bash
# Runs the autograder zips' setup.sh and run_autograder in a fresh system that has nothing else.
#
#   tests/gradescope_bare_root.sh [SUITE [MIRROR]]
#
# Makes a minimal system with debootstrap in a folder of its own. In it, lays each zip of dist/ out
# as Gradescope does, sets it up, and demands that the solved notebook gets all points, and an empty
# upload none. Needs root, debootstrap and a network; takes about five minutes and 3 GB. The suite is
# this system's own unless it is given, and the mirror the one that its apt uses. What pip is
# configured to use here is shown to the new system, too; TORCH_INDEX is handed on (see setup.sh).
#
# With MEMORY_MB and CPUS set, and where control groups of the first kind are mounted, grading is
# held to these (Gradescope's defaults: 768 and 0.5).
set -euo pipefail

fail() {
  echo "error: $*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "chroot and debootstrap need root"
command -v debootstrap >/dev/null || fail "debootstrap is not installed: apt-get install debootstrap"

cd "$(dirname "$0")/.."
ls dist/*.zip >/dev/null 2>&1 || fail "there is no zip in dist: run \`python -m autograder build\`"
suite=${1:-$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)}
# shellcheck disable=SC2016  # the dollars are apt's own
mirror=${2:-$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
  awk -v suite="$suite" '$2 == suite { print $1; exit }')}
[ -n "$mirror" ] || fail "apt knows no mirror of $suite: give one as the last argument"

groups=/sys/fs/cgroup
group=bare-root-$$
certificates=/root/certificates.pem
work=$(mktemp -d)
system=$work/system
mounted=()

clean_up() {
  local place
  for place in ${mounted[@]+"${mounted[@]}"}; do
    umount --lazy "$place" || fail "$place is still mounted: unmount it before you remove $work"
  done
  rm -rf --one-file-system "$work"
  for place in "$groups/memory/$group" "$groups/cpu/$group"; do
    [ ! -d "$place" ] || rmdir "$place"
  done
}
trap clean_up EXIT

attach() { # OPTIONS… SOURCE PLACE
  local place=${*: -1}
  mkdir -p "$place"
  mount "$@"
  mounted=("$place" ${mounted[@]+"${mounted[@]}"})
}

# Puts a folder or a copy of a file of this system's into the new one, at the same place.
show() {
  if [ -d "$1" ]; then
    attach --bind "$1" "$system$1"
    mount -o remount,bind,ro "$system$1"
  else
    mkdir -p "$(dirname "$system$1")"
    cp -L "$1" "$system$1"
  fi
}

# Shows pip's configuration files and all that they name; of an index in a folder `simple`, the
# files beside it as well. Certificates get a place of their own: the new system may install others.
show_pip_configuration() {
  local path
  command -v pip >/dev/null || return 0
  { pip config debug | sed -n 's/^ *\(\/.*\), exists: True$/\1/p' &&
    pip config list | grep -o "[='/ ]/[^' ]*" | sed 's/^.//; s,^//*,/,; s,/simple/*$,,'; } |
    sort -u >"$work/named"
  while read -r path; do
    [ ! -e "$path" ] || show "$path"
  done <"$work/named"
  path=$(pip config list | sed -n "s/^.*\.cert='\(.*\)'$/\1/p" | head -n 1)
  [ ! -f "$path" ] || cp -L "$path" "$system$certificates"
}

inside() {
  local cert=
  [ ! -f "$system$certificates" ] || cert=$certificates
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TMPDIR=/tmp \
    ${cert:+PIP_CERT="$cert"} ${TORCH_INDEX:+TORCH_INDEX="$TORCH_INDEX"} \
    ${PIP_CONSTRAINT:+PIP_CONSTRAINT="$PIP_CONSTRAINT"} \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    chroot "$system" "$@"
}

# Limits the memory and processor time of the calling process and all that it starts.
limit() {
  [ -n "${MEMORY_MB:-}${CPUS:-}" ] || return 0
  [ -d "$groups/memory" ] || fail "no control groups of the first kind"
  mkdir -p "$groups/memory/$group" "$groups/cpu/$group"
  echo "$((${MEMORY_MB:-4096} << 20))" >"$groups/memory/$group/memory.limit_in_bytes"
  awk -v cpus="${CPUS:-2}" 'BEGIN { print int(cpus * 100000) }' \
    >"$groups/cpu/$group/cpu.cfs_quota_us"
  echo 0 >"$groups/memory/$group/memory.max_usage_in_bytes"
  echo "$BASHPID" >"$groups/memory/$group/cgroup.procs"
  echo "$BASHPID" >"$groups/cpu/$group/cgroup.procs"
}

peak() {
  local file=$groups/memory/$group/memory.max_usage_in_bytes
  [ ! -f "$file" ] || echo ", at most $(($(<"$file") >> 20)) MB with what the disk cache holds"
}

# Grades as the host does, from a folder that is not the grader's.
grade() { # WORD FILES…: what the score is to be, `nothing` or `everything`
  local started=$SECONDS wanted=$1
  shift
  rm -rf "$system/autograder/submission" "$system/autograder/results"
  mkdir "$system/autograder/submission"
  [ $# = 0 ] || cp "$@" "$system/autograder/submission/"
  (limit && inside sh -c 'cd /autograder && exec ./run_autograder')
  python3 - "$wanted" "$system/autograder/results/results.json" <<'END' || fail "see above"
import json
import sys

result = json.load(open(sys.argv[2], encoding="utf-8"))
wanted = sum(test["max_score"] for test in result["tests"]) if sys.argv[1] == "everything" else 0
if not result["tests"] or result["score"] != wanted:
    sys.exit(json.dumps(result, indent=1))
END
  echo "bare root: $wanted, as it is to be, in $((SECONDS - started)) s$(peak)"
}

try() { # NAME of a homework
  local started=$SECONDS
  rm -rf "$system/autograder"
  mkdir -p "$system/autograder/source"
  python3 -m zipfile -e "dist/$1.zip" "$system/autograder/source"
  cp "$system/autograder/source/run_autograder" "$system/autograder/run_autograder"
  chmod 755 "$system/autograder/run_autograder"
  echo '{}' >"$system/autograder/submission_metadata.json"
  # Seen from the root, this makes the folder a package that has the name of ours.
  echo 'raise SystemExit("a module that is not ours was imported")' \
    >"$system/autograder/__init__.py"
  inside bash /autograder/source/setup.sh
  echo "bare root: $1 is set up after $((SECONDS - started)) s," \
    "$(du -sm "$system/autograder/venv" | cut -f 1) MB"
  grade everything "solutions/$1.ipynb"
  grade nothing
}

mkdir "$system"
debootstrap --variant=minbase "$suite" "$system" "$mirror" >"$work/log" ||
  fail "debootstrap failed: $(tail -n 1 "$work/log")"
attach -t proc proc "$system/proc"
attach --bind /dev "$system/dev"
cp /etc/resolv.conf "$system/etc/resolv.conf"
if [ -e "$system/etc/lsb-release" ]; then # what Ubuntu's images have
  for suite in "$suite" "$suite-updates"; do
    echo "deb $mirror $suite main universe"
  done >"$system/etc/apt/sources.list"
fi
show_pip_configuration

for archive in dist/*.zip; do
  try "$(basename "$archive" .zip)"
done
