/**
 * Fits a research answer into a budget. The summary is complete and has the place of each step, so the other parts are
 * cut first.
 */
import type { ResearchAnswer, ResearchEdge } from '../../model/records/query.ts';
import { staleNotices } from '../kit/stale-notices.ts';
import { bytesOf, fitParts, listPart, namedText, type Part, textPart } from '../kit/token-budget.ts';

/** The contract has no such parameter. Claude Code warns at answers of 10,000 tokens and refuses those of 25,000. */
const MAX_TOKENS = 8_000;
/** Enough for about 200 implementations of a protocol, one line each. */
const SUMMARY_BYTES = 20_000;

type Json = Readonly<Record<string, unknown>>;

export function fitResearch(request: Json, answer: ResearchAnswer): Json {
  const { summary } = namedText('summary', answer.summary).fit(SUMMARY_BYTES).fields;
  const notices = staleNotices(answer.freshness);
  const frame = {
    ...request,
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
    // Each line is independent; a heading without lines is dropped.
    textPart(answer.mermaid, (mermaid, lines) => ({ mermaid: lines > 1 ? mermaid : '' })),
    countedList('next_questions', answer.nextQuestions),
  ]);
}

/** If not all evidence fits, every hop gets a share: the caller set the depth to see distant places. */
function evidencePart<T extends { readonly hop: number }>(evidence: readonly T[]): Part {
  const byHop = new Map<number, T[]>();
  for (const place of evidence) byHop.set(place.hop, [...(byHop.get(place.hop) ?? []), place]);
  const longest = Math.max(0, ...[...byHop.values()].map(({ length }) => length));
  const roundRobin = Array.from({ length: longest }, (_, round) =>
    [...byHop.values()].flatMap((own) => own[round] ?? []),
  );
  const place = new Map(evidence.map((each, at) => [each, at]));
  return listPart({
    items: roundRobin.flat(),
    show: (shown, missing) => ({
      evidence: [...shown].sort((a, b) => place.get(a)! - place.get(b)!),
      ...omittedCounts({ evidence: missing }),
    }),
  });
}

function countedList(name: string, items: readonly unknown[]): Part {
  return listPart({ items, show: (shown, missing) => ({ [name]: shown, ...omittedCounts({ [name]: missing }) }) });
}

/** Edges in order, each with its two nodes, so that no edge in the answer lacks a node. */
function graphPart({ nodes, edges }: ResearchAnswer): Part {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const show = (shownNodes: ReadonlySet<string>, drawn: readonly ResearchEdge[]) => ({
    graph: { nodes: nodes.filter(({ id }) => shownNodes.has(id)), edges: drawn },
    ...omittedCounts({ nodes: nodes.length - shownNodes.size, edges: edges.length - drawn.length }),
  });
  return {
    need: [...nodes, ...edges].reduce((sum, item) => sum + bytesOf(item), 0),
    least: nodes.length > 0 ? bytesOf(nodes[0]) : 0,
    frame: show(new Set(), []),
    fit(budgetBytes) {
      const shownNodes = new Set<string>();
      const drawn: ResearchEdge[] = [];
      let bytes = 0;
      const take = (ids: readonly string[], edge?: ResearchEdge): boolean => {
        const fresh = new Set(ids.filter((id) => !shownNodes.has(id)));
        const cost = [...fresh].reduce((sum, id) => sum + bytesOf(byId.get(id)), edge ? bytesOf(edge) : 0);
        if (bytes + cost > budgetBytes) return false;
        bytes += cost;
        for (const id of fresh) shownNodes.add(id);
        if (edge) drawn.push(edge);
        return true;
      };
      if (edges.every((edge) => take([edge.from, edge.to], edge))) nodes.every(({ id }) => take([id]));
      return { fields: show(shownNodes, drawn), bytes };
    },
  };
}

/** `more_name` for each count above zero. */
function omittedCounts(counts: Readonly<Record<string, number>>): Json {
  const missing = Object.entries(counts).filter(([, count]) => count > 0);
  if (missing.length === 0) return {};
  return { ...Object.fromEntries(missing.map(([name, count]) => [`more_${name}`, count])), truncated: true };
}
