/** The direct callers and callees of a symbol, for a call graph that a reader expands step by step. */
import { calleesOf, callersOf, type Step, type SymbolPlace } from '../../graph/index.ts';
import type { CallNeighbour, CallNeighbours } from '../../model/records/browse.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isHandle } from '../../model/records/ids.ts';
import type { ReferenceKind } from '../../model/records/symbol.ts';
import { placesOfHandle, presentSymbol } from '../../search/index.ts';
import type { GraphContext } from '../questions/symbol-detail.ts';

const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const USES: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform']);
const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'macro']);
const MAX_SITES = 5;
const RANK = { exact: 0, likely: 1, ambiguous: 2 } as const;

/** Throws symbol_not_found. */
export function callNeighbours(context: GraphContext, id: string): CallNeighbours {
  const { graph } = context;
  const [place] = isHandle(id) ? placesOfHandle(context, id) : [];
  if (!place) throw new EngineError('symbol_not_found', { name: id });
  const kinds = FUNCTIONS.has(graph.symbol(place).kind) ? CALLS : USES;
  return {
    symbol: presentSymbol(context, place.file, place.ordinal),
    callers: neighbours(context, place, callersOf(graph, place, kinds)),
    callees: neighbours(context, place, calleesOf(graph, place, CALLS)),
  };
}

/** One entry per symbol, however many calls it makes or receives. Calls outside of all symbols are grouped by file. */
function neighbours(context: GraphContext, own: SymbolPlace, steps: readonly Step[]): CallNeighbour[] {
  const { view } = context;
  const found = new Map<string, { step: Step; sites: { path: string; line: number }[]; count: number }>();
  for (const step of steps) {
    const { file, reference } = step.edge.site;
    const key = step.next ? `${step.next.file}:${step.next.ordinal}` : `file ${file}`;
    const known = found.get(key) ?? { step, sites: [], count: 0 };
    known.count++;
    if (RANK[step.confidence] < RANK[known.step.confidence]) known.step = step;
    if (known.sites.length < MAX_SITES) known.sites.push({ path: view.files[file]!.path, line: reference.line });
    found.set(key, known);
  }
  const isTest = ({ step }: { readonly step: Step }) => Number(context.graph.isTest(step.edge.site));
  return [...found.values()]
    .sort((a, b) => RANK[a.step.confidence] - RANK[b.step.confidence] || isTest(a) - isTest(b) || b.count - a.count)
    .map(
      ({ step, sites, count }): CallNeighbour => ({
        symbol: step.next ? presentSymbol(context, step.next.file, step.next.ordinal) : null,
        isSelf: step.next?.file === own.file && step.next.ordinal === own.ordinal,
        confidence: step.confidence,
        sites,
        count,
      }),
    );
}
