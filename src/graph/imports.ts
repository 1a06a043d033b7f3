/**
 * Which files does an import mean? Import sources become path endings, and the files of the tree that end so are the candidates: relative
 * sources are exact, others are taken when one file (or one folder, where a language imports folders) fits, nearest to the importer first.
 * What fits nothing is outside the repository.
 */
import { dirname, join, normalize } from 'node:path/posix';
import type { ImportRecord } from '../model/symbol.ts';
import type { TreeView } from '../store/store.ts';

export interface ResolvedImport {
  readonly source: string;
  /** File indexes in the tree; empty: external. */
  readonly files: readonly number[];
}

/** Languages that import a folder (package) rather than a file. */
const FOLDER_IMPORTS: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'scala', 'csharp', 'swift']);
const INDEX_NAMES = ['index', 'mod', 'lib', '__init__', 'main', 'init', 'package'];
const JVM: ReadonlySet<string> = new Set(['java', 'kotlin', 'scala']);
/** Roots of the standard libraries: never ours, however our files are called. */
const RUST_STD = /^(?:std|core|alloc|proc_macro)(?:::|$)/;
const GO_STD =
  /^(?:archive|bufio|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|weak)(?:\/|$)/;
const JS_LIKE: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte']);

export class ImportResolver {
  readonly #view: TreeView;
  /** Files by their path without ending, and by each of its last segments. */
  readonly #byStem = new Map<string, number[]>();
  readonly #byLast = new Map<string, number[]>();
  readonly #byFolderLast = new Map<string, number[]>();
  readonly #families = new Map<string, string>();
  readonly #goModules: { readonly name: string; readonly folder: string }[] = [];

  /** `textOf` gives the content of a file, for the manifests that name modules; without it names are guessed from paths. */
  constructor(view: TreeView, textOf: ((file: number) => string) | null = null) {
    this.#view = view;
    view.files.forEach(({ path }, index) => {
      const stem = withoutEnding(path);
      push(this.#byStem, stem, index);
      push(this.#byStem, path, index);
      push(this.#byLast, lastOf(stem), index);
      push(this.#byFolderLast, lastOf(dirname(path)), index);
      const name = textOf && lastOf(path) === 'go.mod' ? /^module\s+"?([^\s"]+)/m.exec(textOf(index))?.[1] : undefined;
      if (name) this.#goModules.push({ name, folder: dirname(path) });
    });
    // A module inside another one is meant before it.
    this.#goModules.sort((a, b) => b.name.length - a.name.length);
  }

  resolve(file: number, record: ImportRecord): ResolvedImport {
    const { path, language } = this.#view.files[file]!;
    const source = record.source.trim();
    const found = this.#relative(path, source, record, language) ?? this.#ending(file, source, record, language);
    return { source, files: found.filter((index) => index !== file) };
  }

  /** './a', '../b', and what Python and Rust write for them; null where the source is not relative. */
  #relative(path: string, source: string, record: ImportRecord, language: string): number[] | null {
    const folder = dirname(path);
    if (source.startsWith('./') || source.startsWith('../') || source === '.' || source === '..') {
      const dots = language === 'python' && /^\.+$/.test(source);
      if (!dots) return this.#at(normalize(join(folder, source)), language);
    }
    const dots = language === 'python' ? /^(\.+)(.*)$/.exec(source) : null;
    if (dots) {
      const base = normalize(join(folder, '../'.repeat(dots[1]!.length - 1), dots[2]!.replaceAll('.', '/')));
      return this.#modules(base, record, language);
    }
    if (language === 'rust') return this.#rustPath(path, source, record);
    if (language === 'c' || language === 'cpp') {
      const beside = this.#byStem.get(normalize(join(folder, source)));
      return beside && this.#view.files[beside[0]!]!.path === normalize(join(folder, source))
        ? beside.slice(0, 1)
        : null;
    }
    return null;
  }

  /** Names imported from a module that are modules themselves, and the module where some are not. */
  #modules(base: string, record: ImportRecord, language: string): number[] {
    const inner = record.names.map(({ name }) => this.#at(join(base, name), language));
    const own = inner.length === 0 || inner.some((files) => files.length === 0) ? this.#at(base, language) : [];
    return [...new Set([...inner.flat(), ...own])];
  }

  /** `crate::`, `self::` and `super::` name a folder of modules; the rest of the path leads to a file, then into it. */
  #rustPath(path: string, source: string, record: ImportRecord): number[] | null {
    const segments = source.split('::').filter(Boolean);
    const stem = withoutEnding(path);
    const own = /^(?:mod|lib|main)$/.test(lastOf(stem)) ? dirname(path) : stem;
    let base: string;
    if (segments[0] === 'crate') {
      const root = /^(?:.*\/)?src(?=\/)/.exec(path)?.[0];
      if (root === undefined) return null;
      base = root;
      segments.shift();
    } else if (segments[0] === 'self' || segments[0] === 'super') {
      base = own;
      for (; segments[0] === 'self' || segments[0] === 'super'; segments.shift())
        if (segments[0] === 'super') base = dirname(base);
    } else return RUST_STD.test(source) ? [] : null;
    // In a module written out inside the file, `super` is the file itself.
    const bases = base === own ? [base] : [base, own];
    for (let length = segments.length; length >= 1; length--) {
      for (const from of bases) {
        const module = join(from, ...segments.slice(0, length));
        const files = length === segments.length ? this.#modules(module, record, 'rust') : this.#at(module, 'rust');
        if (files.length > 0) return files;
      }
    }
    return this.#modules(base, record, 'rust');
  }

