/** Answers "which tests cover X": the tests that call or use it, directly or through other functions, each once. */
import { nameOf } from '../../../model/text/path-text.ts';
import { nameKey } from '../../../model/text/terms.ts';
import { FUNCTION_KINDS } from '../../resolving/kinds.ts';
import { CONFIDENCE_ORDER, type SymbolPlace } from '../../symbol-graph.ts';
import { keyOf } from '../../symbol-place.ts';
import type { EvidenceTrail } from '../evidence-trail.ts';
import { segmentsOf } from '../question.ts';
import { CALLS, callersOf, type Step, USES, walk } from '../walk.ts';
import { addStep } from './step-sentence.ts';

const MAX_TESTS = 40;

export async function describeTests(
  trail: EvidenceTrail,
  name: string,
  starts: readonly SymbolPlace[],
): Promise<string[]> {
  const { graph } = trail.input;
  const found = new Map<string, { readonly place: SymbolPlace; readonly step: Step; readonly hop: number }>();
  const isFunction = (place: SymbolPlace) => FUNCTION_KINDS.has(graph.symbol(place).kind);
  const isStart = new Set(starts.map(keyOf));
  // Only calls are followed beyond the first hop: using a type that uses a type covers neither.
  const stepsOf = (place: SymbolPlace) => {
    if (isFunction(place)) return callersOf(graph, place, CALLS);
    return isStart.has(keyOf(place)) ? callersOf(graph, place, USES, true) : [];
  };
  await walk(trail, starts, stepsOf, (place, step, hop) => {
    // An indirect ambiguous call is too weak a sign.
    if (!graph.isTest(step.edge.site) || (hop > 1 && step.confidence === 'ambiguous')) return;
    // A test is shown with its most confident call. Tests without a symbol of their own count as one for each file.
    const key = step.next ? keyOf(step.next) : trail.path(step.edge.site.file);
    const known = found.get(key);
    if (!known || (known.hop === hop && CONFIDENCE_ORDER[step.confidence] < CONFIDENCE_ORDER[known.step.confidence]))
      found.set(key, { place, step, hop });
  });
  const where = `${name} (${starts.map((place) => trail.at(place)).join(', ')})`;
  if (found.size === 0)
    return [`No test that the index knows calls or uses ${where}, directly or within ${trail.depth} steps.`];
  // The answer shows forty of possibly hundreds: tests in files named after the symbol, or its type, come first.
  const subjects = segmentsOf(trail.name(starts[0]!)).slice(-2).map(nameKey);
  const isOther = ({ step }: { readonly step: Step }) => {
    const file = nameKey(nameOf(trail.path(step.edge.site.file)).replace(/[-.]/g, '_'));
    return Number(!subjects.some((subject) => subject.length > 2 && file.includes(subject)));
  };
  const all = [...found.values()].sort(
    (a, b) =>
      a.hop - b.hop ||
      isOther(a) - isOther(b) ||
      CONFIDENCE_ORDER[a.step.confidence] - CONFIDENCE_ORDER[b.step.confidence],
  );
  for (const place of starts) trail.node(place, 0);
  const lines = all
    .slice(0, MAX_TESTS)
    .map(
      ({ place, step, hop }) =>
        `- ${addStep(trail, place, step, hop, true)}${hop > 1 ? `, which leads to ${name}` : ''}`,
    );
  if (lines.length < all.length) trail.truncated = true;
  const count = all.length === 1 ? '1 place in tests leads' : `${all.length} places in tests lead`;
  return [`${count} to ${where}${lines.length < all.length ? `, the first ${lines.length}` : ''}:`, ...lines];
}
