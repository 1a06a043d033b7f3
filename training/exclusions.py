"""Tests whether a package, a path or a text belongs to one of the repositories that must stay out of the corpora."""
import json
import os
import re

_HERE = os.path.dirname(os.path.abspath(__file__))
_RULES = json.load(open(os.path.join(_HERE, "exclusions.json"), encoding="utf8"))["repositories"]

# Registry prefixes and suffixes around the upstream name: python3-X, librust-X-dev, golang-github-A-B-dev, X.js …
_PREFIX = re.compile(
    r"^(python3-|python-|ruby-|php-|node-|lua-|elixir-|erlang-|haskell-|libghc-|librust-|rust-|golang-|libjs-|r-cran-|lib(?=.*-(java|cil|perl)))"
)
_SUFFIX = re.compile(r"(-dev|-java|-cil|-src|-source|-perl|\.js|-js)$")

_NAME = re.compile("^(?:" + "|".join(p for r in _RULES.values() for p in r["names"]) + ")$", re.I)
_PATH = re.compile("|".join(p for r in _RULES.values() for p in r["paths"]))
_CONTENT = re.compile("|".join(p for r in _RULES.values() for p in r["contents"]), re.M)
_URL = re.compile(
    r"(?:github\.com|gitlab\.com|bitbucket\.org)[/:](?:" + "|".join(re.escape(name) for name in _RULES) + r")(?:\.git)?/?$", re.I
)
_OWNERS = {name.lower(): name for name in _RULES}


def repositories():
    """Every excluded repository as owner/name."""
    return list(_RULES)


def base_names(package):
    """Possible names of the upstream project, without prefixes and suffixes of the registry."""
    name = package.lower()
    yield name
    if "/" in name and not name.startswith("@"):
        yield name.rsplit("/", 1)[1]
    if ":" in name:
        artefact = name.split(":")[1]
        yield artefact
        yield re.sub(r"(-jvm)?(_2\.1[23]|_3)?$", "", artefact)
    seen = name
    for _ in range(3):
        shorter = _SUFFIX.sub("", _PREFIX.sub("", seen))
        if shorter == seen:
            return
        seen = shorter
        yield seen


def excluded_package(package, urls=()):
    """The reason why a package is excluded, or None."""
    for name in base_names(package):
        if _NAME.match(name):
            return f"name {name}"
    for url in urls:
        if url and _URL.search(url.split("#")[0].strip()):
            return f"address {url}"
    return None


def excluded_path(path):
    found = _PATH.search(path)
    return found.group(0) if found else None


def excluded_content(text):
    found = _CONTENT.search(text)
    return found.group(0) if found else None
