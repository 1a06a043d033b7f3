/** Answers "how does a ref change trigger a re-render": both ends are descriptions, which search maps to symbols. */
import { FileFlag } from '../../../model/records/source-file.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { distinct } from '../../symbol-place.ts';
import { describeOpen } from '../answers/open-question.ts';
import { EvidenceTrail } from '../evidence-trail.ts';
import { describePath } from './path.ts';

const MAX_GOALS = 4;
const MAX_STARTS = 40;
const CALLABLE = new Set(['function', 'method', 'class', 'struct']);

export async function describePathOfEnds(trail: EvidenceTrail, first: string, second: string): Promise<string[]> {
  const { graph, reader, view, request } = trail.input;
  const [begin] = await found(trail, first);
  const goals = (await found(trail, second)).filter(({ file }) => file !== begin?.file).slice(0, MAX_GOALS);
  if (!begin || goals.length === 0) return describeOpen(trail, request.query, false);
  // A description seldom means just the first hit: other functions of its file usually belong to the same task.
  const beside = reader
    .detail(view.contentOf[begin.file]!)
    .symbols.flatMap(({ kind }, ordinal) => (CALLABLE.has(kind) ? [{ file: begin.file, ordinal }] : []));
  const starts = distinct([begin, ...beside]).slice(0, MAX_STARTS);
  const names = [trail.path(begin.file), graph.symbol(goals[0]!).name] as const;
  const isChain = (lines: readonly string[]) => lines.some((line) => line.startsWith('1. '));
  // Without a chain, the hits of a search say more. The first walk uses a trail of its own, so none of it is in the
  // answer.
  if (!isChain(await describePath(new EvidenceTrail(trail.input), names, starts, goals)))
    return describeOpen(trail, request.query, false);
  const ends = goals.map((place) => `${trail.name(place)} (${trail.at(place)})`).join(', ');
  return [
    `Neither end is a name: "${first}" was looked for in ${trail.path(begin.file)}:1, "${second}" as ${ends}.`,
    ...(await describePath(trail, names, starts, goals)),
  ];
}

/** Functions and types of the program that search finds, best first. */
async function found(trail: EvidenceTrail, words: string): Promise<SymbolPlace[]> {
  const { graph, view } = trail.input;
  return (await trail.input.search(words)).flatMap(({ path, symbol, resultType }) => {
    const file = view.indexOfPath(path);
    if (file < 0 || !symbol || !CALLABLE.has(symbol.kind) || resultType === 'documentation') return [];
    const place = graph
      .named(symbol.name)
      .find((each) => each.file === file && graph.symbol(each).startLine === symbol.startLine);
    return place && !isTest(trail, place) ? [place] : [];
  });
}

function isTest({ input: { view } }: EvidenceTrail, { file }: SymbolPlace): boolean {
  return (view.files[file]!.flags & FileFlag.Test) !== 0;
}
