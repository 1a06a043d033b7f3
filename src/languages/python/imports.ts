/**
 * Resolves Python imports: a dotted name is a path below a source root. Roots are folders that contain packages and are
 * none: the root of the project, `src`, and for scripts their own folder. A folder without `__init__.py` counts as a
 * package if it contains files.
 */
import { folderOf } from '../../model/text/path-text.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import { type ImportRules, OUTSIDE, type ResolveImport } from '../runtime/imports/source-tree.ts';

const ENDINGS = ['.py', '.pyi', '.pyx'];
/**
 * Modules of the standard library. Below a source root of the importer such a name means the project's file; anywhere
 * else it means the standard library.
 */
const STANDARD = new Set(
  (
    'abc argparse array ast asyncio atexit base64 bisect builtins calendar cmath code codecs collections ' +
    'concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis email ' +
    'encodings enum errno faulthandler filecmp fnmatch fractions ftplib functools gc getopt getpass gettext glob ' +
    'graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword ' +
    'linecache locale logging lzma mailbox marshal math mimetypes mmap multiprocessing netrc numbers operator os ' +
    'pathlib pdb pickle pkgutil platform plistlib pprint profile pstats queue random re readline reprlib resource ' +
    'runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl ' +
    'stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile tempfile test ' +
    'textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc types typing ' +
    'unicodedata unittest urllib uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile ' +
    'zipimport zlib zoneinfo'
  ).split(' '),
);

export const pythonImports: ImportRules = {
  over: (_tree, paths) => ({ resolve: resolveModules(paths), submodule: (file, name) => submodule(paths, file, name) }),
};

/** A module of the package whose `__init__` the file is. */
function submodule(paths: PathIndex, file: number, name: string): number {
  const path = paths.pathOf(file);
  if (!/__init__\.pyi?$/.test(path)) return -1;
  const folder = folderOf(path);
  return paths.firstOf([`${folder}/${name}.py`, `${folder}/${name}/__init__.py`]);
}

function resolveModules(paths: PathIndex): ResolveImport {
  const isPackage = (folder: string) => ENDINGS.some((ending) => paths.at(under(folder, `__init__${ending}`)) >= 0);

  /** The file of a module, -1 for none. A folder without `__init__.py` has no file. */
  const moduleAt = (path: string): number =>
    path === '' || path.endsWith('/')
      ? -1
      : paths.firstOf([
          ...ENDINGS.map((ending) => path + ending),
          ...ENDINGS.map((ending) => under(path, `__init__${ending}`)),
        ]);
  const exists = (path: string) => moduleAt(path) >= 0 || paths.hasFolder(path);

  function* roots(file: number, path: string): Generator<string> {
    for (const folder of ancestors(paths.pathOf(file))) {
      if (isPackage(folder)) continue;
      yield folder;
      for (const name of ['src', 'lib', 'python']) if (paths.hasFolder(under(folder, name))) yield under(folder, name);
    }
    // Other packages of a monorepo count as installed side by side.
    const [first] = path.split('/');
    if (STANDARD.has(first!)) return;
    const elsewhere = [...ENDINGS.flatMap((ending) => paths.endingWith(`${path}${ending}`))]
      .concat(ENDINGS.flatMap((ending) => paths.endingWith(`${path}/__init__${ending}`)))
      .map((index) => paths.pathOf(index))
      .map((found) =>
        found.slice(
          0,
          found.lastIndexOf(`${path}.`) < 0 ? found.lastIndexOf(`${path}/__init__`) : found.lastIndexOf(`${path}.`),
        ),
      )
      .map((folder) => folder.replace(/\/$/, ''))
      .filter((folder) => !isPackage(folder));
    const distinct = [...new Set(elsewhere)];
    // A single short name is only trusted if it is unique in the tree.
    if (path.includes('/') || distinct.length === 1) yield* distinct;
  }

  function baseOf(file: number, source: string): string | null {
    const relative = /^(\.+)(.*)$/.exec(source);
    if (relative) {
      const up = '../'.repeat(relative[1]!.length - 1);
      return joinPath(folderOf(paths.pathOf(file)), up, relative[2]!.replaceAll('.', '/'));
    }
    const path = source.replaceAll('.', '/');
    for (const root of roots(file, path)) if (exists(under(root, path))) return under(root, path);
    // `import a.b.c`, where a/b.py defines c.
    return null;
  }

  return (file, record) => {
    const base = baseOf(file, record.source);
    if (base === null) return OUTSIDE;
    const own = base === '' ? -1 : moduleAt(base);
    const modules = new Map<string, readonly number[]>();
    let needsOwn = record.names.length === 0;
    for (const { name } of record.names) {
      // At run time a definition of a package hides a module of the same name; paths do not show that.
      const inner =
        name === '*' || (own >= 0 && !/__init__\.\w+$/.test(paths.pathOf(own))) ? -1 : moduleAt(under(base, name));
      if (inner >= 0) modules.set(name, [inner]);
      else needsOwn = true;
    }
    const files = [...new Set([...modules.values()].flat())];
    if ((needsOwn || files.length === 0) && own >= 0 && !files.includes(own)) files.push(own);
    return files.length > 0 || paths.hasFolder(base) ? { files, modules } : OUTSIDE;
  };
}
