#!/usr/bin/env python3
"""Proves that no benchmark repository is in the corpora. Exits 1 and lists what it found otherwise.

Packages that share contents with the benchmark (derived files, codes of conduct) are no failure: they are written to WORK/refused.json, and tokenise.ts leaves
all of their pairs out.

1. Names and addresses: no package of WORK/*packages.jsonl is an excluded one, and training/exclusions.json covers the official list.
2. Paths and texts: no pair comes from a path, or holds a text, that the rules name (licence holders, package declarations, addresses).
3. Contents, where trees are given: a package of which any passage shares three long lines in a row with a file of the benchmark's own trees is refused.
usage: check-exclusions.py WORK [--list exclude-from-training.txt] [--trees FOLDER] [--pairs FILE]
"""
import argparse
import glob
import hashlib
import json
import os
import re
import sys

from archives import LANGUAGES
from exclusions import excluded_content, excluded_package, excluded_path, repositories

# Only long lines identify an author: shorter ones recur in unrelated code.
DISTINCTIVE = 40
RUN = 3


def distinctive_runs(text):
    """Hashes of three consecutive distinctive lines, white space and comment marks aside."""
    lines = [re.sub(r"\s+", "", line) for line in text.split("\n")]
    lines = [line for line in lines if len(line) >= DISTINCTIVE and re.search(r"[a-z]{4}", line)]
    for i in range(len(lines) - RUN + 1):
        yield hashlib.blake2b("\n".join(lines[i:i + RUN]).encode(), digest_size=8).digest()


def fingerprints(trees):
    known = {}
    for folder, _, files in os.walk(trees):
        for file in files:
            if file.rsplit(".", 1)[-1].lower() not in LANGUAGES and "." in file:
                continue
            try:
                text = open(os.path.join(folder, file), encoding="utf8").read()
            except (UnicodeDecodeError, OSError):
                continue
            name = os.path.relpath(os.path.join(folder, file), trees)
            for mark in distinctive_runs(text):
                known.setdefault(mark, name)
    return known


def main():
    p = argparse.ArgumentParser()
    p.add_argument("work")
    p.add_argument("--list", default="")
    p.add_argument("--trees", default="")
    p.add_argument("--pairs", default="")
    options = p.parse_args()
    problems = []
    if options.list:
        official = {line.strip() for line in open(options.list) if line.strip() and line[0] != "#"}
        problems += [f"no rule for {name}" for name in sorted(official - set(repositories()))]
    packages = 0
    for file in glob.glob(os.path.join(options.work, "*packages.jsonl")):
        for line in open(file, encoding="utf8"):
            package = json.loads(line)
            packages += 1
            name = package["package"].split(":", 1)[-1] if package["package"].startswith(("npm:", "src:", "maven:")) else package["package"]
            why = excluded_package(name, (package["upstream"], package["url"]))
            if why:
                problems.append(f"package {package['package']}: {why}")
    known = fingerprints(options.trees) if options.trees else {}
    pairs, copies = 0, {}
    for line in open(options.pairs or os.path.join(options.work, "pairs.jsonl"), encoding="utf8"):
        pair = json.loads(line)
        pairs += 1
        why = excluded_path(pair["f"]) or excluded_content(pair["c"]) or excluded_content(pair["q"])
        if why:
            problems.append(f"pair from {pair['f']} of package {pair['p']}: {why}")
        if pair["t"] not in ("file", "module"):
            for mark in distinctive_runs(pair["c"]):
                if mark in known:
                    copies.setdefault((pair["p"], pair["f"]), known[mark])
    for (package, file), source in sorted(copies.items()):
        print(f"refused: {file} of package {package} shares lines with {source}")
    refused = sorted({package for package, _ in copies})
    json.dump(refused, open(os.path.join(options.work, "refused.json"), "w"))
    for problem in problems[:200]:
        print(problem)
    print(f"{packages} packages, {pairs} pairs, {len(known)} fingerprints of the benchmark: {len(refused)} packages refused, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
