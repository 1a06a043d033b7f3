#!/usr/bin/env python3
"""Downloads the packages that corpora.json selects into WORK/archives and writes WORK/packages.jsonl, one line for each.

Excluded packages are never downloaded; packages.jsonl's neighbour left-out.jsonl says which and why.
usage: fetch.py WORK [--limit N] [corpus…]   --limit: at most N packages of each choice, to try the pipeline
"""
import argparse
import hashlib
import json
import lzma
import os
import re
import tarfile
import urllib.parse
import urllib.request
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

from exclusions import excluded_package
from registries import debian_mirror, maven_repository, npm_registry

HERE = os.path.dirname(os.path.abspath(__file__))
CORPORA = json.load(open(os.path.join(HERE, "corpora.json"), encoding="utf8"))


def get(url, tries=3):
    for attempt in range(tries):
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code in (401, 403, 404, 410) or attempt == tries - 1:
                raise
        except OSError:
            if attempt == tries - 1:
                raise


def stanzas(text):
    """Debian control stanzas; continuation lines are joined with a newline."""
    for block in text.split("\n\n"):
        fields, key = {}, None
        for line in block.split("\n"):
            if line[:1] in (" ", "\t"):
                if key:
                    fields[key] += "\n" + line.strip()
            elif ": " in line or line.endswith(":"):
                key, _, value = line.partition(":")
                fields[key] = value.strip()
        if fields:
            yield fields


def spread(items, limit):
    """A fixed pseudo-random choice: the same on every run, independent of the order of the list."""
    return sorted(items, key=lambda item: hashlib.sha1(item["package"].encode()).digest())[:limit]


def spread_names(names, limit):
    return [item["package"] for item in spread([{"package": name} for name in names], limit)]


def debian(left_out):
    settings = CORPORA["debian"]
    mirror = debian_mirror()
    base = f"{mirror}/dists/{settings['suite']}/main"
    binary = list(stanzas(lzma.decompress(get(f"{base}/binary-amd64/Packages.xz")).decode()))
    source = list(stanzas(lzma.decompress(get(f"{base}/source/Sources.xz")).decode()))
    homepages = {s["Package"]: (s.get("Homepage"), s.get("Vcs-Browser")) for s in source}
    taken = set()
    for rule in settings["binary"]:
        found = []
        for p in binary:
            name = p["Package"]
            if name in taken or not re.match(rule["pattern"], name) or int(p["Size"]) > rule["maxKb"] * 1024:
                continue
            upstream = p.get("Source", name).split(" ")[0]
            why = excluded_package(name, (p.get("Homepage"),)) or excluded_package(upstream, homepages.get(upstream, ()))
            if why:
                left_out.append({"package": name, "why": why})
                continue
            found.append({"corpus": rule["corpus"], "package": name, "version": p["Version"], "upstream": upstream,
                          "url": f"{mirror}/{p['Filename']}"})
        chosen = spread(found, rule["limit"])
        taken.update(c["package"] for c in chosen)
        yield from chosen
    for rule in settings["source"]:
        found = []
        for s in source:
            name = s["Package"]
            if "src:" + name in taken or not re.match(rule["pattern"], name):
                continue
            archives = [line.split() for line in s.get("Files", "").split("\n") if re.search(r"\.orig\.tar\.(xz|gz|bz2)$", line)
                        or (re.search(r"\.tar\.(xz|gz|bz2)$", line) and ".debian." not in line)]
            archives = [a for a in archives if len(a) == 3]
            if not archives or int(archives[0][1]) > rule["maxKb"] * 1024:
                continue
            why = excluded_package(name, (s.get("Homepage"), s.get("Vcs-Browser")))
            if why:
                left_out.append({"package": "src:" + name, "why": why})
                continue
            found.append({"corpus": rule["corpus"], "package": "src:" + name, "version": s["Version"], "upstream": name,
                          "url": f"{mirror}/{s['Directory']}/{archives[0][2]}"})
        chosen = spread(found, rule["limit"])
        taken.update(c["package"] for c in chosen)
        yield from chosen


def npm_names():
    settings = CORPORA["npm"]
    extra = [line.strip() for line in open(os.path.join(HERE, settings["extraFile"]), encoding="utf8")]
    meta = json.loads(get(f"{npm_registry()}/{settings['listPackage']}/latest"))
    names = []
    with tarfile.open(fileobj=BytesIO(get(meta["dist"]["tarball"]))) as tar:
        for member in tar.getmembers():
            if member.name.endswith("top.js") or member.name.endswith("top-download.js"):
                names += re.findall(r"""['"]((?:@[a-z0-9._-]+/)?[a-z0-9._-]+)['"]""", tar.extractfile(member).read().decode())
                break
    names = [n for n in dict.fromkeys(names) if not n.startswith("@types/")][: settings["limit"]]
    return list(dict.fromkeys([n for n in extra if n and n[0] != "#"] + names))


