/** Answers "what calls X" and "what does X call", hop by hop. */
import type { Site } from '../../resolving/resolution.ts';
import { bySite } from '../../sites.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { keyOf } from '../../symbol-place.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { CALLS, calleesOf, callersOf, findPassers, type Step, USES, uniqueSteps, walk, wireSteps } from '../walk.ts';

const PER_NODE = 40;
const MAX_SENTENCES = 40;
const MAX_IMPORTS = 20;
/** Sentences of the first hop where more hops follow, and sentences that each later hop leaves to the next. */
const MAX_FIRST_HOP = 28;
const MIN_PER_HOP = 4;
const MAX_UNRESOLVED = 10;
const MAX_RECEIVER = 60;
export const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'macro']);

export async function describeCallers(
  trail: EvidenceTrail,
  name: string,
  starts: readonly SymbolPlace[],
  uses: boolean,
): Promise<string[]> {
  const { graph, request } = trail.input;
  const isFunction = (place: SymbolPlace) => FUNCTIONS.has(graph.symbol(place).kind);
  const isWide = uses || request.focus === 'dependencies';
  const kindsOf = (place: SymbolPlace) => (isWide || !isFunction(place) ? USES : CALLS);
  const direct = uniqueSteps(
    new Map(
      starts.map((place) => [
        keyOf(place),
        [...callersOf(graph, place, kindsOf(place), isWide || !isFunction(place)), ...wireSteps(graph, place, true)],
      ]),
    ),
  );
  // Code that passes a function as a value has it called. Without calls by name, those places are the answer.
  const passes = isWide ? [] : starts.filter(isFunction).flatMap((place) => findPassers(graph, place));
  const isCalled = [...direct.values()].some((steps) => steps.length > 0);
  if (!isCalled) for (const { place, step } of passes) direct.set(keyOf(place), [...direct.get(keyOf(place))!, step]);
  const stepsOf = (place: SymbolPlace) => direct.get(keyOf(place)) ?? callersOf(graph, place, kindsOf(place));
  const lines = await describeSteps(trail, name, starts, stepsOf, true);
  if (isCalled && passes.length > 0) {
    const { site, confidence } = passes[0]!.step.edge;
    const where = `${trail.path(site.file)}:${site.reference.line}${hedge(confidence)}`;
    lines.push(
      passes.length === 1
        ? `It is also handed on by its name at ${where}.`
        : `It is also handed on by its name in ${passes.length} places, the first at ${where}.`,
    );
  }
  const isFound = lines.length > 1;
  const unresolved = describeUnresolved(trail, name, starts, isFound);
  const what = uses ? 'use' : 'call';
  if (isFound || unresolved.length > 0) return [...lines, ...unresolved];
  return [...lines, `No ${what} of ${name} (${trail.at(starts[0]!)}) was found in the index.`];
}

/**
 * Unresolved calls of the name. Any of them may mean the symbol, so the answer must not claim that nothing calls it.
 */
function describeUnresolved(
  trail: EvidenceTrail,
  name: string,
  starts: readonly SymbolPlace[],
  isFound: boolean,
): string[] {
  const { graph } = trail.input;
  const sites = new Map<string, Site>();
  for (const place of starts)
    for (const site of graph.unresolved(place, CALLS))
      sites.set(`${site.file}:${site.reference.line}:${site.reference.column}`, site);
  const all = [...sites.values()].sort((a, b) => Number(graph.isTest(a)) - Number(graph.isTest(b)) || bySite(a, b));
  const [first] = all;
  if (!first) return [];
  const at = ({ file, reference }: Site) => `${trail.path(file)}:${reference.line}`;
  const count = all.length === 1 ? '1 call' : `${all.length} calls`;
  const bare = first.reference.name;
  if (isFound)
    return [
      `${count} of something named ${bare} could not be resolved${all.length > 1 ? ', the first' : ''}: ` +
        `${at(first)} (unresolved).`,
    ];
  const shown = all.slice(0, MAX_UNRESOLVED);
  if (shown.length < all.length) trail.truncated = true;
  for (const { file, reference } of shown)
    trail.prove(file, reference.line, `${bare} is called on something unknown`, 1);
  return [
    `No call could be resolved to ${name} (${trail.at(starts[0]!)}); ${count} of something named ${bare} may mean ` +
      `it${shown.length < all.length ? `, the first ${shown.length}` : ''}:`,
    ...shown.map((site) => `- ${enclosingName(trail, site)} calls ${callText(site)} at ${at(site)} (unresolved)`),
  ];
}

function enclosingName(trail: EvidenceTrail, { file, reference: { from } }: Site): string {
  return from >= 0 ? trail.name({ file, ordinal: from }) : trail.path(file);
}

function callText({ reference: { receiver, name } }: Site): string {
  const before = receiver.replace(/\s+/g, ' ');
  return before === '' ? name : `${before.length > MAX_RECEIVER ? '…' : before}.${name}`;
}

