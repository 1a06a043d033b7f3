#!/usr/bin/env python3
"""Packages -> pairs of a query and the passage that answers it, one JSON object per line in WORK/pairs.jsonl.

Kinds: doc (comment -> the code it documents), name (a definition's name, its parents and file -> its body), file (path words -> what the file
defines), module (a file's opening comment -> what the file defines), section (heading path -> section).
usage: pairs.py WORK [FIRST-LAST]   packages come in a fixed random order; a range of it is a fair sample
"""
import glob
import hashlib
import json
import os
import random
import re
import sys
from collections import Counter
from multiprocessing import Pool

from archives import source_files
from exclusions import excluded_content, excluded_path

MAX_PER_PACKAGE = 900
MAX_PER_FILE = 30
MAX_QUERY = 420
MAX_PASSAGE = 1700

SLASHES = {"go", "rust", "java", "kotlin", "scala", "c", "cpp", "csharp", "swift", "objc", "javascript", "typescript", "php", "zig", "groovy", "dart"}
HASHES = {"python", "ruby", "elixir", "shell"}
DASHES = {"lua", "haskell"}

# A line that begins a definition, by language; group 1 is its name.
_MODIFIERS = r"(?:(?:public|private|protected|internal|static|final|abstract|override|async|export|default|declare|open|sealed|virtual|inline|unsafe|extern|const|partial|readonly|synchronized|native|suspend|fileprivate|mutating|pub(?:\([a-z]+\))?|data|case|implicit|lazy|infix|operator|tailrec|class func)\s+)*"
DEFINITION = {
    "go": r"^(?:func\s+(?:\([^)]*\)\s*)?(\w+)|type\s+(\w+))",
    "rust": rf"^\s*{_MODIFIERS}(?:fn|struct|enum|trait|mod|macro_rules!|type|union)\s+(\w+)|^\s*impl\b[^{{]*?\b(\w+)\s*(?:<[^{{]*>)?\s*\{{",
    "python": r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)",
    "ruby": r"^\s*(?:def\s+(?:self\.)?(\w+[?!=]?)|(?:class|module)\s+([\w:]+))",
    "php": rf"^\s*{_MODIFIERS}(?:function|class|interface|trait)\s+&?(\w+)",
    "kotlin": rf"^\s*(?:@\w+\s+)*{_MODIFIERS}(?:fun\s+(?:<[^>]*>\s*)?(?:[\w<>?.,\s]+\.)?(\w+)\s*\(|(?:enum\s+class|class|interface|object)\s+(\w+))",
    "scala": rf"^\s*(?:@\w+\s+)*{_MODIFIERS}(?:def|class|trait|object|enum)\s+(\w+)",
    "swift": rf"^\s*(?:@\w+\s+)*{_MODIFIERS}(?:func|class|struct|enum|protocol|extension|actor)\s+(\w+)",
    "csharp": rf"^\s*{_MODIFIERS}(?:(?:class|struct|interface|enum|record)\s+(\w+)|[\w<>\[\],.?]+\s+(\w+)\s*(?:<[^>]*>)?\([^;]*$)",
    "java": rf"^\s*{_MODIFIERS}(?:(?:class|interface|enum|record|@interface)\s+(\w+)|(?:<[^>]*>\s*)?[\w<>\[\],.?]+\s+(\w+)\s*\([^;]*$)",
    "c": r"^(?:[A-Za-z_][\w\s*]*?[\s*])(\w+)\s*\([^;]*$|^(?:typedef\s+)?(?:struct|enum|union)\s+(\w+)\s*\{?",
    "cpp": r"^\s*(?:template\s*<[^>]*>\s*)?(?:[\w:<>,*&~\s]+?[\s*&])((?:\w+::)*~?\w+)\s*\([^;]*$|^\s*(?:class|struct|enum|namespace)\s+(\w+)",
    "javascript": rf"^\s*{_MODIFIERS}(?:function\*?\s+(\w+)|class\s+(\w+)|(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function|\([^)]*\)\s*=>|\w+\s*=>))|^\s*(?:async\s+)?(?!if|for|while|switch|catch|return)(\w+)\s*\([^)]*\)\s*\{{\s*$|^(?:module\.)?(?:exports|\w+\.prototype|\w+)\.(\w+)\s*=\s*(?:async\s*)?function",
    "typescript": rf"^\s*{_MODIFIERS}(?:function\*?\s+(\w+)|(?:class|interface|type|enum|namespace)\s+(\w+)|(?:const|let|var)\s+(\w+)[^=]*=\s*(?:async\s*)?(?:function|<|\(|\w+\s*=>))|^\s+{_MODIFIERS}(?!if|for|while|switch|catch|return)(\w+)\s*(?:<[^>]*>)?\([^;]*\{{\s*$",
    "lua": r"^\s*(?:local\s+)?function\s+([\w.:]+)|^\s*(?:local\s+)?([\w.]+)\s*=\s*function",
    "haskell": r"^(?:data|newtype|type|class|instance)\s+(?:[^=]*=>\s*)?(\w+)|^([a-z]\w*'?)\s*::",
    "elixir": r"^\s*(?:def|defp|defmacro|defmodule|defprotocol|defimpl|defstruct)\s+([\w.]+[?!]?)",
    "erlang": r"^([a-z]\w*)\(.*->",
    "shell": r"^\s*(?:function\s+)?([\w:-]+)\s*\(\)\s*\{?|^\s*function\s+([\w:-]+)",
    "zig": r"^\s*(?:pub\s+)?(?:export\s+|inline\s+)?(?:fn|const)\s+(\w+)",
}
DEFINITION["objc"] = r"^[-+]\s*\([^)]*\)\s*(\w+)|^@(?:interface|implementation|protocol)\s+(\w+)"
DEFINITION["groovy"] = DEFINITION["java"]
DEFINITION["dart"] = DEFINITION["java"]
DEFINITION = {language: re.compile(rule) for language, rule in DEFINITION.items()}

