/** "What calls X" and "what does X call", hop by hop. */
import type { SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import { hedge, type Trail } from './trail.ts';
import { CALLS, calleesOf, callersOf, onceEach, passersOf, type Step, USES, walk } from './walk.ts';

const PER_NODE = 40;
const MAX_SENTENCES = 40;
export const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'macro']);

export async function tellCallers(
  trail: Trail,
  name: string,
  starts: readonly SymbolPlace[],
  uses: boolean,
): Promise<string[]> {
  const { graph, request } = trail.input;
  const isFunction = (place: SymbolPlace) => FUNCTIONS.has(graph.symbol(place).kind);
  const isWide = uses || request.focus === 'dependencies';
  const kindsOf = (place: SymbolPlace) => (isWide || !isFunction(place) ? USES : CALLS);
  const direct = onceEach(
    new Map(
      starts.map((place) => [keyOf(place), callersOf(graph, place, kindsOf(place), isWide || !isFunction(place))]),
    ),
  );
  // Whoever hands a function on has it called: where nobody calls it by its name, that is the answer.
  const passes = isWide ? [] : starts.filter(isFunction).flatMap((place) => passersOf(graph, place));
  const isCalled = [...direct.values()].some((steps) => steps.length > 0);
  if (!isCalled) for (const { place, step } of passes) direct.set(keyOf(place), [...direct.get(keyOf(place))!, step]);
  const stepsOf = (place: SymbolPlace) => direct.get(keyOf(place)) ?? callersOf(graph, place, kindsOf(place));
  const lines = await tellSteps(trail, name, starts, stepsOf, true);
  if (isCalled && passes.length > 0) {
    const { site, confidence } = passes[0]!.step.edge;
    const where = `${trail.path(site.file)}:${site.reference.line}${hedge(confidence)}`;
    lines.push(
      passes.length === 1
        ? `It is also handed on by its name at ${where}.`
        : `It is also handed on by its name in ${passes.length} places, the first at ${where}.`,
    );
  }
  const what = uses ? 'use' : 'call';
  return lines.length > 1
    ? lines
    : [...lines, `No ${what} of ${name} (${trail.at(starts[0]!)}) was found in the index.`];
}

export async function tellCallees(trail: Trail, name: string, starts: readonly SymbolPlace[]): Promise<string[]> {
  const { graph } = trail.input;
  const isStart = new Set(starts.map(keyOf));
  const stepsOf = (place: SymbolPlace) => calleesOf(graph, place, CALLS, !isStart.has(keyOf(place)));
  const lines = await tellSteps(trail, name, starts, stepsOf, false);
  return lines.length > 1 ? lines : [...lines, `${name} (${trail.at(starts[0]!)}) calls nothing that the index knows.`];
}

/** What the code of a file or folder calls outside of it, each by the first line that does. */
export async function tellCalleesOfFiles(trail: Trail, name: string, files: readonly number[]): Promise<string[]> {
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
  if (called.size === 0) return [`${where} calls nothing outside of itself that the index knows.`];
  const shown = [...called.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SENTENCES);
  if (shown.length < called.size) trail.truncated = true;
  return [
    `${where} calls ${called.size} symbol${called.size === 1 ? '' : 's'} outside of itself:`,
    ...shown.map(({ sentence, count }) => `- ${sentence}${count > 1 ? `, ${count} times in all` : ''}`),
  ];
}

async function tellSteps(
  trail: Trail,
  name: string,
  starts: readonly SymbolPlace[],
  stepsOf: (place: SymbolPlace) => readonly Step[],
  isCallers: boolean,
): Promise<string[]> {
  const lines = [`${name} is defined at ${starts.map((place) => trail.at(place)).join(', ')}.`];
  for (const place of starts) trail.node(place, 0);
  /** Of the step at hand: how many calls have no line of their own, and the first of them. */
  let more = 0;
  let first = '';
  const step = (place: SymbolPlace) => {
    const steps = stepsOf(place);
    if (steps.length > PER_NODE) trail.truncated = true;
    more += Math.max(0, steps.length - PER_NODE);
    return steps.slice(0, PER_NODE);
  };
  await walk(
    trail,
    starts,
    step,
    (place, each, hop) => {
      // Which of them it is cannot be told: it is called by the name that was asked for.
      const isOneOf = isCallers && hop === 1 && starts.length > 1 && each.confidence === 'ambiguous';
      const sentence = record(trail, place, each, hop, isCallers, isOneOf ? name : trail.name(place));
      const isShown =
        hop === 1 ? lines.length < MAX_SENTENCES : lines.length < MAX_SENTENCES / 2 && each.confidence !== 'ambiguous';
      if (isShown) lines.push(`${'  '.repeat(hop - 1)}- ${sentence}`);
      else {
        more++;
        first ||= sentence;
      }
    },
    (hop) => {
      if (first) lines.push(`${more} more in step ${hop}${more > 1 ? ', the first' : ''}: ${first}`);
      more = 0;
      first = '';
    },
  );
  return lines;
}

/** A step as a sentence; it is drawn and proved, too. */
export function record(
  trail: Trail,
  place: SymbolPlace,
  { next, edge, confidence, through }: Step,
  hop: number,
  isCallers: boolean,
  own = trail.name(place),
): string {
  const { reference, file } = edge.site;
  const path = trail.path(file);
  const here = trail.node(place, hop - 1);
  const there = next ? trail.node(next, hop) : trail.fileNode(file, hop);
  const isFunction = isCallers && FUNCTIONS.has(trail.input.graph.symbol(place).kind);
  const kind = reference.kind === 'call' ? 'calls' : reference.kind === 'read' && isFunction ? 'passes' : 'uses';
  trail.edge(isCallers ? there : here, isCallers ? here : there, kind, confidence, path, reference.line);
  const other = next ? trail.name(next) : path;
  const [caller, callee] = isCallers ? [other, own] : [own, other];
  const way = through ? ` through ${trail.name(through)}` : '';
  trail.prove(file, reference.line, `${caller} ${kind} ${callee}${way}${hedge(confidence)}`, hop);
  return `${caller} ${kind} ${callee}${way} at ${path}:${reference.line}${hedge(confidence)}`;
}
