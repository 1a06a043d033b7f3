/** "What calls X" and "what does X call", hop by hop. */
import type { SymbolPlace } from '../symbol-graph.ts';
import { hedge, type Trail } from './trail.ts';
import { CALLS, calleesOf, callersOf, type Step, USES, walk } from './walk.ts';

const PER_NODE = 40;
const MAX_SENTENCES = 40;
const FUNCTIONS = new Set(['function', 'method', 'macro']);

export async function tellCalls(
  trail: Trail,
  name: string,
  starts: readonly SymbolPlace[],
  direction: 'callers' | 'callees',
): Promise<string[]> {
  const { graph } = trail.input;
  const isCallers = direction === 'callers';
  const lines = [`${name} is defined at ${starts.map((place) => trail.at(place)).join(', ')}.`];
  for (const place of starts) trail.node(place, 0);
  const kindsOf = (place: SymbolPlace) =>
    trail.input.request.focus === 'dependencies' || !FUNCTIONS.has(graph.symbol(place).kind) ? USES : CALLS;
  const step = (place: SymbolPlace) => {
    const steps = isCallers
      ? callersOf(graph, place, kindsOf(place))
      : calleesOf(graph, place, CALLS).filter(({ next }) => next !== null);
    if (steps.length > PER_NODE) trail.truncated = true;
    return steps.slice(0, PER_NODE);
  };
  let first = '';
  await walk(
    trail,
    starts,
    step,
    (place, each, hop) => {
      const sentence = record(trail, place, each, hop, isCallers);
      first ||= sentence;
      if (hop === 1 ? lines.length < MAX_SENTENCES : lines.length < MAX_SENTENCES / 2 && each.confidence === 'exact')
        lines.push(`${'  '.repeat(hop - 1)}- ${sentence}`);
    },
    (hop, count) => {
      if (hop > 1 && count > 0)
        lines.push(`${count} call${count === 1 ? '' : 's'} in step ${hop}, the first: ${first}`);
      first = '';
    },
  );
  if (lines.length === 1)
    lines.push(
      isCallers
        ? `No call of ${name} (${trail.at(starts[0]!)}) was found in the index.`
        : `${name} (${trail.at(starts[0]!)}) calls nothing that the index knows.`,
    );
  return lines;
}

function record(
  trail: Trail,
  place: SymbolPlace,
  { next, edge, confidence, through }: Step,
  hop: number,
  isCallers: boolean,
): string {
  const { reference, file } = edge.site;
  const path = trail.path(file);
  const here = trail.node(place, hop - 1);
  const there = next ? trail.node(next, hop) : trail.fileNode(file, hop);
  const kind = reference.kind === 'call' ? 'calls' : reference.kind === 'read' ? 'passes' : 'uses';
  trail.edge(isCallers ? there : here, isCallers ? here : there, kind, confidence, path, reference.line);
  const other = next ? trail.name(next) : path;
  const [caller, callee] = isCallers ? [other, trail.name(place)] : [trail.name(place), other];
  const way = through ? ` through ${trail.name(through)}` : '';
  trail.prove(file, reference.line, `${caller} ${kind} ${callee}${way}${hedge(confidence)}`, hop);
  return `${caller} ${kind} ${callee}${way} at ${path}:${reference.line}${hedge(confidence)}`;
}
