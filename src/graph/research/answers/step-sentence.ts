/** The sentence of a step: "A calls B at path:line", with its confidence. */
import { FUNCTION_KINDS } from '../../resolving/kinds.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import type { Step } from '../walk.ts';

/** Adds a step to the graph and the evidence, and returns its sentence. */
export function addStep(
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

export function sentenceOf(
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
  const isFunction = isCallers && FUNCTION_KINDS.has(trail.input.graph.symbol(place).kind);
  return kind === 'read' && isFunction ? 'passes' : 'uses';
}
