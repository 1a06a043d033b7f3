"""Text files inside a package's archive, whatever its format, without unpacking to disk."""
import io
import lzma
import re
import subprocess
import tarfile
import zipfile

LANGUAGES = {
    "go": "go", "rs": "rust", "py": "python", "rb": "ruby", "php": "php", "java": "java", "kt": "kotlin", "kts": "kotlin",
    "scala": "scala", "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "cs": "csharp",
    "swift": "swift", "m": "objc", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "tsx": "typescript", "mts": "typescript", "lua": "lua", "hs": "haskell", "ex": "elixir", "exs": "elixir",
    "erl": "erlang", "sh": "shell", "bash": "shell", "zsh": "shell", "zig": "zig", "groovy": "groovy", "dart": "dart",
    "md": "markdown", "rst": "rst", "mdx": "markdown", "bats": "shell",
}
MAX_BYTES = 300_000
SKIPPED = re.compile(
    r"(^|/)(node_modules|vendor|third[_-]?party|3rdparty|external|deps|bundled|_vendor|vendored|extern|\.git|__pycache__|locale|i18n)/"
    r"|\.min\.|\.d\.m?ts$|\.pb\.|_pb2|\.generated\.|(^|/)(dist|umd|esm|cjs|lib-cov)/.*\.m?js$|bundle\.js$|(^|/)licen[cs]e|changelog",
    re.I,
)
SHEBANG = re.compile(r"#! ?/(usr/)?bin/(env )?(ba|da|z)?sh\b")


def _language(path):
    name = path.rsplit("/", 1)[-1]
    if "." in name:
        return LANGUAGES.get(name.rsplit(".", 1)[1].lower())
    return "shell?" if re.fullmatch(r"[a-z][a-z0-9_-]+", name) else None


def _text(data):
    if b"\0" in data[:4000]:
        return None
    try:
        text = data.decode("utf8")
    except UnicodeDecodeError:
        return None
    lines = text.count("\n") + 1
    if len(text) / lines > 200:  # minified or generated
        return None
    return text.replace("\r\n", "\n")


def _members(path):
    if path.endswith(".deb"):
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE) as process:
            with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
                for member in tar:
                    if member.isfile() and member.name.endswith("lib/src.zip"):
                        yield from _zip(io.BytesIO(tar.extractfile(member).read()))
                    elif member.isfile() and member.size < MAX_BYTES:
                        yield member.name.lstrip("./"), lambda m=member: tar.extractfile(m).read()
    elif path.endswith((".jar", ".zip", ".whl")):
        yield from _zip(path)
    else:
        with tarfile.open(path, mode="r:*") as tar:
            for member in tar:
                if member.isfile() and member.size < MAX_BYTES:
                    yield member.name.lstrip("./"), lambda m=member: tar.extractfile(m).read()


def _zip(source):
    with zipfile.ZipFile(source) as archive:
        for info in archive.infolist():
            if info.file_size < MAX_BYTES and not info.is_dir():
                yield info.filename, lambda i=info: archive.read(i)


def copyright_licences(path):
    """Licence names of a Debian package's copyright file."""
    found = []
    try:
        for name, read in _members(path):
            if name.endswith("/copyright"):
                found += re.findall(r"^License: *(\S[^\n]*)", read().decode("utf8", "replace"), re.M)
    except (tarfile.TarError, EOFError, lzma.LZMAError, OSError):
        pass
    return sorted(set(found))


def source_files(path):
    """(path inside the archive, language, text) of every readable source and documentation file; licence files as language 'licence'."""
    try:
        for name, read in _members(path):
            if name.endswith("/copyright"):
                yield name, "licence", read().decode("utf8", "replace")
                continue
            if SKIPPED.search(name):
                continue
            language = _language(name)
            if language is None:
                continue
            data = read()
            if language == "shell?":
                if not SHEBANG.match(data[:40].decode("latin1")):
                    continue
                language = "shell"
            text = _text(data)
            if text and len(text) > 80:
                yield name, language, text
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, OSError, RuntimeError, NotImplementedError):
        return
