/**
 * Multi-hop research: reads the question, walks callers, callees, implementers or importers from where it starts, within a budget, and answers
 * with a chain that can be checked line by line. Every sentence about the code names its place.
 */
import type { ResearchAnswer, ResearchNode } from '../../model/query.ts';
import { tellCalls } from './calls.ts';
import { findCycles, findHubs } from './cycles.ts';
import { tellDependants } from './dependants.ts';
import { tellImplementations } from './implementations.ts';
import { drawMermaid } from './mermaid.ts';
import { tellOpen } from './open.ts';
import { tellPath } from './path.ts';
import { placesOf } from './places.ts';
import { bareName, type Question, readQuestion } from './question.ts';
import { type ResearchInput, Trail } from './trail.ts';

export type { ResearchInput } from './trail.ts';

type Found = Omit<ResearchAnswer, 'freshness'>;
const TYPES = new Set(['class', 'interface', 'protocol', 'trait', 'struct', 'enum']);

export async function research(input: ResearchInput): Promise<Found> {
  const question = readQuestion(input.request.query);
  const trail = new Trail(input);
  trail.checkAbort();
  const summary = await tell(trail, question);
  const { nodes, edges } = trail;
  return {
    question: question.kind,
    summary: summary.join('\n'),
    evidence: trail.evidence,
    nodes,
    edges,
    cycles: findCycles(edges),
    hubs: findHubs(edges),
    mermaid: drawMermaid(nodes, edges),
    nextQuestions: nextQuestions(question, nodes),
    truncated: trail.truncated,
  };
}

async function tell(trail: Trail, { kind, names }: Question): Promise<string[]> {
  const [first = '', second = ''] = names;
  if (kind === 'dependants') return tellDependants(trail, first);
  const starts = first === '' ? [] : placesOf(trail.input, first);
  if (kind === 'implementations') return tellImplementations(trail, bareName(first), starts);
  if ((kind === 'callers' || kind === 'callees') && starts.length > 0) return tellCalls(trail, first, starts, kind);
  if (kind === 'path' && starts.length > 0)
    return tellPath(trail, [first, second], starts, placesOf(trail.input, second));
  const isConfiguration = kind === 'configuration';
  return tellOpen(trail, isConfiguration ? first : trail.input.request.query, isConfiguration);
}

function nextQuestions({ kind, names }: Question, nodes: readonly ResearchNode[]): string[] {
  const [first, second] = nodes.filter((node) => node.kind !== 'file' && node.kind !== 'module');
  if (!first) return [];
  const questions = kind === 'callers' ? [`what does ${first.label} call`] : [`what calls ${first.label}`];
  if (second && kind !== 'path') questions.push(`how does ${second.label} reach ${first.label}`);
  if (TYPES.has(first.kind) && kind !== 'implementations') questions.push(`all implementations of ${first.label}`);
  if (kind !== 'dependants') questions.push(`what depends on ${first.path}`);
  return questions.filter((question) => !names.some((name) => question === `what calls ${name}` && kind === 'callers'));
}
