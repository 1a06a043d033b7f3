/** A summary without a language model: the symbols of an answer in their own words, how they hang together, and what to ask next. Quotes, never invents. */
import type { Edge, SymbolPlace } from '../graph/index.ts';
import type { Hit, SymbolInfo } from '../model/query.ts';
import type { ReferenceKind } from '../model/symbol.ts';
import { placesOfHandle } from '../search/index.ts';
import type { GraphContext } from './symbol-detail.ts';

const SHOWN = 6;
const MAX_RELATIONS = 6;
const MAX_SENTENCE = 160;
const MAX_FOLLOW_UPS = 4;
const LINKS: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform', 'extend']);
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const VERBS: Readonly<Partial<Record<ReferenceKind, string>>> = {
  call: 'calls',
  type: 'uses',
  inherit: 'inherits from',
  conform: 'conforms to',
  extend: 'extends',
};
const OPEN_TYPES = new Set(['interface', 'protocol', 'trait', 'class']);
const CALLABLE = new Set(['function', 'method', 'macro']);

interface Subject {
  readonly hit: Hit;
  readonly symbol: SymbolInfo;
  readonly place: SymbolPlace | null;
}

export function summarise(
  context: GraphContext,
  hits: readonly Hit[],
): { readonly summary: string; readonly followUps: readonly string[] } {
  const subjects = hits.slice(0, SHOWN).flatMap((hit): Subject[] => {
    if (!hit.symbol) return [];
    const place = placesOfHandle(context, hit.symbol.symbolId).find(
      ({ file }) => context.view.files[file]!.path === hit.path,
    );
    return [{ hit, symbol: hit.symbol, place: place ?? null }];
  });
  const relations = relationsOf(context, subjects);
  const lines = [opening(hits), ...hits.slice(0, SHOWN).map(describe)];
  if (relations.length > 0) lines.push(`Relations: ${relations.join('; ')}.`);
  return { summary: lines.join('\n'), followUps: followUps(context, subjects, hits) };
}

function opening(hits: readonly Hit[]): string {
  const files = new Set(hits.map(({ path }) => path));
  const folders = new Map<string, number>();
  for (const path of files) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const [most] = [...folders].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const where = files.size > 2 && most && most[1] > 1 ? `, ${most[1]} of them in ${most[0]}` : '';
  return `${plural(hits.length, 'place')} in ${plural(files.size, 'file')}${where}; the best is ${nameOf(hits[0]!)}.`;
}

/** "- parse (function, src/parse.ts:3-20, service): Reads the file." */
function describe(hit: Hit): string {
  const { symbol } = hit;
  const what = [
    symbol?.kind ?? (hit.resultType === 'documentation' ? 'documentation' : hit.chunkType),
    `${hit.path}:${hit.startLine}-${hit.endLine}`,
    ...(symbol?.dddRole ? [symbol.dddRole.replace('_', ' ')] : []),
    ...(hit.isTest ? ['test'] : []),
  ];
  const said = firstSentence(symbol?.doc ?? '') || symbol?.signature || '';
  return `- ${nameOf(hit)} (${what.join(', ')})${said ? `: ${oneLine(said)}` : ''}`;
}

function relationsOf({ graph, view }: GraphContext, subjects: readonly Subject[]): string[] {
  const names = new Map(
    subjects.flatMap(({ place, symbol }) => (place ? [[keyOf(place), symbol.qualifiedName] as const] : [])),
  );
  const found = new Map<string, string>();
  for (const { place, symbol } of subjects) {
    if (!place) continue;
    for (const { site, candidates, confidence } of graph.outgoing(place, LINKS)) {
      const target = confidence === 'ambiguous' ? undefined : candidates.find((other) => names.has(keyOf(other)));
      const name = target && names.get(keyOf(target));
      if (!target || !name || keyOf(target) === keyOf(place)) continue;
      const sentence = `${symbol.qualifiedName} ${VERBS[site.reference.kind]} ${name}`;
      if (!found.has(sentence)) found.set(sentence, `${view.files[site.file]!.path}:${site.reference.line}`);
    }
  }
  return [...found].slice(0, MAX_RELATIONS).map(([sentence, where]) => `${sentence} (${where})`);
}

/** Questions that the index can answer, about what was found. */
function followUps({ graph }: GraphContext, subjects: readonly Subject[], hits: readonly Hit[]): string[] {
  const asked: string[] = [];
  const product = subjects.filter(({ hit }) => !hit.isTest);
  const called = product.find(
    ({ symbol, place }) => CALLABLE.has(symbol.kind) && place && hasEdges(graph.references(place, CALLS)),
  );
  if (called) asked.push(`What calls ${called.symbol.name}?`);
  const open = product.find(({ symbol }) => OPEN_TYPES.has(symbol.kind) && graph.implementers(symbol.name).length > 0);
  if (open) asked.push(`What implements ${open.symbol.name}?`);
  const calling = product.find(({ place }) => place && hasEdges(graph.outgoing(place, CALLS)));
  if (calling) asked.push(`What does ${calling.symbol.name} call?`);
  const file = hits.find((hit) => !hit.isTest && hit.resultType !== 'documentation');
  if (file) asked.push(`What depends on ${file.path}?`);
  const [first] = product;
  if (first && !hits.some(({ isTest }) => isTest)) asked.push(`How is ${first.symbol.name} tested?`);
  return asked.slice(0, MAX_FOLLOW_UPS);
}

function hasEdges(edges: readonly Edge[]): boolean {
  return edges.some(({ confidence }) => confidence !== 'ambiguous');
}

const keyOf = ({ file, ordinal }: SymbolPlace) => `${file}:${ordinal}`;
const nameOf = (hit: Hit) => hit.symbol?.qualifiedName ?? (hit.title || hit.path);
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function firstSentence(doc: string): string {
  const text = doc.replace(/\s+/g, ' ').trim();
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > MAX_SENTENCE ? `${flat.slice(0, MAX_SENTENCE - 1)}…` : flat;
}
