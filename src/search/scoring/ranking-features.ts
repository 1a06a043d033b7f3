/**
 * Named features of a candidate file. Every score is divided by the best of the candidates, so that weights mean the
 * same for every query and repository.
 */

import { FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';
import { nameKey } from '../../model/text/terms.ts';
import type { TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import type { Understood } from '../query/understand-query.ts';
import type { PointedAt, ReportMatch } from '../report/match-report.ts';
import type { VerbatimMatch } from './message-match.ts';
import { mentions, type NameMatch } from './name-match.ts';
import type { FileScores } from './score-files.ts';
import { depthOf, treeStats } from './tree-stats.ts';

export const FEATURES = [
  'best_chunk',
  'best_three',
  'body',
  'names',
  'docs',
  'overview',
  'whole_file',
  'path',
  'coverage',
  'chunk_coverage',
  'name_coverage',
  'stem_coverage',
  'defines_identifier',
  'defines_exactly',
  'defines_compound',
  'defines_word',
  'stem_is_compound',
  'stem_is_word',
  'stem_is_identifier',
  'vector',
  'vector_three',
  'similarity',
  'mentions',
  'says_question',
  'has_setting',
  'context',
  'repository_named',
  'names_in_report',
  'file_in_report',
  'frame_in_report',
  'module_in_report',
  'title_in_path',
  'log_length',
  'is_test',
  'is_example',
  'is_generated',
  'is_documentation',
  'is_barrel',
  'is_config',
  'is_legacy',
  'is_other_platform',
  'depth',
] as const;
export type Feature = (typeof FEATURES)[number];
const COLUMN = Object.fromEntries(FEATURES.map((name, column) => [name, column])) as Readonly<Record<Feature, number>>;

/** Copies kept for old callers: the live one is wanted. */
const LEGACY =
  /(?:^|[/_.-])(?:legacy|deprecat\w*|old|obsolete|compat|v1|experimental|internal_old|backport\w*)(?:[/_.-]|$)/i;

/** Written for one system that few work on, beside the common variant: who means it says so. */
const PLATFORM = pattern('i')`
    (?:^|[/_.-])(?:win|win32|win64|windows|winapi|winsock|wince|msvc|cygwin|mingw|os390|zos|aix|ibmi|sunos|solaris|hpux
    |haiku|qnx|vms|wasi|plan9)(?:[/_.-]|$)
  `;

/**
 * Tests are asked for, not what runs or reports them: "tests for the lexer", "which tests cover it", "where is it
 * tested", "lexer unit tests".
 */
const TESTS_MEANT = pattern('i')`
    ^(?:(?:find|show|list|give|see|where|which|what|are|is|there|do|we|have|me|all|any|some|an?|the|existing|unit
    |integration|regression|functional|e2e|end-to-end)\s+)*(?:tests?|specs?
    |benchmarks?)(?:\s+(?:cases?|files?|suites?))?\s+(?:for|of|that|which|on|around|cover\w*|check\w*|exercis\w*
    |verif\w*)\b|^(?:how|where|is|are)\b.*\btested\b
    |\b(?:(?:unit|integration|regression|functional|e2e|end-to-end)\s+tests|benchmarks)\W*$
  `;

/** Who names the kind of file means it: it is no worse than any other then. */
const EXAMPLES_MEANT = /\b(?:examples?|samples?|demos?|tutorials?|usage)\b/i;
const DOCUMENTS_MEANT =
  /\b(?:docs?|documentation|guides?|manuals?|handbook|tutorials?|readme|changelog|release\s+notes|licen[cs]e|faq)\b/i;

/**
 * What counts against a test counts then against whatever is none; twice, since what is tested is defined there and
 * goes by its name.
 */
const NO_TEST = 2;

/** Serializer.Json.cs goes by the name of Serializer.cs, but only as a part of it. */
const PART_OF_STEM = 0.75;

function wholeness(view: TreeView, file: number): number {
  const name = nameOf(view.files[file]!.path);
  return name.indexOf('.', 1) === name.lastIndexOf('.') ? 1 : PART_OF_STEM;
}

export interface FeatureInput {
  readonly view: TreeView;
  readonly scores: FileScores;
  readonly understood: Understood;
  readonly candidates: readonly number[];
  readonly names: ReadonlyMap<number, NameMatch>;
}

/** One row of FEATURES.length numbers per candidate. Mentions are 0: counting them means many lookups (addMentions). */
export function buildFeatures({ view, scores, understood, candidates, names }: FeatureInput): Float32Array {
  const stats = treeStats(view);
  const width = FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  const own = ownOf(view);
  const most = (values: Float32Array): number => {
    let max = 0;
    for (const file of candidates) if (values[file]! > max) max = values[file]!;
    return max || 1;
  };
  const threeOf = (file: number) => scores.best[file]! + scores.second[file]! + scores.third[file]!;
  let mostThree = 0;
  for (const file of candidates) mostThree = Math.max(mostThree, threeOf(file));
  const highest = {
    best: most(scores.best),
    three: mostThree || 1,
    body: most(scores.body),
    names: most(scores.names),
    docs: most(scores.docs),
    overview: most(scores.overview),
    file: most(scores.file),
    path: most(scores.path),
    vector: most(scores.vector),
  };
  const wanted = new Set(understood.identifiers.map(nameKey));
  if (understood.intent === 'symbol') wanted.add(nameKey(understood.text.replace(/\(\)$/, '')));
  const compounds = new Set(understood.compounds);
  const words = new Set(understood.words);
  const platformMeant = PLATFORM.test(understood.text.replace(/\s+/g, '/'));
  const testsMeant = TESTS_MEANT.test(understood.text);
  const examplesMeant = EXAMPLES_MEANT.test(understood.text);
  const documentsMeant = DOCUMENTS_MEANT.test(understood.text);
  for (let i = 0; i < candidates.length; i++) {
    const file = candidates[i]!;
    const stem = stats.keys[file]!;
    const match = names.get(file);
    const mean = (scores.vector[file]! + scores.vectorSecond[file]! + scores.vectorThird[file]!) / 3;
    const at = i * width;
    rows[at + COLUMN.best_chunk] = scores.best[file]! / highest.best;
    rows[at + COLUMN.best_three] = threeOf(file) / highest.three;
    rows[at + COLUMN.body] = scores.body[file]! / highest.body;
    rows[at + COLUMN.names] = scores.names[file]! / highest.names;
    rows[at + COLUMN.docs] = scores.docs[file]! / highest.docs;
    rows[at + COLUMN.overview] = scores.overview[file]! / highest.overview;
    rows[at + COLUMN.whole_file] = scores.file[file]! / highest.file;
    rows[at + COLUMN.path] = scores.path[file]! / highest.path;
    rows[at + COLUMN.coverage] = scores.coverage[file]!;
    rows[at + COLUMN.chunk_coverage] = scores.chunkCoverage[file]!;
    rows[at + COLUMN.name_coverage] = scores.nameCoverage[file]!;
    rows[at + COLUMN.stem_coverage] = Math.min(1, scores.stemCoverage[file]!);
    rows[at + COLUMN.defines_identifier] = (match?.identifier ?? 0) > 0 ? 1 : 0;
    rows[at + COLUMN.defines_exactly] = match?.identifier === 2 ? 1 : 0;
    rows[at + COLUMN.defines_compound] = match?.compound ?? 0;
    rows[at + COLUMN.defines_word] = match?.word ?? 0;
    rows[at + COLUMN.stem_is_compound] = compounds.has(stem) ? wholeness(view, file) : 0;
    rows[at + COLUMN.stem_is_word] = words.has(stem) ? wholeness(view, file) : 0;
    rows[at + COLUMN.stem_is_identifier] = wanted.has(stem) ? wholeness(view, file) : 0;
    rows[at + COLUMN.vector] = scores.vector[file]! / highest.vector;
    rows[at + COLUMN.vector_three] = mean / highest.vector;
    rows[at + COLUMN.similarity] = scores.vector[file]!;
    copyOwn(own, view, file, rows, at);
    if (platformMeant) rows[at + COLUMN.is_other_platform] = 0;
    if (examplesMeant) rows[at + COLUMN.is_example] = 0;
    if (documentsMeant) rows[at + COLUMN.is_documentation] = 0;
    if (testsMeant) rows[at + COLUMN.is_test] = rows[at + COLUMN.is_test] === 0 ? NO_TEST : 0;
  }
  return rows;
}

/** The features from here on are the file's own, whatever is asked. */
const FIRST_OWN = COLUMN.log_length;
const OWN = FEATURES.length - FIRST_OWN;
const ownFeatures = new WeakMap<TreeView, Float32Array>();

/** OWN numbers a file, worked out when it is first a candidate; before that, its length is not a number. */
function ownOf(view: TreeView): Float32Array {
  const known = ownFeatures.get(view) ?? new Float32Array(view.files.length * OWN).fill(Number.NaN);
  ownFeatures.set(view, known);
  return known;
}

function copyOwn(own: Float32Array, view: TreeView, file: number, rows: Float32Array, to: number): void {
  const from = file * OWN;
  if (Number.isNaN(own[from])) deriveOwn(own, from - FIRST_OWN, view, file);
  for (let i = 0; i < OWN; i++) rows[to + FIRST_OWN + i] = own[from + i]!;
}

function deriveOwn(own: Float32Array, at: number, view: TreeView, file: number): void {
  const { path, flags } = view.files[file]!;
  const { fileLength, medianDepth } = treeStats(view);
  const flag = (bit: number) => ((flags & bit) !== 0 ? 1 : 0);
  own[at + COLUMN.log_length] = Math.log2(1 + fileLength[file]!) / 16;
  own[at + COLUMN.is_test] = flag(FileFlag.Test);
  own[at + COLUMN.is_example] = flag(FileFlag.Example);
  own[at + COLUMN.is_generated] = flag(FileFlag.Generated | FileFlag.Vendored);
  own[at + COLUMN.is_documentation] = flag(FileFlag.Documentation);
  own[at + COLUMN.is_barrel] = flag(FileFlag.Barrel);
  own[at + COLUMN.is_config] = flag(FileFlag.Config);
  own[at + COLUMN.is_legacy] = LEGACY.test(path) ? 1 : 0;
  own[at + COLUMN.is_other_platform] = PLATFORM.test(path) ? 1 : 0;
  own[at + COLUMN.depth] = Math.max(-1, Math.min(1, (depthOf(path) - medianDepth) / 4));
}

/**
 * Into the rows of candidates that say the question in the same words, or have a setting, a flag or a route of it to
 * the letter.
 */
export function addVerbatimMatches(
  rows: Float32Array,
  verbatimMatches: ReadonlyMap<number, VerbatimMatch>,
  isSetting: (i: number) => boolean,
): void {
  for (const [i, { share }] of verbatimMatches)
    rows[i * FEATURES.length + (isSetting(i) ? COLUMN.has_setting : COLUMN.says_question)] = share ** 2;
}

/** Into the rows of files whose repository the question names. */
export function addNamedRepositories(rows: Float32Array, isNamed: (i: number) => boolean): void {
  for (let i = 0; i * FEATURES.length < rows.length; i++)
    if (isNamed(i)) rows[i * FEATURES.length + COLUMN.repository_named] = 1;
}

/** Into the rows of files that a pasted issue points at: by path, in a trace, by module, by what they define. */
export function addReport(
  rows: Float32Array,
  candidates: readonly number[],
  { frames, files, modules, titles }: ReportMatch,
  names: ReadonlyMap<number, NameMatch>,
): void {
  const most = (places: readonly PointedAt[] = []) => Math.max(0, ...places.map(({ strength }) => strength));
  candidates.forEach((file, i) => {
    const at = i * FEATURES.length;
    rows[at + COLUMN.names_in_report] = 1 - Math.exp(-(names.get(file)?.weight ?? 0));
    rows[at + COLUMN.file_in_report] = most(files.get(file));
    rows[at + COLUMN.frame_in_report] = most(frames.get(file));
    rows[at + COLUMN.module_in_report] = modules.get(file) ?? 0;
    rows[at + COLUMN.title_in_path] = titles.get(file) ?? 0;
  });
}

/** Into all rows: how much each belongs to the current work, 0..1. */
export function addContext(rows: Float32Array, of: (i: number) => number): void {
  for (let i = 0; i * FEATURES.length < rows.length; i++) rows[i * FEATURES.length + COLUMN.context] = of(i);
}

/** Into the rows of the given candidates, by their place among all. */
export function addMentions(
  { reader, view }: IndexedTree,
  rows: Float32Array,
  candidates: readonly number[],
  wanted: readonly number[],
): void {
  const files = wanted.map((i) => candidates[i]!);
  const counted = mentions(reader, view, files);
  wanted.forEach((i, n) => {
    rows[i * FEATURES.length + COLUMN.mentions] = counted[files[n]!]!;
  });
}
