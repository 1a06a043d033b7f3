"""Lists every call of a C or C++ repository with the declarations that libclang gives it: clang_calls.py DIR [FLAG ...].

One line a call, as bench/graph/judged-sites.ts reads them. A prototype and its definition are both right. Units that do not parse here (other
platforms, missing libraries) give what they can.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from clang.cindex import CursorKind, Index, TranslationUnit, TranslationUnitLoadError, conf

FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CONVERSION_FUNCTION,
}
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
VALUES = {CursorKind.VAR_DECL, CursorKind.PARM_DECL, CursorKind.FIELD_DECL}
NAMES = {CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.OVERLOADED_DECL_REF}
UNITS = (".c", ".cc", ".cpp", ".cxx")


class Judge:
    def __init__(self, root):
        self.root = root
        self.texts = {}
        self.inside_of = {}
        self.declared = {}
        self.sites = {}

    def relative(self, location):
        if location.file is None:
            return None
        name = location.file.name
        if name not in self.inside_of:
            path = Path(name).resolve()
            self.inside_of[name] = path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None
        return self.inside_of[name]

    def stands_at(self, path, location, name):
        """Calls that a macro writes have no place of their own."""
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_bytes().split(b"\n")
        lines = self.texts[path]
        if location.line > len(lines):
            return False
        return lines[location.line - 1][location.column - 1 :].startswith(name.encode())

    def declare(self, cursor):
        path = self.relative(cursor.location)
        if path:
            self.declared.setdefault(cursor.get_usr(), set()).add(f"{path}:{cursor.location.line}")

    def site(self, location, name, start, kind, keys):
        path = self.relative(location)
        if path and name and self.stands_at(path, location, name):
            self.sites[(path, location.line, location.column, name)] = (start, kind, keys)

    def visit(self, cursor):
        for child in cursor.get_children():
            if cursor.kind == CursorKind.TRANSLATION_UNIT and self.relative(child.location) is None:
                continue
            kind = child.kind
            if kind in FUNCTIONS:
                self.declare(child)
            elif kind in CLASSES and child.is_definition():
                self.declare(child)
            elif kind == CursorKind.MACRO_DEFINITION:
                self.declare(child)
            elif kind == CursorKind.MACRO_INSTANTIATION:
                self.macro(child)
            elif kind == CursorKind.CALL_EXPR:
                self.call(child)
            self.visit(child)

    def macro(self, cursor):
        definition = cursor.referenced
        path = self.relative(cursor.location)
        if definition is None or path is None:
            return
        end = cursor.extent.end
        if cursor.extent.start.line == end.line and end.column - cursor.extent.start.column == len(cursor.spelling):
            return
        self.site(cursor.location, cursor.spelling, cursor.location.line, "function", [definition.get_usr()])

    def call(self, cursor):
        meant = cursor.referenced
        if meant is None or not meant.spelling:
            return
        name_at = self.name_of(cursor)
        if meant.kind == CursorKind.CONSTRUCTOR:
            owner = meant.semantic_parent
            self.site(cursor.location, owner.spelling, cursor.extent.start.line, "function", [meant.get_usr(), owner.get_usr()])
        elif name_at is not None and meant.kind in FUNCTIONS:
            keys = [meant.get_usr()]
            keys += [origin.get_usr() for origin in origins(meant)]
            self.site(name_at.location, meant.spelling, cursor.extent.start.line, "function", keys)
        elif name_at is not None and meant.kind in VALUES:
            self.declare(meant)
            self.site(name_at.location, meant.spelling, cursor.extent.start.line, "value", [meant.get_usr()])

    def name_of(self, cursor):
        for child in cursor.get_children():
            while child is not None and child.kind not in NAMES:
                if child.kind in (CursorKind.CALL_EXPR, CursorKind.LAMBDA_EXPR):
                    return None
                child = next(child.get_children(), None)
            return child
        return None

    def print(self):
        for (path, line, column, name), (start, kind, keys) in sorted(self.sites.items()):
            targets = sorted(set().union(*(self.declared.get(key, ()) for key in keys)))
            print(path, line, column, name, start, kind, "|".join(targets) or "-", sep="\t")


def origins(cursor):
    """The template that a specialisation was made of."""
    made_of = conf.lib.clang_getSpecializedCursorTemplate(cursor)
    return [made_of] if made_of is not None and made_of.kind != CursorKind.NO_DECL_FOUND else []


def builtin_headers():
    """libclang comes without the compiler's own headers."""
    for name in ["clang"] + [f"clang-{version}" for version in range(22, 12, -1)]:
        if shutil.which(name):
            return subprocess.check_output([name, "-print-resource-dir"], text=True).strip() + "/include"
    return subprocess.check_output(["gcc", "-print-file-name=include"], text=True).strip()


def main():
    root = Path(sys.argv[1]).resolve()
    flags = [flag.replace("=.", f"={root}") if flag.startswith("-I=.") else flag for flag in sys.argv[2:]]
    flags = [f"-I{flag[3:]}" if flag.startswith("-I=") else flag for flag in flags] + ["-isystem", builtin_headers()]
    index = Index.create()
    judge = Judge(root)
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            if not name.endswith(UNITS):
                continue
            try:
                unit = index.parse(
                    os.path.join(folder, name), args=flags, options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
                )
            except TranslationUnitLoadError:
                continue
            judge.visit(unit.cursor)
    judge.print()


main()
