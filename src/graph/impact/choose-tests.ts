/** Chooses and ranks the tests that a change affects, with the reasons for each. */
import { LANGUAGES, languageById } from '../../languages/registry.ts';
import type { TestReason, TestToRun } from '../../model/records/impact.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { nameKey } from '../../model/text/terms.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { SymbolGraph } from '../symbol-graph.ts';
import type { AffectedPlace } from './affected-places.ts';
import type { CoChangeHistory } from './companions.ts';
import { combine, cut, rarity, STRENGTH } from './score-tests.ts';
import { SharedWords } from './shared-words.ts';
import { namedAfter, nearness, subjectOf, wordsOf } from './test-naming.ts';

export interface TestChoice {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  /** Changed files of the tree. */
  readonly files: readonly number[];
  /** Changed paths, also of removed files. */
  readonly paths: readonly string[];
  /** Names of the types that changed: a test is often named after one. */
  readonly types: readonly string[];
  /** Names of all symbols that changed. */
  readonly symbols: readonly string[];
  readonly places: readonly AffectedPlace[];
  readonly history: CoChangeHistory;
}

export interface ChosenTests {
  readonly tests: readonly TestToRun[];
  readonly more: number;
  readonly suiteFiles: number;
}

const MAX_REASONS = 4;
const MAX_NAMES = 20;
/** Changed symbols whose words are compared with the names of tests. */
const MAX_WORDED = 300;

interface Candidate {
  readonly file: number;
  /** A file of the program that holds tests of its own. */
  readonly isInline: boolean;
  readonly reasons: Map<string, TestReason>;
  readonly names: Set<string>;
}

export function isTestFile(view: TreeView, file: number): boolean {
  const { path, language, flags } = view.files[file]!;
  if ((flags & FileFlag.Test) === 0) return false;
  const descriptor = languageById(language);
  return descriptor?.family === 'code' && (descriptor.tests?.isTestFile(path) ?? true);
}