export async function describeCallees(
  trail: EvidenceTrail,
  name: string,
  starts: readonly SymbolPlace[],
): Promise<string[]> {
  const { graph } = trail.input;
  const isStart = new Set(starts.map(keyOf));
  const stepsOf = (place: SymbolPlace) => {
    const isReached = !isStart.has(keyOf(place));
    return [...calleesOf(graph, place, CALLS, isReached), ...(isReached ? [] : wireSteps(graph, place, false))];
  };
  const lines = await describeSteps(trail, name, starts, stepsOf, false);
  return lines.length > 1 ? lines : [...lines, `${name} (${trail.at(starts[0]!)}) calls nothing that the index knows.`];
}

/** Calls from a file or folder to symbols outside of it, each with its first line. */
export async function describeCalleesOfFiles(
  trail: EvidenceTrail,
  name: string,
  files: readonly number[],
): Promise<string[]> {
  const { graph } = trail.input;
  const inside = new Set(files);
  const called = new Map<string, { readonly sentence: string; count: number }>();
  for (const file of files) {
    trail.checkAbort();
    for (const edge of graph.outgoingOf(file, ({ kind }) => CALLS.has(kind))) {
      const [next] = edge.candidates;
      if (!next || edge.confidence === 'ambiguous' || inside.has(next.file)) continue;
      const known = called.get(keyOf(next));
      if (known) known.count++;
      else if (trail.full) break;
      else {
        const { from } = edge.site.reference;
        const step = { edge, confidence: edge.confidence, through: null };
        const sentence =
          from >= 0
            ? record(trail, { file, ordinal: from }, { ...step, next }, 1, false)
            : record(trail, next, { ...step, next: null }, 1, true);
        called.set(keyOf(next), { sentence, count: 1 });
      }
    }
  }
  await trail.hop(1, 1, called.size);
  const where = `${name} (${trail.path(files[0]!)}:1${files.length > 1 ? ` and ${files.length - 1} more` : ''})`;
  const imports = describeImports(trail, files);
  if (called.size === 0)
    return imports.length > 0
      ? [`${where} calls nothing outside of itself that the index knows. Its imports:`, ...imports]
      : [`${where} calls nothing outside of itself that the index knows.`];
  const shown = [...called.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SENTENCES);
  if (shown.length < called.size) trail.truncated = true;
  return [
    `${where} calls ${called.size} symbol${called.size === 1 ? '' : 's'} outside of itself:`,
    ...shown.map(({ sentence, count }) => `- ${sentence}${count > 1 ? `, ${count} times in all` : ''}`),
    ...(imports.length > 0 ? [`What it imports, from ${trail.path(files[0]!)}:1 on:`, ...imports] : []),
  ];
}

/** The files that a set of files imports from outside of itself, each once. */
function describeImports(trail: EvidenceTrail, files: readonly number[]): string[] {
  const { graph } = trail.input;
  const seen = new Set(files);
  const lines: string[] = [];
  for (const file of files)
    for (const { record, resolved } of graph.files.imports(file))
      for (const other of resolved.files) {
        if (seen.has(other)) continue;
        seen.add(other);
        const [from, to] = [trail.path(file), trail.path(other)];
        if (lines.length >= MAX_IMPORTS) trail.truncated = true;
        else {
          trail.edge(trail.fileNode(file, 0), trail.fileNode(other, 1), 'imports', 'exact', from, record.line);
          trail.prove(file, record.line, `${from} imports ${to}`, 1);
          lines.push(`- ${from}:${record.line} imports ${to}`);
        }
      }
  return lines;
}

async function describeSteps(
  trail: EvidenceTrail,
  name: string,
  starts: readonly SymbolPlace[],
  stepsOf: (place: SymbolPlace) => readonly Step[],
  isCallers: boolean,
): Promise<string[]> {
  const { graph } = trail.input;
  const lines = [`${name} is defined at ${starts.map((place) => trail.at(place)).join(', ')}.`];
  for (const place of starts) trail.node(place, 0);
  const isStart = new Set(starts.map(keyOf));
  const isTest = ({ edge }: Step) => isCallers && graph.isTest(edge.site);
  let hopSentences = new HopSentences(trail, 1, 0);
  await walk(
    trail,
    starts,
    (place) => {
      const all = stepsOf(place);
      const program = all.filter((step) => !isTest(step));
      // Tests are folded into one line, unless they are the only callers.
      const listed = program.length > 0 || !isStart.has(keyOf(place)) ? program : all;
      for (const step of listed === all ? [] : all.filter(isTest))
        hopSentences.foldTest(sentenceOf(trail, place, step, isCallers));
      for (const step of listed.slice(PER_NODE)) hopSentences.leaveOut(sentenceOf(trail, place, step, isCallers));
      return listed.slice(0, PER_NODE);
    },
    (place, each, hop) => {
      // An ambiguous call may mean any of the starts, so the sentence uses the name in the question.
      const isAnyStart = isCallers && hop === 1 && starts.length > 1 && each.confidence === 'ambiguous';
      const own = isAnyStart ? name : trail.name(place);
      if (hop > 1 && each.confidence === 'ambiguous')
        hopSentences.leaveOut(sentenceOf(trail, place, each, isCallers, own));
      else if (hopSentences.hasRoom) hopSentences.add(record(trail, place, each, hop, isCallers, own));
      else hopSentences.leaveOut(sentenceOf(trail, place, each, isCallers, own));
    },
    (hop) => {
      lines.push(...hopSentences.lines(isCallers));
      hopSentences = new HopSentences(trail, hop + 1, lines.length - 1);
    },
  );
  return lines;
}

