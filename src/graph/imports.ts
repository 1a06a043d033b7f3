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
const JS_LIKE: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte']);

export class ImportResolver {
  readonly #view: TreeView;
  /** Files by their path without ending, and by each of its last segments. */
  readonly #byStem = new Map<string, number[]>();
  readonly #byLast = new Map<string, number[]>();
  readonly #byFolderLast = new Map<string, number[]>();
  readonly #families = new Map<string, string>();

  constructor(view: TreeView) {
    this.#view = view;
    view.files.forEach(({ path }, index) => {
      const stem = withoutEnding(path);
      push(this.#byStem, stem, index);
      push(this.#byStem, path, index);
      push(this.#byLast, lastOf(stem), index);
      push(this.#byFolderLast, lastOf(dirname(path)), index);
    });
  }

  resolve(file: number, record: ImportRecord): ResolvedImport {
    const { path, language } = this.#view.files[file]!;
    const source = record.source.trim();
    const found = this.#relative(path, source, language) ?? this.#ending(file, source, record, language);
    return { source, files: found.filter((index) => index !== file) };
  }

  /** './a', '../b', and what Python and Rust write for them. */
  #relative(path: string, source: string, language: string): number[] | null {
    const folder = dirname(path);
    if (source.startsWith('./') || source.startsWith('../') || source === '.' || source === '..')
      return this.#at(normalize(join(folder, source)));
    const dots = language === 'python' ? /^(\.+)(.*)$/.exec(source) : null;
    if (dots)
      return this.#at(normalize(join(folder, '../'.repeat(dots[1]!.length - 1), dots[2]!.replaceAll('.', '/'))));
    if (language === 'c' || language === 'cpp') {
      const beside = this.#at(normalize(join(folder, source)));
      return beside.length > 0 ? beside : null;
    }
    return null;
  }

  /** The file at a path, with any ending of a source file, or the index file of a folder. */
  #at(path: string): number[] {
    const exact = this.#byStem.get(path) ?? this.#byStem.get(path.replace(/\.(?:js|jsx|mjs|cjs)$/, ''));
    if (exact) return exact.slice(0, 1);
    for (const name of INDEX_NAMES) {
      const index = this.#byStem.get(join(path, name));
      if (index) return index.slice(0, 1);
    }
    return [];
  }

  #ending(file: number, source: string, record: ImportRecord, language: string): number[] {
    if (JS_LIKE.has(language) && !/^[@~#]?\//.test(source) && !/^[@~#]/.test(source) && !source.includes('/'))
      return [];
    const segments = source
      .replace(/^(?:crate|self|super|package|@|~|#)(?:::|\/)/, '')
      .replace(/\.(?:h|hpp|hh|hxx|php|rb|lua|dart|sh|zig)$/, '')
      .split(/::|[/\\.:]+/)
      .filter(Boolean);
    // `use a::b::C` may name module b or file C; `from a import b` may name file a/b.
    const tails = [segments, segments.slice(0, -1), ...record.names.map(({ name }) => [...segments, name])].filter(
      (tail) => tail.length > 0 && tail.some((segment) => segment !== '*'),
    );
    for (const tail of tails) {
      const files = this.#files(file, tail, language);
      if (files.length > 0) return files;
    }
    if (!FOLDER_IMPORTS.has(language)) return [];
    for (const tail of [segments, segments.slice(0, -1)]) {
      const files = this.#folder(file, tail, language);
      if (files.length > 0) return files;
    }
    return [];
  }

  /** The longer the ending that fits, the surer; a lone last segment must be unique. */
  #files(file: number, tail: readonly string[], language: string): number[] {
    const wanted = this.#byLast.get(tail.at(-1)!) ?? [];
    const family = this.#family(language);
    const fitting = wanted.filter((index) => this.#family(this.#view.files[index]!.language) === family);
    for (let length = tail.length; length >= 1; length--) {
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
  const dot = path.indexOf('.', slash + 2);
  return dot < 0 ? path : path.slice(0, dot);
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
