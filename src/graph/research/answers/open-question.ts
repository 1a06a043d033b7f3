/** Answers questions of no known form, from the hits of a search and the calls from and to them. */

import type { Hit } from '../../../model/records/query.ts';
import { docLine } from '../../../model/text/doc-line.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { distinct, keyOf } from '../../symbol-place.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { describeArchitecture } from '../overview/architecture.ts';
import { CALLS, calleesOf, callersOf, type Step, USES, walk } from '../walk.ts';

const MAX_HITS = 6;
const MAX_RELATIONS = 12;
const PER_NODE = 6;
const CONFIG =
  /\.(?:ya?ml|toml|json|jsonc|ini|cfg|conf|env|properties|hcl|tf|xml)$|(?:^|\/)(?:config|settings|configuration)\b/i;

/** Words of a question about the architecture, which no single place answers. */
const STRUCTURE = /\b(?:architecture|structure|modules|components|layers|packages|subsystems)\b/i;

export async function describeOpen(trail: EvidenceTrail, query: string, isConfiguration: boolean): Promise<string[]> {
  const { graph, request } = trail.input;
  const hits = await pickHits(trail, query, isConfiguration);
  const lines: string[] = [];
  const starts: SymbolPlace[] = [];
  for (const hit of hits) {
    const file = trail.input.view.indexOfPath(hit.path);
    if (file < 0) continue;
    const line = hit.symbol?.startLine ?? hit.startLine;
    const title = hit.symbol?.qualifiedName ?? hit.title;
    trail.prove(file, line, `${title} matches the question`, 0);
    const doc = docLine(hit.symbol?.doc ?? '');
    lines.push(`- ${title} (${hit.path}:${line})${doc ? `: ${doc.slice(0, 160)}` : ''}`);
    const place = placeOf(trail, hit, file);
    if (place) {
      trail.node(place, 0);
      starts.push(place);
    } else trail.fileNode(file, 0);
  }
  await trail.hop(0, trail.depth, lines.length);
  const relations: string[] = [];
  const { focus } = request;
  const kinds = focus === 'dependencies' || focus === 'patterns' ? USES : CALLS;
  const sure = (steps: readonly Step[]) =>
    steps.filter(({ confidence, next }) => confidence !== 'ambiguous' && next !== null).slice(0, PER_NODE);
  for (const direction of focus === 'flow' ? (['callees'] as const) : (['callees', 'callers'] as const)) {
    await walk(
      trail,
      distinct(starts).slice(0, MAX_HITS),
      (place) => sure(direction === 'callees' ? calleesOf(graph, place, kinds) : callersOf(graph, place, kinds)),
      (place, step, hop) => {
        const [from, to] = direction === 'callees' ? [place, step.next!] : [step.next!, place];
        const { reference, file } = step.edge.site;
        const kind = reference.kind === 'call' ? 'calls' : 'uses';
        const path = trail.path(file);
        trail.edge(trail.node(from, hop), trail.node(to, hop), kind, step.confidence, path, reference.line);
        const sentence = `${trail.name(from)} ${kind} ${trail.name(to)}`;
        trail.prove(file, reference.line, `${sentence}${hedge(step.confidence)}`, hop);
        if (relations.length < MAX_RELATIONS)
          relations.push(`- ${sentence} at ${path}:${reference.line}${hedge(step.confidence)}`);
      },
    );
  }
  if (focus === 'patterns') relations.push(...(await describePatterns(trail, starts)));
  const wantsMap = focus === 'architecture' || (!focus && hits.length === 0 && STRUCTURE.test(query));
  const map = wantsMap ? await describeArchitecture(trail) : [];
  if (lines.length === 0 && map.length === 0)
    return ['Nothing in the index answers this; try the name of a symbol or a file.'];
  const [best] = hits;
  const head = isConfiguration ? 'It is configured, or read, here' : 'These places answer best';
  return [
    ...map,
    ...(best ? [`${head}, ${best.path}:${best.symbol?.startLine ?? best.startLine} first:`, ...lines] : []),
    ...(relations.length > 0
      ? [
          `How they are tied together${focus === 'flow' ? ', in the direction of the calls' : ''}, from ` +
            `${relations[0]!.replace(/^- /, '')}:`,
          ...relations,
        ]
      : []),
  ];
}

async function pickHits(trail: EvidenceTrail, query: string, isConfiguration: boolean): Promise<readonly Hit[]> {
  if (!isConfiguration)
    return (await trail.input.search(query)).filter((hit) => hit.resultType !== 'documentation').slice(0, MAX_HITS);
  const hits = await trail.input.search(`${query} configuration settings options default`);
  const plain = await trail.input.search(query);
  const all = [...new Map([...hits, ...plain].map((hit) => [`${hit.path}:${hit.startLine}`, hit])).values()];
  const rank = (hit: Hit) =>
    CONFIG.test(hit.path) || hit.chunkType === 'data' ? 0 : hit.resultType === 'documentation' ? 2 : 1;
  return all
    .map((hit, i) => ({ hit, key: rank(hit) * 100 + i }))
    .sort((a, b) => a.key - b.key)
    .slice(0, MAX_HITS)
    .map(({ hit }) => hit);
}

/** Other implementations of the supertypes of the found types. */
async function describePatterns(trail: EvidenceTrail, starts: readonly SymbolPlace[]): Promise<string[]> {
  const { graph } = trail.input;
  const lines: string[] = [];
  for (const place of starts) {
    const type = graph.around(place).find((each) => graph.supers(each).length > 0);
    for (const above of type ? graph.supers(type) : []) {
      const siblings = graph
        .implementers(graph.symbol(above).name, above)
        .filter((each) => keyOf(each.place) !== keyOf(type!));
      const [first] = siblings;
      if (!first || lines.length >= 8) continue;
      trail.edge(
        trail.node(type!, 1),
        trail.node(above, 1),
        'implements',
        'exact',
        trail.path(type!.file),
        graph.symbol(type!).startLine,
      );
      for (const { place: other, site, confidence } of siblings.slice(0, PER_NODE)) {
        trail.edge(
          trail.node(other, 2),
          trail.node(above, 1),
          'implements',
          confidence,
          trail.path(site.file),
          site.reference.line,
        );
        trail.prove(site.file, site.reference.line, `${trail.name(other)} follows ${trail.name(above)}, too`, 2);
      }
      lines.push(
        `- ${trail.name(type!)} follows ${trail.name(above)} (${trail.at(above)}), as do ${siblings.length} ` +
          `others, such as ${trail.name(first.place)} (${trail.at(first.place)})`,
      );
    }
  }
  return lines;
}

function placeOf({ input: { graph } }: EvidenceTrail, { symbol }: Hit, file: number): SymbolPlace | undefined {
  return symbol
    ? graph
        .named(symbol.name)
        .find((place) => place.file === file && graph.symbol(place).startLine === symbol.startLine)
    : undefined;
}
