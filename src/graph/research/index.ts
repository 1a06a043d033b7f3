/**
 * Multi-hop research: reads a question, walks callers, callees, implementers or importers within a budget, and answers
 * with sentences that can be checked. Every sentence about the code names its place.
 */
import type { ResearchAnswer, ResearchEdge, ResearchNode } from '../../model/records/query.ts';
import type { SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import { describeUnreferenced } from '../unreferenced/tell-unreferenced.ts';
import { describeCallees, describeCallers } from './answers/calls.ts';
import { describeTests } from './answers/covering-tests.ts';
import { describeDependants, importsOfPackage } from './answers/dependants.ts';
import { describeCalleesOfFiles } from './answers/file-callees.ts';
import { describeImplementations } from './answers/implementations.ts';
import { describeOpen } from './answers/open-question.ts';
import { describeSetting } from './answers/setting-entries.ts';
import { describeUnknown } from './answers/unknown-name.ts';
import { byCloseness } from './chains/broken-chain.ts';
import { describePathOfEnds } from './chains/described-path.ts';
import { describePath, findDescribed } from './chains/path.ts';
import { chooseDefinition } from './choose-namesake.ts';
import { EvidenceTrail, type ResearchInput } from './evidence-trail.ts';
import { findPlaces, MAX_STARTS, membersOf, placesOf } from './find-places.ts';
import { drawMermaid } from './mermaid.ts';
import { describeArchitecture } from './overview/architecture.ts';
import { findCycles, findHubs } from './overview/cycles.ts';
import { isPart, type Question, readQuestion, segmentsOf } from './question.ts';

type Found = Omit<ResearchAnswer, 'freshness'>;
/** Kinds of symbols that neither call nor are called. */
const VALUES = new Set(['constant', 'variable', 'field', 'property', 'type', 'enum']);
const MAX_ASIDE = 3;
/** Kinds of symbols that a chain of calls can begin or end with: a workflow job may have the name of a function. */
const CALLABLE = new Set(['function', 'method', 'macro', 'class', 'struct', 'interface', 'protocol', 'trait']);
const TYPES = new Set(['class', 'interface', 'protocol', 'trait', 'struct', 'enum']);

export async function research(input: ResearchInput): Promise<Found> {
  const trail = new EvidenceTrail(input);
  trail.checkAbort();
  const question = correctKind(input, readQuestion(input.request.query));
  const summary = await answer(trail, question);
  const { nodes, edges } = trail;
  return {
    question: question.kind,
    summary: summary.join('\n'),
    evidence: trail.evidence,
    nodes,
    edges,
    cycles: trail.cycles ?? findCycles(edges),
    hubs: findHubs(edges),
    mermaid: drawMermaid(nodes, edges),
    nextQuestions: nextQuestions(question.kind, nodes, edges),
    truncated: trail.truncated,
  };
}

/** Files are imported and symbols are used: "what uses src/a.ts" asks for importers, "what imports Cart" for users. */
function correctKind(input: ResearchInput, question: Question): Question {
  const { kind, names } = question;
  const [name = ''] = names;
  const isPath = () => name.includes('/') && membersOf(input, name).length > 0;
  if (question.tests) return question;
  if (kind === 'callers' && (isPath() || (placesOf(input, name).length === 0 && membersOf(input, name).length > 0)))
    return { kind: 'dependants', names };
  if (kind === 'callers' && placesOf(input, name).length === 0 && importsOfPackage(input, name).length > 0)
    return { kind: 'dependants', names };
  // "What includes x.h" asks for importers of a header; of a Ruby module it asks for classes.
  if (kind === 'implementations' && placesOf(input, name).length === 0 && membersOf(input, name).length > 0)
    return { kind: 'dependants', names };
  if (kind === 'dependants' && membersOf(input, name).length === 0 && placesOf(input, name).length > 0)
    return { kind: 'callers', names, uses: true };
  return question;
}

async function answer(trail: EvidenceTrail, { kind, names, uses = false, tests = false }: Question): Promise<string[]> {
  const { input } = trail;
  const [first = '', second = ''] = names;
  if (kind === 'dependants') return describeDependants(trail, first);
  if (kind === 'configuration') {
    const setting = await describeSetting(trail, first);
    return setting.length > 0 ? setting : describeOpen(trail, first, true);
  }
  if (kind === 'architecture') {
    const map = await describeArchitecture(trail);
    return map.length > 0 ? map : describeOpen(trail, input.request.query, false);
  }
  if (kind === 'implementations') return describeImplementations(trail, first);
  if (kind === 'unreferenced') return describeUnreferenced(trail, isWholeRepository(first) ? '' : first);
  if (kind === 'path' && first.includes(' ')) return describePathOfEnds(trail, first, second);
  const isCallable = (place: SymbolPlace) => kind !== 'path' || CALLABLE.has(input.graph.symbol(place).kind);
  const { shownName, places, others, aside } = findPlaces(input, first, isCallable);
  const { starts, alternatives } = chooseDefinition(trail, places, segmentsOf(first).length > 1);
  if (tests && starts.length > 0) {
    const lines = await describeTests(trail, shownName, starts);
    return [
      ...lines,
      ...(lines.length > 1
        ? describeOthers(trail, others, [...alternatives, ...aside])
        : await describeOpen(trail, input.request.query, false)),
    ];
  }
  if (kind === 'callers' && !tests && starts.length > 0)
    return [
      ...(await describeCallers(trail, shownName, starts, uses)),
      ...describeOthers(trail, others, [...alternatives, ...aside]),
    ];
  if (kind === 'callees') {
    const isFiles = starts.length === 0 || first.includes('/') || isPart(input.request.query, first);
    const files = isFiles ? membersOf(input, first) : [];
    if (files.length > 0) return describeCalleesOfFiles(trail, first, files);
    if (starts.length > 0)
      return [
        ...(await describeCallees(trail, shownName, starts)),
        ...describeOthers(trail, others, [...alternatives, ...aside]),
      ];
  }
  if (kind === 'path' && starts.length > 0) {
    const described = second.includes(' ') ? findDescribed(trail, places, second) : [];
    if (described.length > 0) {
      const fitting = described.map((place) => `${trail.name(place)} (${trail.at(place)})`).join(', ');
      const head = `"${second}" is no name; among what ${shownName} leads to, ${fitting} fits it best.`;
      return [head, ...(await describePath(trail, [shownName, trail.name(described[0]!)], places, described))];
    }
    const goal = findPlaces(input, second, isCallable);
    // A monorepo has many functions named `main`: the path begins at those nearest to the goal.
    const byDistance = byCloseness(trail, [...places, ...others], (place) => place, goal.places);
    const isGoal = new Set(goal.places.map(keyOf));
    const notGoals = byDistance.filter((place) => !isGoal.has(keyOf(place)));
    const pathStarts = (notGoals.length > 0 ? notGoals : byDistance).slice(0, MAX_STARTS);
    if (goal.places.length > 0) return describePath(trail, [shownName, goal.shownName], pathStarts, goal.places);
    const missing = describeUnknown(trail, goal.shownName);
    if (missing.length > 0) return missing;
  }
  const isName = (kind === 'callers' && !uses && !tests) || kind === 'callees';
  const unknown = kind === 'open' || starts.length > 0 ? [] : describeUnknown(trail, shownName, isName);
  return unknown.length > 0 ? unknown : describeOpen(trail, input.request.query, false);
}

/** The scope of a question is a word for the whole repository: "in this repository". */
function isWholeRepository(scope: string): boolean {
  return /^(?:this|the|our|here)$/i.test(scope);
}

/** Sentences about symbols of the same name that the answer leaves out. */
function describeOthers(trail: EvidenceTrail, others: readonly SymbolPlace[], aside: readonly SymbolPlace[]): string[] {
  const lines: string[] = [];
  const [next] = others;
  if (next) {
    trail.truncated = true;
    const more = others.length === 1 ? '1 more symbol has this name' : `${others.length} more symbols have this name`;
    lines.push(`${more}, the next at ${trail.at(next)}: a type or folder before it says which one is meant.`);
  }
  if (aside.length > 0) {
    const shown = aside.slice(0, MAX_ASIDE).map((place) => trail.at(place));
    const rest = aside.length > shown.length ? ` and ${aside.length - shown.length} more` : '';
    const [a, it] = aside.length === 1 ? ['Another symbol', 'it'] : [`${aside.length} other symbols`, 'one of them'];
    lines.push(`${a} of this name, also at ${shown.join(', ')}${rest}: a path before the name asks about ${it}.`);
  }
  return lines;
}

function nextQuestions(
  kind: Question['kind'],
  nodes: readonly ResearchNode[],
  edges: readonly ResearchEdge[],
): string[] {
  const [first] = nodes.filter(isSymbol);
  if (!first || kind === 'unreferenced') return [];
  const isValue = VALUES.has(first.kind);
  const isAboutCallers = kind === 'callers';
  const questions = isAboutCallers
    ? isValue
      ? []
      : [`what does ${first.label} call`]
    : [`what ${isValue ? 'uses' : 'calls'} ${first.label}`];
  if (kind === 'callers' || kind === 'callees') {
    const far = farthest(first, nodes, edges, kind === 'callers');
    const [from, to] = kind === 'callers' ? [far, first] : [first, far];
    if (from && to) questions.push(`how does ${from.label} reach ${to.label}`);
  }
  if (TYPES.has(first.kind) && kind !== 'implementations') questions.push(`all implementations of ${first.label}`);
  if (kind !== 'dependants') questions.push(`what depends on ${first.path}`);
  return questions;
}

/** The symbol farthest from a node along the edges, or against them. */
function farthest(
  first: ResearchNode,
  nodes: readonly ResearchNode[],
  edges: readonly ResearchEdge[],
  backwards: boolean,
): ResearchNode | undefined {
  const reached = new Set([first.id]);
  for (const id of reached)
    for (const { from, to } of edges) if ((backwards ? to : from) === id) reached.add(backwards ? from : to);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return [...reached]
    .map((id) => byId.get(id)!)
    .filter((node) => isSymbol(node) && node.label !== first.label)
    .at(-1);
}

function isSymbol({ kind }: ResearchNode): boolean {
  return kind !== 'file' && kind !== 'module';
}