  /** The file at a path, with any ending of a source file, or the index file of a folder. */
  #at(path: string, language: string): number[] {
    const named = this.#byStem.get(path) ?? this.#byStem.get(path.replace(/\.(?:js|jsx|mjs|cjs)$/, ''));
    if (named) return [this.#likeliest(named, path, language)];
    for (const name of INDEX_NAMES) {
      const index = this.#byStem.get(join(path, name));
      if (index) return [this.#likeliest(index, path, language)];
    }
    return [];
  }

  /** The file of exactly that path, else one of the importer's languages, else the shortest ending: button.tsx before button.css, a.ts before a.d.ts. */
  #likeliest(files: readonly number[], path: string, language: string): number {
    const rank = (index: number) => {
      const file = this.#view.files[index]!;
      if (file.path === path) return 0;
      return (this.#family(file.language) === this.#family(language) ? 1_000 : 100_000) + file.path.length;
    };
    return [...files].sort((a, b) => rank(a) - rank(b) || a - b)[0]!;
  }

  #ending(file: number, source: string, record: ImportRecord, language: string): number[] {
    if (JS_LIKE.has(language) && !/^[@~#]?\//.test(source) && !/^[@~#]/.test(source) && !source.includes('/'))
      return [];
    // Headers are named with their ending, so that is where to look, and nowhere else.
    if (language === 'c' || language === 'cpp') return this.#header(file, source);
    if (language === 'go') return this.#goPackage(file, source);
    const segments = source
      .replace(/^(?:crate|self|super|package|@|~|#)(?:::|\/)/, '')
      .replace(/\.(?:h|hpp|hh|hxx|php|rb|lua|dart|sh|zig)$/, '')
      .split(JS_LIKE.has(language) ? /\/+/ : /::|[/\\.:]+/)
      .filter(Boolean);
    if (language === 'python') return this.#pythonModules(file, segments, record);
    // `use a::b::C` may name module b or file C; `from a import b` may name file a/b.
    const tails = [segments, segments.slice(0, -1), ...record.names.map(({ name }) => [...segments, name])].filter(
      (tail) => tail.length > 0 && tail.some((segment) => segment !== '*'),
    );
    for (const tail of tails) {
      // `java.util.List` is not our List.java: where paths mirror packages, a package must fit too.
      const files = this.#files(file, tail, language, JVM.has(language) ? Math.min(2, segments.length) : 1);
      if (files.length > 0) return files;
    }
    if (JS_LIKE.has(language)) return this.#files(file, [...segments, 'index'], language, 2);
    if (!FOLDER_IMPORTS.has(language)) return [];
    for (const tail of [segments, segments.slice(0, -1)]) {
      const files = this.#folder(file, tail, language);
      if (files.length > 0) return files;
    }
    return [];
  }

  /** A dotted name is the whole path from some source root: `os.path` is not our path.py. */
  #pythonModules(file: number, segments: readonly string[], record: ImportRecord): number[] {
    const at = (tail: readonly string[]) => {
      const module = this.#files(file, tail, 'python', tail.length);
      return module.length > 0 ? module : this.#files(file, [...tail, '__init__'], 'python', tail.length + 1);
    };
    const inner = record.names.map(({ name }) => at([...segments, name]));
    const own = inner.length === 0 || inner.some((files) => files.length === 0) ? at(segments) : [];
    return [...new Set([...inner.flat(), ...own])];
  }

  #header(file: number, source: string): number[] {
    const wanted = source.replace(/^(?:\.\.?\/)+/, '');
    const files = (this.#byLast.get(lastOf(withoutEnding(wanted))) ?? []).filter((index) =>
      endsWithPath(this.#view.files[index]!.path, wanted),
    );
    return files.length === 1 || (files.length > 1 && wanted.includes('/')) ? [this.#nearest(file, files)] : [];
  }

  #goPackage(file: number, source: string): number[] {
    const module = this.#goModules.find(({ name }) => source === name || source.startsWith(`${name}/`));
    if (module) {
      const folder = normalize(join(module.folder, source.slice(module.name.length + 1)));
      return (this.#byFolderLast.get(lastOf(folder)) ?? []).filter((index) => {
        const { path, language } = this.#view.files[index]!;
        return language === 'go' && dirname(path) === folder;
      });
    }
    // Whatever the manifests do not claim is somebody else's.
    if (this.#goModules.length > 0) return [];
    if (!GO_STD.test(source)) return this.#folder(file, source.split('/').filter(Boolean), 'go');
    return (this.#byFolderLast.get(lastOf(source)) ?? []).filter((index) => {
      const folder = dirname(this.#view.files[index]!.path);
      return folder === source || folder === `src/${source}`;
    });
  }

  /** The longer the ending that fits, the surer; a lone last segment must be unique. */
  #files(file: number, tail: readonly string[], language: string, least = 1): number[] {
    const wanted = this.#byLast.get(tail.at(-1)!) ?? [];
    const family = this.#family(language);
    const fitting = wanted.filter((index) => this.#family(this.#view.files[index]!.language) === family);
    for (let length = tail.length; length >= least; length--) {
      const ending = tail.slice(-length).join('/');
      const files = fitting.filter((index) => endsWithPath(withoutEnding(this.#view.files[index]!.path), ending));
      if (files.length === 1 || (files.length > 0 && length > 1)) return [this.#nearest(file, files)];
      if (files.length > 1) return [];
    }
    return [];
  }

  #folder(file: number, tail: readonly string[], language: string): number[] {
    if (tail.length === 0) return [];
    const inside = (this.#byFolderLast.get(tail.at(-1)!) ?? []).filter(
      (index) => this.#view.files[index]!.language === language,
    );
    for (let length = tail.length; length >= Math.min(2, tail.length); length--) {
      const ending = tail.slice(-length).join('/');
      const files = inside.filter((index) => endsWithPath(dirname(this.#view.files[index]!.path), ending));
      if (files.length > 0) {
        const folder = dirname(this.#view.files[this.#nearest(file, files)]!.path);
        return files.filter((index) => dirname(this.#view.files[index]!.path) === folder);
      }
    }
    return [];
  }

  #nearest(file: number, files: readonly number[]): number {
    const from = this.#view.files[file]!.path.split('/');
    const shared = (index: number) => {
      const to = this.#view.files[index]!.path.split('/');
      let count = 0;
      while (count < from.length && from[count] === to[count]) count++;
      return count;
    };
    return [...files].sort((a, b) => shared(b) - shared(a) || a - b)[0]!;
  }

  /** Languages that import each other's files. */
  #family(language: string): string {
    let family = this.#families.get(language);
    if (!family) {
      family = JS_LIKE.has(language) ? 'js' : language === 'c' || language === 'cpp' ? 'c' : language;
      this.#families.set(language, family);
    }
    return family;
  }
}

function withoutEnding(path: string): string {
  const slash = path.lastIndexOf('/');
  const declared = path.endsWith('.d.ts') ? path.length - 5 : path.lastIndexOf('.');
  return declared <= slash + 1 ? path : path.slice(0, declared);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function endsWithPath(path: string, ending: string): boolean {
  return path === ending || path.endsWith(`/${ending}`);
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