NOISE = re.compile(
    r"copyright|licen[cs]ed? (under|to)|spdx|all rights reserved|@generated|do not edit|eslint|prettier-ignore|pylint|noqa|nolint|^\s*(todo|fixme|xxx|hack)\b|@ts-|istanbul|clang-format|\bvim?:|coding[:=]|shellcheck|^\+build|go:build|#region|rubocop",
    re.I,
)
TAG = re.compile(r"^\s*(@|:param|:return|:type|:rtype|:raises|\\param|\\return|\\brief\s*$|- Parameters?\b|- Returns?\b|# (Arguments|Errors|Panics|Examples?|Safety)\b|Args:|Arguments:|Returns:|Raises:|Parameters\s*$|Example[s:]|Returns\s*$|Usage:|```|>>>|<param|<returns|<exception|<remarks|<example|<typeparam|#\s*==)")


def clean_doc(lines):
    """Comment lines without their marks -> the prose before any tags."""
    kept = []
    for line in lines:
        line = re.sub(r"<(/?\w+[^>]*)>", lambda m: " " + " ".join(re.findall(r'(?:cref|name)="[^"]*?(\w+)"', m.group(1))) + " ", line)
        line = re.sub(r"\{@\w+\s+([^}]*)\}", r"\1", line)
        line = re.sub(r"^\s*[@\\]brief\s+", "", line)
        if TAG.match(line):
            break
        if not line.strip() and kept and len(" ".join(kept)) > 60:
            break
        if NOISE.search(line):
            return ""
        kept.append(line.strip())
    text = re.sub(r"https?://\S+", " ", " ".join(kept))
    text = re.sub(r"[*=_~-]{3,}", " ", text)
    return re.sub(r"\s+", " ", text).strip()[:MAX_QUERY]


def good_query(text):
    words = re.findall(r"\w{2,}", text)
    if re.search(r"[\u3040-\u9fff\uac00-\ud7af]", text):
        return len(text) >= 6
    return len(words) >= 3 and len(text) >= 14 and sum(c in "{}();=<>[]|\\" for c in text) < len(text) * 0.08


