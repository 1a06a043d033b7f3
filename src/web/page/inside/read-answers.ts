/**
 * Converts answers of the default profile's tools to the data of the page's components. Missing fields are empty. Pure.
 */
import type { Confidence, ResearchAnswer, ResearchEvidence } from '../../../model/records/query.ts';
import { languageOf } from '../data/language-of.ts';
import type { Result } from '../data/result.ts';
import type { GraphNeighbour, GraphNeighbours, GraphSymbol } from '../graph/call-graph.ts';
import { type Json, list, record, text, texts } from './json-value.ts';

export function resultsOf(answer: Json): Result[] {
  return [...list(answer.results).map(resultOf), ...texts(answer.also).flatMap(listedResult)];
}

function resultOf(hit: Json): Result {
  const [startLine, endLine] = linesOf(hit.lines);
  const path = text(hit.path);
  const id = text(hit.id);
  return {
    key: `${path}:${text(hit.lines)} ${text(hit.name)}`,
    path,
    startLine,
    endLine,
    language: languageOf(path),
    name: text(hit.name),
    kind: text(hit.kind),
    symbolId: id.startsWith('sym_') ? id : '',
    score: Number(hit.score ?? 0),
    parts: excerptParts(text(hit.content) || text(hit.signature), startLine),
    isTest: hit.test === true,
    isOverview: hit.kind === 'symbols',
  };
}

/** "src/cart.ts:3-9 Cart.add": the weaker results, a line each. */
function listedResult(line: string): Result[] {
  const [, path, lines, name] = /^(.+):(\d+(?:-\d+)?) (.*)$/.exec(line) ?? [];
  return path === undefined ? [] : [resultOf({ path, lines, name, kind: '', score: 0 })];
}

/** Splits quoted code at its gaps ("… 12 lines") into pieces with the numbers of their first lines. */
export function excerptParts(content: string, startLine: number): Result['parts'] {
  const parts: { startLine: number; content: string }[] = [];
  let line = startLine;
  let piece: string[] = [];
  const close = () => {
    if (piece.length > 0) parts.push({ startLine: line - piece.length, content: piece.join('\n') });
    piece = [];
  };
  for (const each of content === '' ? [] : content.replace(/\n$/, '').split('\n')) {
    const [, gap] = /^… (\d+) (?:more )?lines$/.exec(each) ?? [];
    if (gap !== undefined) {
      close();
      line += Number(gap);
    } else {
      piece.push(each);
      line++;
    }
  }
  close();
  return parts;
}

/** The found definition with its callers and callees; null if the answer has no detail. */
export function neighboursOf(answer: Json): GraphNeighbours | null {
  const [found] = list(answer.results);
  const detail = record(answer.detail);
  if (!found || !('source' in detail)) return null;
  const [startLine] = linesOf(found.lines);
  const symbol = symbolOf(text(found.name), text(found.path), startLine, text(found.kind));
  const callers = list(detail.callers).map((site) => {
    const path = text(site.path);
    const name = text(site.in);
    return neighbour(name === '' ? null : symbolOf(name, path, Number(site.line)), path, site);
  });
  const callees = list(detail.callees).map((site) => neighbour(symbolOf(text(site.target), '', 0), symbol.path, site));
  return { symbol, callers: unique(callers), callees: unique(callees) };
}

/** Names serve as ids, because an answer has only the names of callers. */
function symbolOf(name: string, path: string, startLine: number, kind = 'function'): GraphSymbol {
  return { symbolId: name, name, breadcrumb: [], kind: kind as GraphSymbol['kind'], path, startLine };
}

function neighbour(symbol: GraphSymbol | null, path: string, site: Json): GraphNeighbour {
  const sites = [{ path, line: Number(site.line) }];
  return { symbol, isSelf: false, confidence: confidenceOf(site.confidence), sites, count: 1 };
}

function unique(neighbours: readonly GraphNeighbour[]): GraphNeighbour[] {
  const byName = new Map<string, GraphNeighbour>();
  for (const each of neighbours) {
    const name = each.symbol?.symbolId ?? `file ${each.sites[0]!.path}`;
    const known = byName.get(name);
    byName.set(name, known ? { ...known, count: known.count + 1 } : each);
  }
  return [...byName.values()];
}

export function evidenceOf(answer: Json): ResearchEvidence[] {
  return list(answer.evidence).map((each) => {
    const [startLine, endLine] = linesOf(each.lines);
    const why = text(each.why);
    return { path: text(each.path), startLine, endLine, snippet: text(each.content), why, hop: Number(each.hop ?? 0) };
  });
}

/** Nodes and edges of a research answer with a graph. */
export function graphOf(answer: Json): Pick<ResearchAnswer, 'question' | 'nodes' | 'edges'> {
  const question = text(answer.question) as ResearchAnswer['question'];
  const edges = list(answer.edges).map((each) => {
    const [, path = '', line = '0'] = /^(.*):(\d+)$/.exec(text(each.at)) ?? [];
    const confidence = confidenceOf(each.confidence);
    return { from: text(each.from), to: text(each.to), kind: text(each.kind), confidence, path, line: Number(line) };
  });
  const isBackwards = question === 'callers' || question === 'dependants' || question === 'implementations';
  const hops = hopsOf(edges.map(({ from, to }) => (isBackwards ? [to, from] : [from, to])));
  const nodes = [...hops].map(([id, hop]) => {
    const edge = edges.find(({ from }) => from === id) ?? edges.find(({ to }) => to === id)!;
    return { id, label: id, kind: 'function', path: edge.path, line: edge.line, hop };
  });
  return { question, nodes, edges };
}

/** Distances from the start of the walk: the names without an incoming step, otherwise the first name. */
function hopsOf(steps: readonly (readonly string[])[]): Map<string, number> {
  const reached = new Set(steps.map(([, to]) => to!));
  const starts = steps.map(([from]) => from!).filter((from) => !reached.has(from));
  const hops = new Map<string, number>((starts.length > 0 ? starts : [steps[0]?.[0] ?? '']).map((name) => [name, 0]));
  for (const [name, hop] of hops)
    for (const [from, to] of steps) if (from === name && !hops.has(to!)) hops.set(to!, hop + 1);
  hops.delete('');
  return hops;
}

function confidenceOf(value: unknown): Confidence {
  return value === 'likely' || value === 'ambiguous' ? value : 'exact';
}

function linesOf(value: unknown): [number, number] {
  const [first = 1, last = first] = text(value).split('-').map(Number);
  return [first || 1, last || first || 1];
}