export function chooseTests(choice: TestChoice): ChosenTests {
  const { view } = choice;
  const files = view.files.flatMap((_, file) => (isTestFile(view, file) ? [file] : []));
  const inline = [...inlineTestFiles(choice)].filter((file) => !isTestFile(view, file));
  const candidate = (file: number, isInline: boolean): [number, Candidate] => [
    file,
    { file, isInline, reasons: new Map(), names: new Set() },
  ];
  const inFiles = new Map(files.map((file) => candidate(file, false)));
  const candidates = new Map([...inFiles, ...inline.map((file) => candidate(file, true))]);
  addChanged(choice, candidates);
  addReached(choice, candidates);
  addImporters(choice, inFiles);
  addNamesakes(choice, inFiles);
  addWords(choice, inFiles);
  addTogether(choice, inFiles);
  const scored = [...candidates.values()]
    .filter(({ reasons }) => reasons.size > 0)
    .map(({ file, reasons, names }): TestToRun => {
      const sorted = [...reasons.values()].sort((a, b) => b.strength - a.strength);
      return {
        path: view.files[file]!.path,
        names: reasons.has('changed') ? [] : [...names].sort().slice(0, MAX_NAMES),
        reasons: sorted.slice(0, MAX_REASONS),
        score: combine(sorted),
      };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const count = cut(
    scored.map(({ score }) => score),
    candidates.size,
  );
  return { tests: scored.slice(0, count), more: scored.length - count, suiteFiles: candidates.size };
}

/** Found by the names of test modules, so that no other file is read. */
function inlineTestFiles({ view, reader }: TestChoice): ReadonlySet<number> {
  const files = new Set<number>();
  const names = new Set(LANGUAGES.flatMap(({ tests }) => tests?.inlineModules ?? []));
  for (const name of names)
    for (const id of reader.postings('symbol', nameKey(name)).docs) {
      const file = view.fileOfSymbol[id] ?? -1;
      if (file < 0 || files.has(file)) continue;
      if (!languageById(view.files[file]!.language)?.tests?.inlineModules?.includes(name)) continue;
      const symbol = reader.detail(view.contentOf[file]!).symbol(id - view.firstSymbolOf[file]!);
      // `mod tests;` declares a module in a file of its own.
      if (symbol?.name === name && symbol.kind === 'module' && symbol.endLine > symbol.startLine) files.add(file);
    }
  return files;
}

function add({ reasons }: Candidate, reason: TestReason): void {
  const known = reasons.get(reason.kind);
  if (!known || known.strength < reason.strength) reasons.set(reason.kind, reason);
}

function addChanged({ files }: TestChoice, candidates: ReadonlyMap<number, Candidate>): void {
  for (const file of files) {
    const candidate = candidates.get(file);
    if (!candidate) continue;
    const description = candidate.isInline ? 'is part of the change and holds tests' : 'is part of the change';
    add(candidate, { kind: 'changed', strength: 1, description });
  }
}

/** Calls and uses. One that only few tests make counts more. */
function addReached({ graph, places }: TestChoice, candidates: ReadonlyMap<number, Candidate>): void {
  const inTests = places.filter(({ site }) => {
    const candidate = candidates.get(site.file);
    return candidate && (!candidate.isInline || graph.isTest(site));
  });
  const testsOf = new Map<string, Set<number>>();
  for (const { site, uses } of inTests) testsOf.set(uses, (testsOf.get(uses) ?? new Set()).add(site.file));
  for (const { site, confidence, hop, target, uses } of inTests) {
    const candidate = candidates.get(site.file)!;
    const strength = STRENGTH[confidence] * STRENGTH.hop ** (hop - 1) * rarity(testsOf.get(uses)!.size);
    const description = hop === 1 ? `${verb(confidence)} ${target}` : `calls ${uses}, which leads to ${target}`;
    add(candidate, { kind: `${hop === 1 ? 'uses' : `step ${hop}`} ${uses}`, strength, description });
    const { from } = site.reference;
    if (from < 0 || confidence === 'ambiguous' || confidence === 'unresolved') continue;
    const outermost = graph.around({ file: site.file, ordinal: from }).at(-1)!;
    candidate.names.add(graph.symbol(outermost).name);
  }
}

function verb(confidence: AffectedPlace['confidence']): string {
  return confidence === 'exact' || confidence === 'likely' ? 'uses' : 'may use';
}

function addImporters({ graph, view, files }: TestChoice, candidates: ReadonlyMap<number, Candidate>): void {
  for (const file of files) {
    const importers = graph.files.dependants(file).filter((other) => candidates.has(other));
    const strength = STRENGTH.imports * rarity(importers.length);
    for (const other of importers)
      add(candidates.get(other)!, { kind: 'imports', strength, description: `imports ${view.files[file]!.path}` });
  }
}

function addNamesakes({ view, paths, types }: TestChoice, candidates: ReadonlyMap<number, Candidate>): void {
  const subjects = paths.map((path) => ({ path, subject: subjectOf(path), description: nameOf(path) }));
  const named = types.map((name) => ({ subject: wordsOf(name).join('_'), description: name }));
  for (const candidate of candidates.values()) {
    const { path } = view.files[candidate.file]!;
    const own = subjectOf(path);
    for (const { path: changed, subject, description } of subjects) {
      if (changed === path) continue;
      const share = namedAfter(own, subject);
      if (share === 0) continue;
      const near = 1 - STRENGTH.nearFolder + STRENGTH.nearFolder * nearness(path, changed);
      add(candidate, {
        kind: 'named',
        strength: STRENGTH.named * share * share * near,
        description: `is named after ${description}`,
      });
    }
    for (const { subject, description } of named)
      if (namedAfter(own, subject) === 1)
        add(candidate, { kind: 'named', strength: STRENGTH.named * 0.8, description: `is named after ${description}` });
  }
}

/** Words that a changed name shares with the name of a test, where neither name contains the other. */
function addWords({ view, paths, symbols }: TestChoice, candidates: ReadonlyMap<number, Candidate>): void {
  const subjects = [...candidates.keys()].map((file): [number, string[]] => [
    file,
    wordsOf(subjectOf(view.files[file]!.path)),
  ]);
  const shared = new SharedWords(new Map(subjects));
  const names = new Map(paths.map((path) => [nameOf(path), wordsOf(subjectOf(path))]));
  for (const name of symbols.slice(0, MAX_WORDED)) names.set(name, wordsOf(name));
  for (const [name, words] of names)
    for (const [file, alike] of shared.alike(words))
      add(candidates.get(file)!, {
        kind: 'words',
        strength: STRENGTH.words * alike,
        description: `has words of ${name} in its name`,
      });
}

function addTogether({ view, paths, history }: TestChoice, candidates: ReadonlyMap<number, Candidate>): void {
  for (const path of paths)
    for (const [other, { together, commits }] of history.with(path)) {
      const candidate = candidates.get(view.indexOfPath(other));
      // A file with a single commit usually came in with everything else, which is no sign.
      if (!candidate || commits < 2) continue;
      const strength = (STRENGTH.together * together) / (commits + 2);
      add(candidate, {
        kind: 'history',
        strength,
        description: `changed with ${nameOf(path)} in ${together} of ${commits} commits`,
      });
    }
}
