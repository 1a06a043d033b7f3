#!/usr/bin/env python3
"""Writes a table of the packages that a model learned from: package, version, licence, pairs, SHA-256 of the archive.

usage: provenance.py WORK OUT.tsv
"""
import glob
import hashlib
import json
import os
import sys
from collections import Counter
from multiprocessing import Pool

from archives import copyright_licences


def licence_of(job):
    work, package = job
    if package.get("licence") or not package["archive"].endswith(".deb"):
        return package.get("licence") or "see the package"
    return "; ".join(copyright_licences(os.path.join(work, "archives", package["archive"])))[:160] or "see the package"


def main():
    work, out = sys.argv[1:3]
    packages = []
    for name in sorted(glob.glob(os.path.join(work, "*packages.jsonl"))):
        packages += [json.loads(line) for line in open(name, encoding="utf8")]
    packages.sort(key=lambda p: hashlib.sha1(p["package"].encode()).digest())
    refused = os.path.join(work, "refused.json")
    refused = set(json.load(open(refused))) if os.path.exists(refused) else set()
    counts = Counter()
    for line in open(os.path.join(work, "pairs.jsonl"), encoding="utf8"):
        counts[json.loads(line)["p"]] += 1
    used = [(packages[number], n) for number, n in counts.items() if number not in refused]
    with Pool(2) as pool:
        licences = pool.map(licence_of, [(work, package) for package, _ in used], chunksize=32)
    rows = sorted((p["package"], p["version"], licence, str(n), p["sha256"][:16]) for (p, n), licence in zip(used, licences))
    with open(out, "w", encoding="utf8") as file:
        file.write("package\tversion\tlicence\tpairs\tsha256\n")
        for row in rows:
            file.write("\t".join(column.replace("\t", " ").replace("\n", " ") for column in row) + "\n")
    print(len(rows), "packages")


if __name__ == "__main__":
    main()
