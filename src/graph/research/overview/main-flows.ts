/** The calls of a main function that lead furthest: those whose callees make the most calls themselves. */
import { nameRulesOf } from '../../../languages/registry.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { isSame } from '../../symbol-place.ts';
import type { EvidenceTrail } from '../evidence-trail.ts';
import { CALLS, calleesOf, type Step } from '../walk.ts';

/** The functions that manifests declare as entry points, by path. */
type FunctionNames = ReadonlyMap<string, string>;

const MAX_FLOWS = 3;
const MAX_STEPS = 6;

/** One line for each entry point whose main function calls other functions of the program. */
export function describeFlows(trail: EvidenceTrail, entries: readonly string[], functions: FunctionNames): string[] {
  const lines: string[] = [];
  let firstPlace = '';
  for (const path of entries) {
    if (lines.length >= MAX_FLOWS) break;
    const main = mainOf(trail, path, functions);
    const steps = main ? busiestCallees(trail, main) : [];
    if (!main || steps.length === 0) continue;
    firstPlace ||= trail.at(main);
    for (const { next, edge } of steps) {
      const where = trail.path(edge.site.file);
      const { line } = edge.site.reference;
      trail.edge(trail.node(main, 0), trail.node(next!, 1), 'calls', edge.confidence, where, line);
      trail.prove(edge.site.file, line, `${trail.name(main)} calls ${trail.name(next!)}`, 1);
    }
    const names = steps.map(
      ({ next, edge }) => `${trail.name(next!)} (${trail.path(edge.site.file)}:${edge.site.reference.line})`,
    );
    lines.push(`- ${trail.name(main)} (${trail.at(main)}) calls ${names.join(', ')}`);
  }
  if (lines.length === 0) return [];
  return [`Main flows, the calls of main functions that lead furthest, from ${firstPlace} on:`, ...lines];
}

function mainOf({ input: { view, reader } }: EvidenceTrail, path: string, names: FunctionNames): SymbolPlace | null {
  const file = view.indexOfPath(path);
  const name = names.get(path) || nameRulesOf(view.files[file]!.language).main || 'main';
  const ordinal = reader.detail(view.contentOf[file]!).symbols.findIndex((symbol) => symbol.name === name);
  return ordinal < 0 ? null : { file, ordinal };
}

/** The callees that make the most calls themselves, each once, in the order in which main calls them. */
function busiestCallees({ input: { graph } }: EvidenceTrail, main: SymbolPlace): Step[] {
  const steps: Step[] = [];
  for (const step of calleesOf(graph, main, CALLS)) {
    const { next, confidence, through } = step;
    if (!next || confidence === 'ambiguous' || through || !graph.isOwnProgram(next.file) || isSame(next, main))
      continue;
    if (!steps.some((each) => isSame(each.next!, next))) steps.push(step);
  }
  const callCounts = new Map(steps.map((step) => [step, graph.outgoing(step.next!, CALLS).length]));
  const minCalls = [...callCounts.values()].sort((a, b) => b - a)[MAX_STEPS - 1] ?? 0;
  return steps.filter((step) => callCounts.get(step)! >= Math.max(1, minCalls)).slice(0, MAX_STEPS);
}