/** The sentences of one hop, and the number of steps that got none. */
class HopSentences {
  readonly #trail: EvidenceTrail;
  readonly #hop: number;
  readonly #maxSentences: number;
  readonly #sentences: string[] = [];
  #more = 0;
  #firstMore = '';
  #tests = 0;
  #firstTest = '';

  constructor(trail: EvidenceTrail, hop: number, used: number) {
    this.#trail = trail;
    this.#hop = hop;
    // The first hop leaves sentences for the others, and each of those a few for the next.
    const rest = MAX_SENTENCES - used - MIN_PER_HOP * (trail.depth - hop);
    this.#maxSentences = hop === 1 && trail.depth > 1 ? Math.min(rest, MAX_FIRST_HOP) : rest;
  }

  get hasRoom(): boolean {
    return this.#sentences.length < this.#maxSentences;
  }

  add(sentence: string): void {
    this.#sentences.push(sentence);
  }

  leaveOut(sentence: string): void {
    this.#trail.truncated = true;
    this.#more++;
    this.#firstMore ||= sentence;
  }

  foldTest(sentence: string): void {
    this.#tests++;
    this.#firstTest ||= sentence;
  }

  lines(isCallers: boolean): string[] {
    const hop = this.#hop;
    const lines = this.#sentences.map((sentence) => `${'  '.repeat(hop - 1)}- ${sentence}`);
    if (hop > 1 && lines.length > 0)
      lines.unshift(
        `Step ${hop}, what ${isCallers ? 'calls these' : 'these call'}, from ${placeIn(this.#sentences[0]!)} on:`,
      );
    if (this.#more > 0)
      lines.push(`${this.#more} more in step ${hop}${this.#more > 1 ? ', the first' : ''}: ${this.#firstMore}`);
    if (this.#tests > 0) {
      const step = hop > 1 ? ` of step ${hop}` : '';
      lines.push(`${this.#tests} more${step} in tests${this.#tests > 1 ? ', the first' : ''}: ${this.#firstTest}`);
    }
    return lines;
  }
}

/** The place at the end of a sentence. */
function placeIn(sentence: string): string {
  return / at (\S+:\d+)(?: \(\w+\))?$/.exec(sentence)?.[1] ?? sentence;
}

/** Adds a step to the graph and the evidence, and returns its sentence. */
export function record(
  trail: EvidenceTrail,
  place: SymbolPlace,
  step: Step,
  hop: number,
  isCallers: boolean,
  own = trail.name(place),
): string {
  const { next, edge, confidence } = step;
  const { reference, file } = edge.site;
  const path = trail.path(file);
  const here = trail.node(place, hop - 1);
  const there = next ? trail.node(next, hop) : trail.fileNode(file, hop);
  const kind = verbOf(trail, place, step, isCallers);
  trail.edge(isCallers ? there : here, isCallers ? here : there, kind, confidence, path, reference.line);
  trail.prove(file, reference.line, `${claimOf(trail, place, step, isCallers, own)}${hedge(confidence)}`, hop);
  return sentenceOf(trail, place, step, isCallers, own);
}

function sentenceOf(
  trail: EvidenceTrail,
  place: SymbolPlace,
  step: Step,
  isCallers: boolean,
  own = trail.name(place),
): string {
  const { reference, file } = step.edge.site;
  const claim = claimOf(trail, place, step, isCallers, own);
  return `${claim} at ${trail.path(file)}:${reference.line}${hedge(step.confidence)}`;
}

function claimOf(trail: EvidenceTrail, place: SymbolPlace, step: Step, isCallers: boolean, own: string): string {
  const { next, edge, through } = step;
  const other = next ? trail.name(next) : trail.path(edge.site.file);
  const [caller, callee] = isCallers ? [other, own] : [own, other];
  const way = through ? ` through ${trail.name(through)}` : step.wire === undefined ? '' : ` over ${step.wire}`;
  return `${caller} ${verbOf(trail, place, step, isCallers)} ${callee}${way}`;
}

function verbOf(
  trail: EvidenceTrail,
  place: SymbolPlace,
  { edge }: Step,
  isCallers: boolean,
): 'calls' | 'passes' | 'uses' {
  const { kind } = edge.site.reference;
  if (kind === 'call') return 'calls';
  const isFunction = isCallers && FUNCTIONS.has(trail.input.graph.symbol(place).kind);
  return kind === 'read' && isFunction ? 'passes' : 'uses';
}