def comment_above(lines, at, language):
    """The comment that ends right above line `at`: (cleaned lines, its first line number)."""
    i = at - 1
    while i >= 0 and re.match(r"\s*(@[\w.]+(\(.*\))?|#\[.*\]|\[[A-Z]\w*.*\]|template\s*<.*>|@spec .*|@impl .*)\s*$", lines[i]):
        i -= 1  # decorators and attributes stand between
    end = i
    if i < 0:
        return [], at
    line = lines[i].strip()
    if language in SLASHES and line.endswith("*/"):
        while i >= 0 and "/*" not in lines[i]:
            i -= 1
            if end - i > 60:
                return [], at
        block = [re.sub(r"^\s*(/\*+!?|\*+/|\*)?", "", re.sub(r"\*+/\s*$", "", x)) for x in lines[max(i, 0):end + 1]]
        return block, i
    mark = "//" if language in SLASHES else "--" if language in DASHES else "%" if language == "erlang" else "#"
    if language == "haskell" and line.endswith("-}"):
        while i >= 0 and "{-" not in lines[i]:
            i -= 1
        return [x.replace("{-", "").replace("-}", "").lstrip(" |") for x in lines[max(i, 0):end + 1]], i
    if language == "elixir" and line == '"""':
        i -= 1
        while i >= 0 and '"""' not in lines[i]:
            i -= 1
        return [x.strip() for x in lines[i + 1:end]], i
    while i >= 0 and lines[i].strip().startswith(mark) and end - i < 60:
        i -= 1
    block = [re.sub(r"^\s*(//[/!]?|#+|--+|%+)\s?[|^]?", "", x) for x in lines[i + 1:end + 1]]
    if block and block[0].lstrip().startswith("!"):
        return [], at
    return block, i + 1


def body_end(lines, at, language):
    """Last line of the definition that begins at line `at`, by indentation, at most 60 lines on."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    end = at
    for j in range(at + 1, min(len(lines), at + 60)):
        line = lines[j]
        if not line.strip():
            if language in ("haskell",) and j + 1 < len(lines) and lines[j + 1][:1] not in (" ", "\t"):
                return end
            continue
        depth = len(line) - len(line.lstrip())
        if depth <= indent:
            stripped = line.strip()
            if language == "haskell" and re.match(r"[a-z_]\w*'?\s", stripped) and stripped.split()[0] == lines[at].split()[0]:
                end = j
                continue
            if re.match(r"[)\]}]|end\b|fi\b|done\b|\{|\)\s*[-:{]|where\b|then\b|else\b|rescue\b|ensure\b", stripped):
                end = j
                if re.match(r"[}\]]|end\b", stripped):
                    return end
                continue
            return end
        end = j
    return end


DOCSTRING = re.compile(r'^\s*[rubRUB]{0,2}("""|\'\'\')(.*?)\1', re.S)


def python_doc(code_lines, header_end):
    """A docstring right after the header: its lines, and the code without it."""
    body = "\n".join(code_lines[header_end + 1:])
    found = DOCSTRING.match(body)
    if not found:
        return None, code_lines
    rest = body[found.end():]
    return found.group(2).split("\n"), code_lines[:header_end + 1] + rest.split("\n")


def path_words(path):
    parts = [p for p in path.split("/") if p and not re.fullmatch(r"usr|share|src|lib|gocode|github\.com|main|java|kotlin|scala|package|dist-packages|python3|rubygems-integration|all|gems|cargo|registry|include|ruby|vendor_ruby|nodejs|php|lua|5\.\d|.*-[0-9][0-9.]+.*", p)]
    parts = parts[-4:]
    if parts:
        parts[-1] = parts[-1].rsplit(".", 1)[0]
    return " ".join(parts)


