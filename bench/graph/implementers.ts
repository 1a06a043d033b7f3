/**
 * Compares implementers with a judge's. A judge prints one line for each pair, with fields separated by tabs: place and
 * name of the type, place of the implementer; a place is the `path:line` of the name. A line that begins with `-` names
 * a type that the judge has seen: an implementer that the judge has not seen (under another build tag) is not counted
 * as wrong.
 */
import { TYPE_KINDS } from '../../src/model/records/symbol.ts';
import type { OpenGraph } from './open-graph.ts';

export interface ImplementerScore {
  readonly types: number;
  readonly judged: number;
  readonly found: number;
  readonly named: number;
  readonly right: number;
  readonly missed: readonly string[];
  readonly invented: readonly string[];
}

export function judgeImplementers({ reader, view, graph, at }: OpenGraph, text: string): ImplementerScore {
  const judged = new Map<string, Set<string>>();
  // The index leaves some files out, for instance those with a private key.
  const isIndexed = (place: string) => view.indexOfPath(place.replace(/:\d+$/, '')) >= 0;
  const seen = new Set<string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [target, , implementer] = line.split('\t') as [string, string, string];
    if (target === '-') {
      seen.add(implementer);
      continue;
    }
    const known = judged.get(target) ?? new Set();
    if (implementer && isIndexed(implementer)) known.add(implementer);
    judged.set(target, known);
  }
  const score = { types: 0, judged: 0, found: 0, named: 0, right: 0, missed: [] as string[], invented: [] as string[] };
  for (let file = 0; file < view.files.length; file++) {
    const { symbols } = reader.detail(view.contentOf[file]!);
    for (let ordinal = 0; ordinal < symbols.length; ordinal++) {
      const place = { file, ordinal };
      const { kind, name } = symbols[ordinal]!;
      const expected = judged.get(at(place));
      if (!expected || !TYPE_KINDS.has(kind) || kind === 'module') continue;
      judged.delete(at(place));
      const all = graph.implementers(name, place).map((each) => at(graph.wholeType(each.place)));
      const ours = new Set(all.filter((each) => seen.size === 0 || seen.has(each)));
      score.types++;
      score.judged += expected.size;
      for (const each of expected)
        if (ours.has(each)) score.found++;
        else score.missed.push(`${name} (${at(place)}) ← ${each}`);
      score.named += ours.size;
      for (const each of ours)
        if (expected.has(each)) score.right++;
        else score.invented.push(`${name} (${at(place)}) ← ${each}`);
    }
  }
  return score;
}
