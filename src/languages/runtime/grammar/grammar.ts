/**
 * The only file that uses web-tree-sitter's loading: the runtime once, each grammar and its query on demand, from
 * folders that the caller names.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Language, Parser, Query } from 'web-tree-sitter';
import type { LanguageDescriptor } from '../../language.ts';
import { type Role, roleOf } from '../extract/roles.ts';
import { loadQuery, type QueryOrigin, saveQuery } from './compiled-query.ts';
import { memoryOf } from './runtime-memory.ts';
import { packageSum, readsMemory } from './self-check.ts';
import type { Runtime } from './syntax-node.ts';

export interface GrammarFolders {
  /** The folder of <grammar>.wasm and web-tree-sitter.wasm. */
  readonly grammarFolder: string;
  /** The folder of <id>.scm. */
  readonly queryFolder: string;
}

export interface Grammar {
  readonly runtime: Runtime;
  /** The runtime's transfer buffer, as an index into HEAP32. */
  readonly buffer: number;
  readonly language: Language;
  readonly query: Query;
  /** The role of each capture of the query, by index. */
  readonly roles: readonly Role[];
  /** The parser's memory may be read directly; otherwise through the package's own nodes. */
  readonly readsMemory: boolean;
  /** The query as bytes, with a sample to check it by, for the build to save. */
  readonly compiled: (sample: string) => Uint8Array;
}

export const RUNTIME = 'web-tree-sitter';

export function wasmPath(folder: string, name: string): string {
  return join(folder, `${name}.wasm`);
}

let loading: Promise<Runtime> | null = null;

function loadRuntime(folder: string): Promise<Runtime> {
  loading ??= initialise(folder);
  return loading;
}

async function initialise(folder: string): Promise<Runtime> {
  const bytes = readFileSync(wasmPath(folder, RUNTIME));
  const module = {
    INITIAL_MEMORY: memoryOf(bytes),
    locateFile: (name: string) => join(folder, name),
  };
  await Parser.init(module);
  return module as unknown as Runtime;
}

/** Loads the parser's runtime before any grammar. */
export async function prepareParserRuntime(grammarFolder: string): Promise<void> {
  await loadRuntime(grammarFolder);
}

/**
 * `selfCheck: false` skips the check on a sample: parsing it makes V8 optimise the lexer, which takes up to 11 s of a
 * core in a process without a worker's flags.
 */
export async function loadGrammar(
  descriptor: LanguageDescriptor,
  folders: GrammarFolders,
  { selfCheck = true } = {},
): Promise<Grammar> {
  const runtime = await loadRuntime(folders.grammarFolder);
  const files = [descriptor.query ?? descriptor.id].flat();
  // Read synchronously: the caller waits for the grammar anyway, and for one file of a megabyte this is faster.
  const bytes = readFileSync(wasmPath(folders.grammarFolder, descriptor.grammar!));
  const sources = files.map((file) => readFileSync(join(folders.queryFolder, `${file}.scm`), 'utf8'));
  const saved = readIfThere(join(folders.queryFolder, compiledName(descriptor)));
  const language = await Language.load(new Uint8Array(bytes));
  const source = sources.join('\n') + surroundings(descriptor, language);
  const origin = { source, grammarBytes: bytes.length, runtimeBytes: runtimeBytes(folders.grammarFolder) };
  const { query, sample } = loadOrCompile(runtime, language, saved, origin, selfCheck);
  const grammar = {
    runtime,
    buffer: runtime._ts_init() >> 2,
    language,
    query,
    roles: query.captureNames.map(roleOf),
    readsMemory: true,
    compiled: (text: string) =>
      saveQuery(runtime, query, origin, { sample: text, sampleSum: packageSum({ query, language }, text) }),
  };
  return { ...grammar, readsMemory: !selfCheck || readsMemory(grammar, sample) };
}

/**
 * The saved query if it finds in its sample what it found when it was saved; otherwise one compiled from its source.
 */
function loadOrCompile(
  runtime: Runtime,
  language: Language,
  saved: Buffer | null,
  origin: QueryOrigin,
  selfCheck: boolean,
): { readonly query: Query; readonly sample?: string } {
  const loaded = saved && loadQuery(runtime, language, saved, origin);
  if (!loaded) return { query: new Query(language, origin.source) };
  const { query, sample, sampleSum } = loaded;
  if (!selfCheck || packageSum({ query, language }, sample) === sampleSum) return { query, sample };
  query.delete();
  return { query: new Query(language, origin.source), sample };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** The file of a language's compiled query, beside its source. */
export function compiledName({ id }: LanguageDescriptor): string {
  return `${id}.compiled`;
}

function runtimeBytes(folder: string): number {
  return statSync(join(folder, 'web-tree-sitter.wasm')).size;
}

/**
 * Patterns for comments and attributes before definitions; every language needs them, so no query file contains them.
 */
function surroundings(descriptor: LanguageDescriptor, language: Language): string {
  const known = new Set(language.types);
  const pattern = (types: readonly string[], capture: string) =>
    types
      .filter((type) => known.has(type))
      .map((type) => `\n(${type}) @${capture}`)
      .join('');
  const comments = descriptor.doc === 'none' ? '' : pattern(descriptor.commentNodes, 'comment');
  return comments + pattern(descriptor.attributeNodes ?? [], 'attribute');
}
