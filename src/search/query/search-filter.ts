/** Compiles filters into masks over the tree, applied before ranking so that the limit never cuts matching results. */
import { extname } from 'node:path/posix';
import { LANGUAGES, languageById, languagesMeantBy } from '../../languages/registry.ts';
import { CHUNK_TYPES, DDD_ROLES } from '../../model/records/chunk.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SearchFilters } from '../../model/records/query.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { KIND_ALIASES, SYMBOL_KINDS, type SymbolKind } from '../../model/records/symbol.ts';
import { nearestWord } from '../../model/text/nearest-word.ts';
import { folderOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { compileGlobs, liesInModule, matchesModule } from '../../walk/index.ts';

export interface Masks {
  /** 1 for files that pass; null if all do. */
  readonly files: Uint8Array | null;
  /** Tests a chunk's type, kind and role; null if all chunks pass. */
  readonly chunk: ((chunkId: number) => boolean) | null;
}

export interface FilterContext {
  readonly view: TreeView;
  readonly reader: StoreReader;
  /** The module of a path, for the filter `module`. */
  readonly moduleOf: (path: string) => string;
}

export function compileFilters(filters: SearchFilters, context: FilterContext): Masks {
  return { files: fileMask(filters, context), chunk: chunkTest(filters, context) };
}

type FileTest = (index: number) => boolean;

function fileMask(filters: SearchFilters, context: FilterContext): Uint8Array | null {
  const { view, reader, moduleOf } = context;
  const tests: FileTest[] = [];
  const path = (index: number) => view.files[index]!.path;
  if (filters.folder) {
    const inside = `${filters.folder}/`;
    tests.push((index) => path(index).startsWith(inside));
  }
  if (filters.paths?.length) {
    const matches = compileGlobs(filters.paths);
    tests.push((index) => matches(path(index)));
  }
  if (filters.languages?.length) {
    const wanted = new Set(filters.languages.flatMap(languagesOf));
    tests.push((index) => wanted.has(view.files[index]!.language));
  }
  if (filters.extensions?.length) {
    const wanted = new Set(
      filters.extensions.map(
        (extension) =>
          `.${extension
            .trim()
            .replace(/^\*?\./, '')
            .toLowerCase()}`,
      ),
    );
    tests.push((index) => wanted.has(extname(path(index)).toLowerCase()));
  }
  if (filters.includeTests === false) tests.push((index) => (view.files[index]!.flags & FileFlag.Test) === 0);
  const { module } = filters;
  if (module) tests.push((index) => matchesModule(moduleOf(path(index)), module) || liesInModule(path(index), module));
  if (filters.packages?.length) tests.push(packageTest(filters.packages, context));
  if (filters.tags?.length) tests.push(tagTest(filters.tags, view, reader));
  const without = filters.without ? withoutMask(filters.without, context) : null;
  if (without) tests.push((index) => without[index] === 0);
  if (tests.length === 0) return null;
  const mask = new Uint8Array(view.files.length);
  for (let index = 0; index < mask.length; index++) if (tests.every((test) => test(index))) mask[index] = 1;
  return mask;
}

/** 1 for files that any exclusion matches; null if no exclusion is about files. */
function withoutMask({ kinds: _kinds, ...filters }: SearchFilters, context: FilterContext): Uint8Array | null {
  let mask: Uint8Array | null = null;
  for (const [name, values] of Object.entries(filters) as [string, readonly string[]][])
    for (const value of values) {
      const matching = fileMask({ [name]: [value] }, context)!;
      mask = mask ? mask.map((bit, index) => bit | matching[index]!) : matching;
    }
  return mask;
}

/** The ids of a language that the caller names. Throws for an unknown name. */
export function languagesOf(language: string): readonly string[] {
  const ids = languagesMeantBy(language);
  return ids.length > 0 ? ids : unknownLanguage(language);
}

function unknownLanguage(language: string): never {
  throw unknown(
    'language',
    language,
    LANGUAGES.map(({ id }) => id),
  );
}

export function unknownKind(kind: string): never {
  throw unknown('kind', kind, [...KIND_ALIASES.keys()]);
}

function unknown(what: string, name: string, known: readonly string[]): EngineError {
  const near = nearestWord(name, known);
  const suggestion = near === null ? '' : ` (did you mean ${near}?)`;
  return new EngineError('invalid_input', {
    reason: `Unknown ${what} "${name}"${suggestion}; known are ${known.join(', ')}.`,
  });
}

/**
 * Tests for a package: as the content declares it, by folder ("internal/auth", "auth"; "." and "./internal/auth" mean
 * that folder alone), or, for importable code that declares none, by the module of its manifest. Prose, configuration
 * and build scripts without a declaration belong to no package.
 */
function packageTest(packages: readonly string[], { view, reader, moduleOf }: FilterContext): FileTest {
  const wanted = packages.map((name) => name.toLowerCase());
  return (index) => {
    const { path, language } = view.files[index]!;
    const declared = reader.detail(view.contentOf[index]!).package.toLowerCase();
    if (declared === '' && !languageById(language)?.imports) return false;
    const folder = folderOf(path).toLowerCase() || '.';
    if (wanted.some((name) => folder === name || `./${folder}` === name || folder.endsWith(`/${name}`))) return true;
    if (declared === '') return wanted.some((name) => matchesModule(moduleOf(path), name));
    return wanted.some(
      (name) =>
        declared === name ||
        declared.endsWith(`.${name}`) ||
        declared.endsWith(`\\${name}`) ||
        declared.endsWith(`::${name}`),
    );
  };
}

/** Tags that a file has by its path: the names of its folders. */
export function pathTags(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .filter((folder) => folder !== '.' && folder !== '');
}

/** Chunk types serve as tags too; `code` means everything but documentation. They are tested chunk by chunk. */
const TYPE_TAGS: ReadonlySet<string> = new Set([...CHUNK_TYPES, 'code']);

function cleanTags(tags: readonly string[]): string[] {
  return tags.map((tag) => tag.trim().toLowerCase().replace(/^#/, '')).filter(Boolean);
}

function tagTest(tags: readonly string[], view: TreeView, reader: StoreReader): FileTest {
  const wanted = cleanTags(tags).filter((tag) => !TYPE_TAGS.has(tag));
  return (index) => {
    const file = view.files[index]!;
    const fileTags = new Set([file.language, ...pathTags(file.path)]);
    const rest = wanted.filter((tag) => !fileTags.has(tag));
    // Front matter and hashtags are in the content's detail, which is unpacked only if path and language do not decide.
    return (
      rest.length === 0 ||
      reader.detail(view.contentOf[index]!).chunks.some((chunk) => rest.every((tag) => chunk.tags.includes(tag)))
    );
  };
}

function chunkTest(filters: SearchFilters, { view, reader }: FilterContext): Masks['chunk'] {
  const types = filters.chunkTypes?.length
    ? new Set(filters.chunkTypes.map((type) => CHUNK_TYPES.indexOf(type)))
    : null;
  const kinds = filters.kinds?.length || filters.exactKinds?.length ? kindMask(filters) : null;
  const roles = filters.dddRoles?.length
    ? filters.dddRoles.reduce((bits, role) => bits | (1 << DDD_ROLES.indexOf(role)), 0)
    : 0;
  const unwanted = filters.without?.kinds?.length ? kindMask(filters.without) : null;
  const typeTags = cleanTags(filters.tags ?? []).filter((tag) => TYPE_TAGS.has(tag));
  if (!types && !kinds && !roles && !unwanted && typeTags.length === 0) return null;
  const hasTypeTags = (type: number) =>
    typeTags.every((tag) => (tag === 'code' ? CHUNK_TYPES[type] !== 'documentation' : CHUNK_TYPES[type] === tag));
  return (id) =>
    (!types || types.has(view.chunkType[id]!)) &&
    hasTypeTags(view.chunkType[id]!) &&
    (!kinds || showsKind(kinds, id, view, reader)) &&
    !(unwanted && unwanted[view.chunkKind[id]!] === 1) &&
    (!roles || (view.chunkDdd[id]! & roles) !== 0);
}

/** By chunk, the kinds of all its symbols as bits; 0 if not computed yet. */
const chunkKinds = new WeakMap<TreeView, Uint32Array>();

/** Whether any symbol of the chunk has one of the kinds. */
function showsKind(kinds: Uint8Array, id: number, view: TreeView, reader: StoreReader): boolean {
  const first = view.chunkKind[id]!;
  if (first < 0) return false;
  if (kinds[first] === 1) return true;
  const file = view.fileOfChunk[id]!;
  if (file < 0 || hasOneSymbol(id, file, view)) return false;
  const cache = chunkKinds.get(view) ?? new Uint32Array(view.fileOfChunk.length);
  chunkKinds.set(view, cache);
  if (cache[id] === 0) collectKinds(cache, file, view, reader);
  for (let kind = 0; kind < kinds.length; kind++) if (kinds[kind] === 1 && (cache[id]! >> kind) & 1) return true;
  return false;
}

/**
 * Whether the chunk contains one symbol only: the next symbol belongs to the next chunk, or does not exist. This spares
 * reading the content.
 */
function hasOneSymbol(id: number, file: number, view: TreeView): boolean {
  const symbol = view.chunkSymbol[id]!;
  if (view.fileOfSymbol[view.firstSymbolOf[file]! + symbol + 1] !== file) return true;
  const end = view.firstChunkOf[file]! + view.chunkCountOf[file]!;
  let next = id + 1;
  while (next < end && view.chunkSymbol[next]! <= symbol) next++;
  return next < end && view.chunkSymbol[next] === symbol + 1;
}

/** Collects the kinds of all symbols for the chunks of a file: the chunk table holds only the first symbol's kind. */
function collectKinds(kindBits: Uint32Array, file: number, view: TreeView, reader: StoreReader): void {
  const detail = reader.detail(view.contentOf[file]!);
  detail.chunks.forEach(({ symbol, symbolCount }, ordinal) => {
    for (let i = symbol; i >= 0 && i < symbol + symbolCount; i++)
      kindBits[view.firstChunkOf[file]! + ordinal]! |= 1 << SYMBOL_KINDS.indexOf(detail.symbol(i)!.kind);
  });
}

/** 1 by index in SYMBOL_KINDS for the kinds of a filter. Throws for an unknown kind. */
export function kindMask({ kinds = [], exactKinds = [] }: SearchFilters): Uint8Array {
  const mask = new Uint8Array(SYMBOL_KINDS.length);
  for (const kind of exactKinds) mask[SYMBOL_KINDS.indexOf(kind)] = 1;
  for (const name of kinds) {
    const aliased =
      KIND_ALIASES.get(name.toLowerCase()) ?? (SYMBOL_KINDS.includes(name as SymbolKind) ? [name as SymbolKind] : null);
    if (!aliased) unknownKind(name);
    for (const kind of aliased) mask[SYMBOL_KINDS.indexOf(kind)] = 1;
  }
  return mask;
}