def npm_package(name, left_out):
    try:
        meta = json.loads(get(f"{npm_registry()}/{urllib.parse.quote(name, safe='@')}/latest"))
    except Exception:
        return None
    repository = meta.get("repository") or {}
    address = repository.get("url", "") if isinstance(repository, dict) else str(repository)
    why = excluded_package(name, (address.removesuffix(".git"), meta.get("homepage")))
    if why:
        left_out.append({"package": "npm:" + name, "why": why})
        return None
    licence = meta.get("license")
    return {"corpus": "npm", "package": "npm:" + name, "version": meta["version"], "upstream": address or name,
            "url": meta["dist"]["tarball"], "licence": licence if isinstance(licence, str) else str(licence or "")}


def maven_package(name, left_out):
    group, artefact = name.split(":")
    why = excluded_package(name)
    if why:
        left_out.append({"package": "maven:" + name, "why": why})
        return None
    folder = f"{maven_repository()}/{group.replace('.', '/')}/{artefact}"
    try:
        meta = xml.fromstring(get(f"{folder}/maven-metadata.xml"))
        version = meta.findtext("versioning/release") or meta.findtext("versioning/latest")
        pom = get(f"{folder}/{version}/{artefact}-{version}.pom").decode("utf8", "replace")
    except Exception:
        return None
    licence = re.search(r"<license>.*?<name>(.*?)</name>", pom, re.S)
    address = re.search(r"<url>([^<]*git[^<]*)</url>", pom)
    why = excluded_package(name, (address.group(1),) if address else ())
    if why:
        left_out.append({"package": "maven:" + name, "why": why})
        return None
    return {"corpus": "maven", "package": "maven:" + name, "version": version, "upstream": address.group(1) if address else group,
            "url": f"{folder}/{version}/{artefact}-{version}-sources.jar", "licence": licence.group(1).strip() if licence else ""}


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("work")
    p.add_argument("only", nargs="*", metavar="corpus")
    p.add_argument("--limit", type=int, default=0)
    options = p.parse_args()
    if options.limit > 0:
        for rule in [*CORPORA["debian"]["binary"], *CORPORA["debian"]["source"], CORPORA["npm"]]:
            rule["limit"] = min(rule["limit"], options.limit)
    return options.work, set(options.only), options.limit


def main():
    work, only, limit = arguments()
    some = lambda names: spread_names(names, limit) if limit > 0 else names
    os.makedirs(os.path.join(work, "archives"), exist_ok=True)
    left_out, packages = [], []
    if not only or "debian" in only:
        packages += list(debian(left_out))
    with ThreadPoolExecutor(16) as pool:
        if not only or "npm" in only:
            packages += filter(None, pool.map(lambda n: npm_package(n, left_out), some(npm_names())))
        if not only or "maven" in only:
            names = [line.strip() for line in open(os.path.join(HERE, CORPORA["maven"]["listFile"]), encoding="utf8")]
            packages += filter(None, pool.map(lambda n: maven_package(n, left_out), some([n for n in names if n and n[0] != "#"])))

    limits = {"npm": CORPORA["npm"]["maxKb"], "maven": CORPORA["maven"]["maxKb"]}

    def download(package):
        name = hashlib.sha1(package["url"].encode()).hexdigest()[:12] + "-" + os.path.basename(package["url"])
        path = os.path.join(work, "archives", name)
        if not os.path.exists(path):
            try:
                data = get(package["url"])
            except Exception as error:
                left_out.append({"package": package["package"], "why": f"not available: {error}"})
                return None
            if len(data) > limits.get(package["corpus"], 1 << 20) * 1024:
                left_out.append({"package": package["package"], "why": "too large"})
                return None
            with open(path + ".part", "wb") as out:
                out.write(data)
            os.replace(path + ".part", path)
        return {**package, "archive": name, "sha256": hashlib.sha256(open(path, "rb").read()).hexdigest()}

    with ThreadPoolExecutor(12) as pool:
        done = [p for p in pool.map(download, packages) if p]
    suffix = "-".join(sorted(only)) + "." if only else ""
    for name, rows in ((f"{suffix}packages.jsonl", done), (f"{suffix}left-out.jsonl", left_out)):
        with open(os.path.join(work, name), "w", encoding="utf8") as out:
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{len(done)} packages, {len(left_out)} left out")


if __name__ == "__main__":
    main()