def file_pairs(path, language, text, rng):
    """All pairs of one file as (kind, query, passage)."""
    if language in ("markdown", "rst"):
        yield from section_pairs(path, language, text)
        return
    rule = DEFINITION.get(language)
    if rule is None:
        return
    lines = text.split("\n")
    where = path_words(path)
    names, parents, docs_seen = [], [], []
    found = []
    for at, line in enumerate(lines):
        if len(line) > 300:
            continue
        match = rule.match(line)
        if not match:
            continue
        name = next((g for g in match.groups() if g), None)
        if not name or name in ("if", "for", "while", "switch", "return", "else", "catch", "constructor", "new"):
            continue
        indent = len(line) - len(line.lstrip())
        while parents and parents[-1][0] >= indent:
            parents.pop()
        found.append((at, name, [p[1] for p in parents]))
        names.append(name)
        parents.append((indent, name))
    for at, name, above in found:
        end = body_end(lines, at, language)
        code = lines[at:end + 1]
        doc, _ = comment_above(lines, at, language)
        if language == "python":
            header_end = 0
            while header_end < min(12, len(code) - 1) and not code[header_end].rstrip().endswith(":"):
                header_end += 1
            inner, code = python_doc(code, header_end)
            doc = inner or doc
        passage = "\n".join(code)[:MAX_PASSAGE]
        if len(passage) < 30:
            continue
        query = clean_doc(doc)
        if query and good_query(query):
            docs_seen.append(query)
            # The index contains enclosing names too, so half of the passages do.
            context = " ".join(above[-2:]) if rng.random() < 0.5 else ""
            yield "doc", query, f"{context}\n{passage}" if context else passage
        if end - at >= 3 and len(name) > 3:
            words = " ".join(above[-1:] + [name]) + (" " + where if rng.random() < 0.5 else "")
            inside = re.sub(rf"\b{re.escape(name.split('.')[-1].split('::')[-1])}\b", " ", passage)
            yield "name", words, inside
    if len(names) >= 3:
        head = opening_comment(lines, language)
        prose = " ".join(d for d in docs_seen if d != head)
        overview = " ".join(dict.fromkeys(names))[: MAX_PASSAGE // 2] + "\n" + prose[: MAX_PASSAGE // 2]
        if head and good_query(head):
            yield "module", head, overview
        if len(where.split()) > 1:
            yield "file", where, overview


def opening_comment(lines, language):
    """The file's own description, past licence and shebang."""
    if language == "python":
        found = DOCSTRING.match("\n".join(x for x in lines[:80] if not x.startswith("#")).lstrip())
        return clean_doc(found.group(2).split("\n")) if found else ""
    text = "\n".join(lines[:80])
    for block in re.findall(r"/\*.*?\*/|\{-.*?-\}|(?:^[ \t]*(?://|#|--|%).*\n)+", text, re.S | re.M):
        if re.search(r"copyright|licen[cs]e|spdx", block, re.I):
            continue
        query = clean_doc([re.sub(r"^\s*(/\*+!?|\*+/|\*|//[/!]?|#!?\S*|--+|%+|\{-)?\s?\|?", "", re.sub(r"\*+/\s*$|-\}\s*$", "", x)) for x in block.split("\n")])
        if query:
            return query
    return ""


def section_pairs(path, language, text):
    if language == "rst":
        text = re.sub(r"^(\S.*)\n([=\-~^\"'#*+])\2{2,}\s*$", r"## \1", text, flags=re.M)
    trail = []
    for piece in re.split(r"^(?=#{1,5}\s)", text, flags=re.M):
        head, _, rest = piece.partition("\n")
        match = re.match(r"(#{1,5})\s+(.+)", head)
        if not match:
            continue
        level = len(match.group(1))
        title = re.sub(r"[`*#\[\]]|\(http[^)]*\)", " ", match.group(2)).strip()
        trail = trail[: level - 1] + [title]
        rest = rest.strip()
        if len(rest) < 120 or re.search(r"licen[cs]e|changelog|contribut|badge|table of contents|sponsor|unreleased|\d+\.\d+\.\d+", title, re.I):
            continue
        query = " ".join(trail[-2:])
        if len(query) >= 8:
            yield "section", query[:MAX_QUERY], rest[:MAX_PASSAGE]
        # A sentence of prose above a code block is a query for that code.
        for prose, code in re.findall(r"(?:^|\n\n)([A-Z][^\n`]{25,200}[.:])\n+```\w*\n(.{60,1200}?)\n```", rest, re.S)[:3]:
            yield "section", prose, code


def package_pairs(job):
    work, package = job
    rng = random.Random(package["package"])
    kept, left_out, licences, languages = [], Counter(), set(), Counter()
    for path, language, text in source_files(os.path.join(work, "archives", package["archive"])):
        if language == "licence":
            licences.update(re.findall(r"^License: *(\S[^\n]{0,60})", text, re.M))
            continue
        why = excluded_path(path) or excluded_content(text)
        if why:
            left_out[why] += 1
            continue
        found = list(file_pairs(path, language, text, rng))
        if len(found) > MAX_PER_FILE:
            found = rng.sample(found, MAX_PER_FILE)
        for kind, query, passage in found:
            kept.append({"l": language, "t": kind, "q": query, "c": passage, "f": path})
        languages[language] += 1
        if len(kept) > 3 * MAX_PER_PACKAGE:
            break  # a giant is sampled from its first files: reading all of it would take most of the time
    if len(kept) > MAX_PER_PACKAGE:
        # Documented code is the best training data: keep twice as much of it as of the other kinds.
        docs = [p for p in kept if p["t"] == "doc"]
        rest = [p for p in kept if p["t"] != "doc"]
        wanted = min(len(docs), max(MAX_PER_PACKAGE * 2 // 3, MAX_PER_PACKAGE - len(rest)))
        kept = rng.sample(docs, wanted) + rng.sample(rest, min(len(rest), MAX_PER_PACKAGE - wanted))
    return package, kept, dict(left_out), sorted(licences)


def main():
    work = sys.argv[1]
    packages = []
    for name in sorted(glob.glob(os.path.join(work, "*packages.jsonl"))):
        packages += [json.loads(line) for line in open(name, encoding="utf8")]
    packages.sort(key=lambda p: hashlib.sha1(p["package"].encode()).digest())
    first, last = (int(x) for x in (sys.argv[2].split("-") if len(sys.argv) > 2 else (0, len(packages))))
    packages = packages[first:last]
    part = f"-{first}" if len(sys.argv) > 2 else ""
    seen, counts, by_package = set(), Counter(), []
    skipped = Counter()
    with open(os.path.join(work, f"pairs{part}.jsonl"), "w", encoding="utf8") as out, Pool(int(os.environ.get("JOBS", "2"))) as pool:
        for number, (package, kept, left_out, licences) in enumerate(pool.imap(package_pairs, [(work, p) for p in packages], chunksize=4), first):
            written = 0
            for pair in kept:
                keys = (hash(re.sub(r"\W+", "", pair["c"])[:300]), hash(re.sub(r"\W+", "", pair["q"]).lower() + pair["t"][:1] if pair["t"] == "doc" else pair["q"] + pair["c"][:80]))
                if any(k in seen for k in keys) or not pair["q"].strip():
                    continue
                seen.update(keys)
                pair["p"] = number
                out.write(json.dumps(pair, ensure_ascii=False) + "\n")
                counts[pair["l"], pair["t"]] += 1
                written += 1
            for why, n in left_out.items():
                skipped[why] += n
            by_package.append({**package, "pairs": written, "licence": package.get("licence") or "; ".join(licences)[:200], "excludedFiles": sum(left_out.values())})
    with open(os.path.join(work, f"corpora{part}.jsonl"), "w", encoding="utf8") as out:
        for row in by_package:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    languages, kinds = Counter(), Counter()
    for (language, kind), n in counts.items():
        languages[language] += n
        kinds[kind] += n
    json.dump({"pairs": sum(counts.values()), "packages": len(by_package), "languages": dict(languages.most_common()), "kinds": dict(kinds.most_common()), "filesExcluded": dict(skipped.most_common())},
              open(os.path.join(work, f"pairs{part}.json"), "w"), indent=1)
    print(open(os.path.join(work, f"pairs{part}.json")).read())


if __name__ == "__main__":
    main()
