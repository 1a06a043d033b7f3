/**
 * Summarises an answer without a language model: its symbols with their own documentation, the relations between them,
 * and follow-up questions. It quotes and never invents.
 */
import type { Edge, SymbolPlace } from '../../graph/index.ts';
import type { Hit } from '../../model/records/query.ts';
import type { ReferenceKind, SymbolKind } from '../../model/records/symbol.ts';
import { plainDoc } from '../../model/text/doc-line.ts';
import type { GraphContext } from './symbol-detail.ts';

const MAX_HITS = 6;
const MAX_SUBJECTS = 8;
const MAX_OTHERS = 4;
const MAX_RELATIONS = 6;
const MAX_SENTENCE_CHARS = 160;
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
const OPEN_TYPES: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['interface', 'protocol', 'trait', 'class']);
const CALLABLE: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['function', 'method', 'macro']);

interface Subject {
  readonly hit: Hit;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly place: SymbolPlace;
}

export function summarise(
  context: GraphContext,
  hits: readonly Hit[],
): { readonly summary: string; readonly followUps: readonly string[] } {
  const shown = hits.slice(0, MAX_HITS);
  const subjects = shown.flatMap((hit) => subjectsOf(context, hit));
  const relations = relationsOf(context, subjects);
  const lines = [overviewLine(hits), ...shown.map(describe)];
  if (relations.length > 0) lines.push(`Relations: ${relations.join('; ')}.`);
  return { summary: lines.join('\n'), followUps: followUps(context, subjects, hits) };
}

/** The symbols that a hit shows, its main symbol first. */
function subjectsOf({ reader, view }: GraphContext, hit: Hit): Subject[] {
  const file = view.indexOfPath(hit.path);
  if (file < 0) return [];
  const { symbols } = reader.detail(view.contentOf[file]!);
  const subjects = symbols.flatMap(({ name, kind, startLine, parent }, ordinal): Subject[] => {
    const own = name === hit.symbol?.name && startLine === hit.symbol.startLine;
    const inside = startLine >= hit.startLine && startLine <= hit.endLine && hit.symbolNames.includes(name);
    if (!own && !inside) return [];
    // A method is shown with its type: `SessionMiddleware.__call__`.
    const owner = kind === 'method' && parent >= 0 ? `${symbols[parent]!.name}.` : '';
    return [{ hit, name: owner + name, kind, place: { file, ordinal } }];
  });
  const named = subjects.findIndex(({ place }) => symbols[place.ordinal]!.startLine === hit.symbol?.startLine);
  if (named > 0) subjects.unshift(...subjects.splice(named, 1));
  return subjects.slice(0, MAX_SUBJECTS);
}

function overviewLine(hits: readonly Hit[]): string {
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

/** One line: "- parse (function, src/parse.ts:3-20, service): Reads the file." */
function describe(hit: Hit): string {
  const { symbol } = hit;
  const what = [
    symbol?.kind ?? (hit.resultType === 'documentation' ? 'documentation' : hit.chunkType),
    `${hit.path}:${hit.startLine}-${hit.endLine}`,
    ...(symbol?.dddRole ? [symbol.dddRole.replace('_', ' ')] : []),
    ...(hit.isTest ? ['test'] : []),
  ];
  const description = firstSentence(symbol?.doc ?? '') || symbol?.signature || '';
  const others = hit.symbolNames.filter((name) => name !== symbol?.name).slice(0, MAX_OTHERS);
  const also = others.length > 0 ? ` with ${others.join(', ')}` : '';
  return `- ${nameOf(hit)}${also} (${what.join(', ')})${description ? `: ${oneLine(description)}` : ''}`;
}

function relationsOf({ graph, view }: GraphContext, subjects: readonly Subject[]): string[] {
  const names = new Map(subjects.map(({ place, name }) => [keyOf(place), name]));
  const found = new Map<string, string>();
  for (const { place, name } of subjects) {
    for (const { site, candidates, confidence } of graph.outgoing(place, LINKS)) {
      const target = confidence === 'ambiguous' ? undefined : candidates.find((other) => names.has(keyOf(other)));
      if (!target || keyOf(target) === keyOf(place)) continue;
      const sentence = `${name} ${VERBS[site.reference.kind]} ${names.get(keyOf(target))}`;
      if (!found.has(sentence)) found.set(sentence, `${view.files[site.file]!.path}:${site.reference.line}`);
    }
  }
  return [...found].slice(0, MAX_RELATIONS).map(([sentence, where]) => `${sentence} (${where})`);
}

/** Follow-up questions about the subjects that the index can answer. */
function followUps({ graph }: GraphContext, subjects: readonly Subject[], hits: readonly Hit[]): string[] {
  const questions: string[] = [];
  const product = subjects.filter(({ hit }) => !hit.isTest);
  const called = product.find(({ kind, place }) => CALLABLE.has(kind) && hasEdges(graph.references(place, CALLS)));
  if (called) questions.push(`What calls ${called.name}?`);
  const isImplemented = ({ place }: Subject) => graph.implementers(graph.symbol(place).name, place).length > 0;
  const open = product.find((each) => OPEN_TYPES.has(each.kind) && isImplemented(each));
  if (open) questions.push(`What implements ${open.name}?`);
  const calling = product.find(({ place }) => hasEdges(graph.outgoing(place, CALLS)));
  if (calling) questions.push(`What does ${calling.name} call?`);
  const file = hits.find((hit) => !hit.isTest && hit.resultType !== 'documentation');
  if (file) questions.push(`What depends on ${file.path}?`);
  const [first] = product;
  if (first && !hits.some(({ isTest }) => isTest)) questions.push(`How is ${first.name} tested?`);
  return questions.slice(0, MAX_FOLLOW_UPS);
}

function hasEdges(edges: readonly Edge[]): boolean {
  return edges.some(({ confidence }) => confidence !== 'ambiguous');
}

const keyOf = ({ file, ordinal }: SymbolPlace) => `${file}:${ordinal}`;
const nameOf = (hit: Hit) => hit.symbol?.qualifiedName ?? (hit.title || hit.path);
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function firstSentence(doc: string): string {
  const text = plainDoc(doc).replace(/\s+/g, ' ').trim();
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > MAX_SENTENCE_CHARS ? `${flat.slice(0, MAX_SENTENCE_CHARS - 1)}…` : flat;
}
