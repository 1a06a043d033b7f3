/**
 * What research has found, within a budget. The summary tells the whole of it, each sentence with its place: the rest
 * gives way to it.
 */
import type { ResearchAnswer, ResearchEdge } from '../../model/records/query.ts';
import { staleNotices } from '../kit/stale-notices.ts';
import { bytesOf, fitParts, listPart, namedText, type Part, textPart } from '../kit/token-budget.ts';

/** The contract has no parameter for it. Claude Code warns of answers of 10,000 tokens and refuses those of 25,000. */
const MAX_TOKENS = 8_000;
/** Some 200 implementations of a protocol, each by its line. */
const SUMMARY_BYTES = 20_000;

type Json = Readonly<Record<string, unknown>>;

export function fitResearch(asked: Json, answer: ResearchAnswer): Json {
  const { summary } = namedText('summary', answer.summary).fit(SUMMARY_BYTES).fields;
  const notices = staleNotices(answer.freshness);
  const frame = {
    ...asked,
    question: answer.question,
    summary,
    ...(notices.length > 0 && { notices }),
    truncated: answer.truncated || summary !== answer.summary,
  };
  const evidence = answer.evidence.map(({ startLine, endLine, ...rest }) => ({
    ...rest,
    start_line: startLine,
    end_line: endLine,
  }));
  return fitParts(MAX_TOKENS, frame, [
    evidencePart(evidence),
    graphPart(answer),
    countedList('cycles', answer.cycles),
    countedList('hubs', answer.hubs),
    // Every line stands for itself; a heading alone is no drawing.
    textPart(answer.mermaid, (mermaid, lines) => ({ mermaid: lines > 1 ? mermaid : '' })),
    countedList('next_questions', answer.nextQuestions),
  ]);
}

/** Where not all of it fits, every hop gives its share: the places farther away are what the caller asked depth for. */
function evidencePart<T extends { readonly hop: number }>(evidence: readonly T[]): Part {
  const byHop = new Map<number, T[]>();
  for (const place of evidence) byHop.set(place.hop, [...(byHop.get(place.hop) ?? []), place]);
  const longest = Math.max(0, ...[...byHop.values()].map(({ length }) => length));
  const inTurns = Array.from({ length: longest }, (_, turn) => [...byHop.values()].flatMap((own) => own[turn] ?? []));
  const place = new Map(evidence.map((each, at) => [each, at]));
  return listPart({
    items: inTurns.flat(),
    show: (shown, missing) => ({
      evidence: [...shown].sort((a, b) => place.get(a)! - place.get(b)!),
      ...left({ evidence: missing }),
    }),
  });
}

function countedList(name: string, items: readonly unknown[]): Part {
  return listPart({ items, show: (shown, missing) => ({ [name]: shown, ...left({ [name]: missing }) }) });
}

/** Edges in order, each with the nodes that it ties: what is left out leaves no loose ends. */
function graphPart({ nodes, edges }: ResearchAnswer): Part {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const show = (kept: ReadonlySet<string>, drawn: readonly ResearchEdge[]) => ({
    graph: { nodes: nodes.filter(({ id }) => kept.has(id)), edges: drawn },
    ...left({ nodes: nodes.length - kept.size, edges: edges.length - drawn.length }),
  });
  return {
    need: [...nodes, ...edges].reduce((sum, item) => sum + bytesOf(item), 0),
    least: nodes.length > 0 ? bytesOf(nodes[0]) : 0,
    frame: show(new Set(), []),
    fit(budgetBytes) {
      const kept = new Set<string>();
      const drawn: ResearchEdge[] = [];
      let bytes = 0;
      const take = (ids: readonly string[], edge?: ResearchEdge): boolean => {
        const fresh = new Set(ids.filter((id) => !kept.has(id)));
        const cost = [...fresh].reduce((sum, id) => sum + bytesOf(byId.get(id)), edge ? bytesOf(edge) : 0);
        if (bytes + cost > budgetBytes) return false;
        bytes += cost;
        for (const id of fresh) kept.add(id);
        if (edge) drawn.push(edge);
        return true;
      };
      if (edges.every((edge) => take([edge.from, edge.to], edge))) nodes.every(({ id }) => take([id]));
      return { fields: show(kept, drawn), bytes };
    },
  };
}

/** `more_name` for each count that is not nought. */
function left(counts: Readonly<Record<string, number>>): Json {
  const missing = Object.entries(counts).filter(([, count]) => count > 0);
  if (missing.length === 0) return {};
  return { ...Object.fromEntries(missing.map(([name, count]) => [`more_${name}`, count])), truncated: true };
}
