"""Lists every call of a Python repository with the definition that jedi gives it: python_calls.py DIR.

One line a call, as bench/graph/judged-sites.ts reads them. Calls that jedi cannot follow are left out.
"""
import ast
import functools
import os
import sys
from pathlib import Path

import jedi

LEFT_OUT = {".git", "node_modules", "build", "dist", ".tox", ".venv", "venv", "__pycache__"}


def sources(root):
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if name not in LEFT_OUT)
        for name in sorted(names):
            if name.endswith(".py"):
                yield Path(folder, name)


def callee_places(tree, lines):
    """Name, line, 0-based column in characters, and first line of each call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            callee, start = node.func, node.lineno
        else:
            continue
        if isinstance(callee, ast.Name):
            yield callee.id, callee.lineno, column(lines, callee.lineno, callee.col_offset), start
        elif isinstance(callee, ast.Attribute):
            end = column(lines, callee.end_lineno, callee.end_col_offset)
            yield callee.attr, callee.end_lineno, end - len(callee.attr), start


def column(lines, line, offset):
    return len(lines[line - 1].encode()[:offset].decode(errors="replace"))


def constructor_of(definition):
    """Where a class says how it is made, if it says so itself."""
    try:
        for name in definition.defined_names():
            if name.name == "__init__" and name.type == "function":
                return name
    except Exception:
        pass
    return None


def place(definition, root):
    path = definition.module_path
    if path is None or definition.line is None:
        return None
    try:
        relative = Path(path).resolve().relative_to(root)
    except ValueError:
        return None
    return f"{relative.as_posix()}:{definition.line}"


@functools.lru_cache(maxsize=None)
def overloads(path):
    """Lines of one function that is declared several times with @overload, by each of its lines."""
    groups = {}

    def visit(node, owner):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                marked = any("overload" in ast.dump(decorator) for decorator in child.decorator_list)
                groups.setdefault((owner, child.name), []).append((child.lineno, marked))
                visit(child, owner + (child.name,))
            elif isinstance(child, ast.ClassDef):
                visit(child, owner + (child.name,))
            else:
                visit(child, owner)

    visit(ast.parse(Path(path).read_text(encoding="utf-8", errors="replace")), ())
    found = {}
    for places in groups.values():
        if any(marked for _, marked in places):
            for line, _ in places:
                found[line] = [other for other, _ in places]
    return found


def judge(root, project, path):
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    lines = text.splitlines()
    script = jedi.Script(text, path=path, project=project)
    at = path.relative_to(root).as_posix()
    for name, line, col, start in callee_places(tree, lines):
        try:
            definitions = script.goto(line, col, follow_imports=True, follow_builtin_imports=True)
        except Exception:
            continue
        if not definitions:
            continue
        targets, kind = set(), "value"
        for definition in definitions:
            if definition.type in ("function", "class"):
                kind = "function"
            where = place(definition, root)
            if where:
                targets.add(where)
                file = where.rpartition(":")[0]
                for other in overloads(str(root / file)).get(definition.line, ()):
                    targets.add(f"{file}:{other}")
                made_by = constructor_of(definition) if definition.type == "class" else None
                if made_by is not None and place(made_by, root):
                    targets.add(place(made_by, root))
        # A value outside of the tree is a metaclass or a stub that jedi lost its way in.
        if kind == "value" and not targets:
            continue
        print(at, line, col + 1, name, start, kind, "|".join(sorted(targets)) or "-", sep="\t")


def main():
    root = Path(sys.argv[1]).resolve()
    jedi.settings.dynamic_params = False
    project = jedi.Project(root, added_sys_path=[str(root / "src")] if (root / "src").is_dir() else [])
    for path in sources(root):
        judge(root, project, path)


main()
