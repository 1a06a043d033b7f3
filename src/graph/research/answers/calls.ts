/** Answers "what calls X" and "what does X call", hop by hop. */
import { FUNCTION_KINDS } from '../../resolving/kinds.ts';
import type { Site } from '../../resolving/resolution.ts';
import { bySite } from '../../sites.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { keyOf } from '../../symbol-place.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { CALLS, calleesOf, callersOf, findPassers, type Step, USES, uniqueSteps, walk, wireSteps } from '../walk.ts';
import { HopSentences } from './hop-sentences.ts';
import { addStep, sentenceOf } from './step-sentence.ts';

const PER_NODE = 40;
const MAX_UNRESOLVED = 10;
const MAX_RECEIVER = 60;

export async function describeCallers(
  trail: EvidenceTrail,
  name: string,
  starts: readonly SymbolPlace[],
  uses: boolean,
): Promise<string[]> {
  const { graph, request } = trail.input;
  const isFunction = (place: SymbolPlace) => FUNCTION_KINDS.has(graph.symbol(place).kind);
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
  const relation = uses ? 'use' : 'call';
  if (isFound || unresolved.length > 0) return [...lines, ...unresolved];
  return [...lines, `No ${relation} of ${name} (${trail.at(starts[0]!)}) was found in the index.`];
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
  const calledName = first.reference.name;
  if (isFound)
    return [
      `${count} of something named ${calledName} could not be resolved${all.length > 1 ? ', the first' : ''}: ` +
        `${at(first)} (unresolved).`,
    ];
  const shown = all.slice(0, MAX_UNRESOLVED);
  if (shown.length < all.length) trail.truncated = true;
  for (const { file, reference } of shown)
    trail.prove(file, reference.line, `${calledName} is called on something unknown`, 1);
  return [
    `No call could be resolved to ${name} (${trail.at(starts[0]!)}); ${count} of something named ` +
      `${calledName} may mean it${shown.length < all.length ? `, the first ${shown.length}` : ''}:`,
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
      const label = isAnyStart ? name : trail.name(place);
      if (hop > 1 && each.confidence === 'ambiguous')
        hopSentences.leaveOut(sentenceOf(trail, place, each, isCallers, label));
      else if (hopSentences.hasRoom) hopSentences.add(addStep(trail, place, each, hop, isCallers, label));
      else hopSentences.leaveOut(sentenceOf(trail, place, each, isCallers, label));
    },
    (hop) => {
      lines.push(...hopSentences.lines(isCallers));
      hopSentences = new HopSentences(trail, hop + 1, lines.length - 1);
    },
  );
  return lines;
}
