/**
 * Multi-hop research: walks callers, callees, implementers or importers from where the question starts, within a budget, and answers with a chain
 * that can be checked line by line. Every sentence of the summary names a place.
 */
import { EngineError } from '../model/errors.ts';
import type {
  Confidence,
  Hit,
  ResearchAnswer,
  ResearchEdge,
  ResearchEvidence,
  ResearchNode,
  ResearchRequest,
} from '../model/query.ts';
import type { ReferenceKind } from '../model/symbol.ts';
import type { StoreReader, TreeView } from '../store/store.ts';
import { bareName, type Question, readQuestion } from './question.ts';
import type { Edge, SymbolGraph, SymbolPlace } from './symbol-graph.ts';

export interface ResearchInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly request: ResearchRequest;
  readonly moduleOf: (path: string) => string;
  /** The search room's answer to a question, for where to begin. */
  readonly search: (query: string) => Promise<readonly Hit[]>;
}

type Found = Omit<ResearchAnswer, 'freshness'>;

const MAX_NODES = 120;
const MAX_EVIDENCE = 40;
const PER_NODE = 12;
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const USES: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform']);

export async function research(input: ResearchInput): Promise<Found> {
  const question = readQuestion(input.request.query);
  const trail = new Trail(input);
  const depth = Math.min(5, Math.max(1, input.request.depth ?? 2));
  const starts = question.names.length > 0 ? placesOf(input, question.names[0]!) : [];
  let summary: string[];
  if (question.kind === 'implementations') summary = implementations(trail, bareName(question.names[0]!));
  else if ((question.kind === 'callers' || question.kind === 'callees') && starts.length > 0)
    summary = await calls(trail, question, starts, depth, input);
  else if (question.kind === 'path' && starts.length > 0) summary = await path(trail, question, starts, depth, input);
  else if (question.kind === 'dependants') summary = dependants(trail, question.names[0]!, depth, input);
  else summary = await open(trail, depth, input, question);
  return trail.answer(question.kind, summary);
}

/** Symbols that a name in a question means: those whose qualified name or path fits, else all of that last name. */
function placesOf({ graph, view }: ResearchInput, name: string): SymbolPlace[] {
  const all = graph.named(bareName(name));
  const scopes = name
    .split(/::|->|[.#\\]/)
    .filter(Boolean)
    .slice(0, -1);
  const fitting = all.filter((place) => {
    const words = `${graph.symbol(place).qualifiedName}/${view.files[place.file]!.path}`;
    return scopes.every((scope) => words.includes(scope));
  });
  return (fitting.length > 0 ? fitting : all).slice(0, 8);
}

/** Nodes, edges and evidence collected on the way. */
class Trail {
  readonly input: ResearchInput;
  readonly #nodes = new Map<string, ResearchNode>();
  readonly #edges = new Map<string, ResearchEdge>();
  readonly #evidence: ResearchEvidence[] = [];
  truncated = false;

  constructor(input: ResearchInput) {
    this.input = input;
  }

  get full(): boolean {
    if (this.#nodes.size >= MAX_NODES) this.truncated = true;
    return this.truncated;
  }

  node(place: SymbolPlace, hop: number): string {
    const { graph, view } = this.input;
    const symbol = graph.symbol(place);
    const { path } = view.files[place.file]!;
    const id = `${path}#${symbol.qualifiedName}:${symbol.startLine}`;
    if (!this.#nodes.has(id))
      this.#nodes.set(id, { id, label: symbol.qualifiedName, kind: symbol.kind, path, line: symbol.nameLine, hop });
    return id;
  }

  fileNode(file: number, hop: number): string {
    const { path } = this.input.view.files[file]!;
    if (!this.#nodes.has(path)) this.#nodes.set(path, { id: path, label: path, kind: 'file', path, line: 1, hop });
    return path;
  }

  edge(from: string, to: string, kind: string, confidence: Confidence, path: string, line: number): void {
    const key = `${from}\n${to}\n${kind}`;
    if (!this.#edges.has(key)) this.#edges.set(key, { from, to, kind, confidence, path, line });
  }

  evidence(file: number, line: number, why: string, hop: number): void {
    if (this.#evidence.length >= MAX_EVIDENCE) {
      this.truncated = true;
      return;
    }
    const { view, reader } = this.input;
    const lines = reader.text(view.contentOf[file]!).split('\n');
    const startLine = Math.max(1, line - 1);
    const endLine = Math.min(lines.length, line + 1);
    this.#evidence.push({
      path: view.files[file]!.path,
      startLine,
      endLine,
      snippet: lines
        .slice(startLine - 1, endLine)
        .join('\n')
        .slice(0, 600),
      why,
      hop,
    });
  }

  answer(question: Found['question'], summary: readonly string[]): Found {
    const nodes = [...this.#nodes.values()];
    const edges = [...this.#edges.values()];
    const degree = new Map<string, number>();
    for (const { from, to } of edges) for (const id of [from, to]) degree.set(id, (degree.get(id) ?? 0) + 1);
    const hubs = [...degree]
      .filter(([, count]) => count > 2)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, 10)
      .map(([id, count]) => ({ id, degree: count }));
    return {
      question,
      summary: summary.join('\n'),
      evidence: this.#evidence,
      nodes,
      edges,
      cycles: findCycles(edges),
      hubs,
      mermaid: mermaidOf(nodes, edges),
      nextQuestions: nextQuestions(question, nodes),
      truncated: this.truncated,
    };
  }
}

function implementations(trail: Trail, name: string): string[] {
  const { graph, view } = trail.input;
  const roots = graph
    .named(name)
    .filter((place) => !['function', 'method', 'field', 'variable'].includes(graph.symbol(place).kind));
  const target = roots[0] ? trail.node(roots[0], 0) : name;
  const found = graph.implementers(name);
  for (const { place, site } of found) {
    if (trail.full) break;
    const id = trail.node(place, 1);
    const { path } = view.files[site.file]!;
    trail.edge(
      id,
      target,
      site.reference.kind === 'inherit' ? 'inherits' : 'implements',
      roots.length <= 1 ? 'exact' : 'likely',
      path,
      site.reference.line,
    );
    trail.evidence(
      site.file,
      site.reference.line,
      `${graph.symbol(place).name} ${site.reference.kind === 'inherit' ? 'inherits' : 'conforms to'} ${name}`,
      1,
    );
  }
  if (found.length === 0)
    return [`Nothing in the index implements or inherits ${name}${roots[0] ? ` (${at(trail, roots[0])})` : ''}.`];
  return [
    `${found.length} place${found.length === 1 ? '' : 's'} implement${found.length === 1 ? 's' : ''} or inherit${found.length === 1 ? 's' : ''} ${name}${roots[0] ? `, defined at ${at(trail, roots[0])}` : ''}:`,
    ...found
      .slice(0, 30)
      .map(
        ({ place, site }) =>
          `- ${graph.symbol(place).qualifiedName} (${view.files[site.file]!.path}:${site.reference.line})`,
      ),
  ];
}

function at({ input }: Trail, place: SymbolPlace): string {
  return `${input.view.files[place.file]!.path}:${input.graph.symbol(place).nameLine}`;
}

/** One step: the neighbours of a symbol in a direction, with the place that proves it. */
function neighbours(
  trail: Trail,
  place: SymbolPlace,
  direction: 'callers' | 'callees',
  kinds: ReadonlySet<ReferenceKind>,
): { readonly next: SymbolPlace | null; readonly edge: Edge }[] {
  const { graph } = trail.input;
  if (direction === 'callers') {
    return graph.references(place, kinds).map((edge) => ({
      next: edge.site.reference.from >= 0 ? { file: edge.site.file, ordinal: edge.site.reference.from } : null,
      edge,
    }));
  }
  return graph
    .outgoing(place, kinds)
    .flatMap((edge) =>
      edge.candidates.slice(0, edge.confidence === 'ambiguous' ? 3 : 1).map((next) => ({ next, edge })),
    );
}

async function calls(
  trail: Trail,
  { kind, names }: Question,
  starts: readonly SymbolPlace[],
  depth: number,
  input: ResearchInput,
): Promise<string[]> {
  const direction = kind === 'callees' ? 'callees' : 'callers';
  const { graph, view, request } = input;
  let frontier = [...starts];
  const seen = new Set(starts.map(key));
  const lines: string[] = [`${names[0]} is defined at ${starts.map((place) => at(trail, place)).join(', ')}.`];
  for (let hop = 1; hop <= depth && frontier.length > 0 && !trail.full; hop++) {
    checkAbort(request);
    const next: SymbolPlace[] = [];
    let count = 0;
    for (const place of frontier) {
      const here = trail.node(place, hop - 1);
      for (const { next: other, edge } of neighbours(trail, place, direction, CALLS).slice(0, PER_NODE * 3)) {
        const { path } = view.files[edge.site.file]!;
        const { line } = edge.site.reference;
        const there = other ? trail.node(other, hop) : trail.fileNode(edge.site.file, hop);
        trail.edge(
          direction === 'callers' ? there : here,
          direction === 'callers' ? here : there,
          'calls',
          edge.confidence,
          path,
          line,
        );
        const caller =
          direction === 'callers'
            ? other
              ? graph.symbol(other).qualifiedName
              : path
            : graph.symbol(place).qualifiedName;
        const callee =
          direction === 'callers'
            ? graph.symbol(place).qualifiedName
            : other
              ? graph.symbol(other).qualifiedName
              : edge.site.reference.name;
        trail.evidence(
          edge.site.file,
          line,
          `${caller} calls ${callee}${edge.confidence === 'exact' ? '' : ` (${edge.confidence})`}`,
          hop,
        );
        if (hop === 1 && lines.length < 25)
          lines.push(
            `- ${caller} calls ${callee} at ${path}:${line}${edge.confidence === 'exact' ? '' : ` (${edge.confidence})`}`,
          );
        count++;
        if (other && !seen.has(key(other))) {
          seen.add(key(other));
          next.push(other);
        }
        if (trail.full) break;
      }
    }
    if (hop > 1 && count > 0)
      lines.push(
        `Hop ${hop}: ${count} more call${count === 1 ? '' : 's'}, first at ${next[0] ? at(trail, next[0]) : 'places already seen'}.`,
      );
    request.onHop?.(hop, depth, count);
    frontier = next;
    await pause();
  }
  if (lines.length === 1)
    lines.push(
      direction === 'callers' ? 'No call of it was found in the index.' : 'It calls nothing that the index knows.',
    );
  return lines;
}

/** Breadth first along calls from one symbol to another. */
async function path(
  trail: Trail,
  { names }: Question,
  starts: readonly SymbolPlace[],
  depth: number,
  input: ResearchInput,
): Promise<string[]> {
  const { graph, view, request } = input;
  const goals = new Set(placesOf(input, names[1] ?? '').map(key));
  if (goals.size === 0)
    return [
      `No symbol ${names[1]} is in the index; ${names[0]} is at ${starts.map((place) => at(trail, place)).join(', ')}.`,
    ];
  const before = new Map<string, { readonly from: SymbolPlace; readonly edge: Edge }>();
  const isType = (place: SymbolPlace) => !['function', 'method', 'macro'].includes(graph.symbol(place).kind);
  let frontier = [...starts];
  const seen = new Set(starts.map(key));
  for (let hop = 1; hop <= Math.max(depth, 5) && frontier.length > 0; hop++) {
    checkAbort(request);
    const next: SymbolPlace[] = [];
    for (const place of frontier) {
      for (const { next: other, edge } of neighbours(trail, place, 'callees', USES)) {
        if (!other || seen.has(key(other))) continue;
        seen.add(key(other));
        before.set(key(other), { from: place, edge });
        if (goals.has(key(other))) return chain(trail, other, before, graph, view);
        next.push(other);
      }
      if (seen.size > 3_000) break;
    }
    request.onHop?.(hop, 5, next.length);
    // Through a method rather than through the whole type that holds it, where both lead on.
    frontier = next.sort((a, b) => Number(isType(a)) - Number(isType(b)));
    await pause();
  }
  trail.truncated = seen.size > 3_000;
  for (const place of starts) trail.node(place, 0);
  return [`No chain of calls from ${names[0]} (${at(trail, starts[0]!)}) to ${names[1]} was found within five steps.`];
}

function chain(
  trail: Trail,
  end: SymbolPlace,
  before: ReadonlyMap<string, { readonly from: SymbolPlace; readonly edge: Edge }>,
  graph: SymbolGraph,
  view: TreeView,
): string[] {
  const steps: { from: SymbolPlace; to: SymbolPlace; edge: Edge }[] = [];
  for (let place = end, step = before.get(key(place)); step; place = step.from, step = before.get(key(place)))
    steps.unshift({ from: step.from, to: place, edge: step.edge });
  return steps.map(({ from, to, edge }, i) => {
    const { path: file } = view.files[edge.site.file]!;
    const { line, kind } = edge.site.reference;
    trail.edge(
      trail.node(from, i),
      trail.node(to, i + 1),
      kind === 'call' ? 'calls' : 'uses',
      edge.confidence,
      file,
      line,
    );
    trail.evidence(
      edge.site.file,
      line,
      `step ${i + 1}: ${graph.symbol(from).qualifiedName} → ${graph.symbol(to).qualifiedName}`,
      i + 1,
    );
    return `${i + 1}. ${graph.symbol(from).qualifiedName} → ${graph.symbol(to).qualifiedName} at ${file}:${line}${edge.confidence === 'exact' ? '' : ` (${edge.confidence})`}`;
  });
}

function dependants(trail: Trail, name: string, depth: number, input: ResearchInput): string[] {
  const { graph, view, moduleOf, request } = input;
  const wanted = name.replace(/^\.\//, '').replace(/\/$/, '');
  const members = view.files.flatMap(({ path }, index) =>
    path === wanted ||
    path.replace(/\.[^./]+$/, '').endsWith(wanted) ||
    path.startsWith(`${wanted}/`) ||
    moduleOf(path) === wanted
      ? [index]
      : [],
  );
  if (members.length === 0) return [`No file or module ${name} is in the index.`];
  const inside = new Set(members);
  const seen = new Set(members);
  let frontier = members.slice(0, MAX_NODES);
  const lines: string[] = [];
  for (let hop = 1; hop <= depth && frontier.length > 0 && !trail.full; hop++) {
    checkAbort(request);
    const next: number[] = [];
    for (const file of frontier) {
      for (const other of graph.dependants(file).slice(0, PER_NODE * 3)) {
        if (inside.has(other) || trail.full) continue;
        const record = input.reader
          .detail(view.contentOf[other]!)
          .imports.find((entry) => graph.importOf(other, entry).files.includes(file));
        const line = record?.line ?? 1;
        trail.edge(
          trail.fileNode(other, hop),
          trail.fileNode(file, hop - 1),
          'imports',
          'exact',
          view.files[other]!.path,
          line,
        );
        trail.evidence(other, line, `${view.files[other]!.path} imports ${view.files[file]!.path}`, hop);
        if (hop === 1 && lines.length < 25)
          lines.push(`- ${view.files[other]!.path}:${line} imports ${view.files[file]!.path}`);
        if (!seen.has(other)) {
          seen.add(other);
          next.push(other);
        }
      }
    }
    request.onHop?.(hop, depth, next.length);
    frontier = next;
  }
  return lines.length > 0
    ? [`${seen.size - members.length} files depend on ${name} within ${depth} step${depth === 1 ? '' : 's'}:`, ...lines]
    : [`Nothing in the index imports ${name} (${view.files[members[0]!]!.path}:1).`];
}

/** Open questions: the best places, what they call, and what calls them. */
async function open(trail: Trail, depth: number, input: ResearchInput, question: Question): Promise<string[]> {
  const { graph, view, request } = input;
  const hits = (
    await input.search(
      question.kind === 'configuration' ? `${question.names[0]} configuration settings options` : request.query,
    )
  ).filter((hit) => hit.resultType !== 'documentation' || question.kind === 'configuration');
  const lines: string[] = [];
  let frontier: SymbolPlace[] = [];
  for (const hit of hits.slice(0, 6)) {
    const file = view.indexOfPath(hit.path);
    if (file < 0) continue;
    trail.evidence(
      file,
      hit.symbol?.startLine ?? hit.startLine,
      hit.symbol ? `${hit.symbol.qualifiedName} matches the question` : 'matches the question',
      0,
    );
    const doc = hit.symbol?.doc.split('\n')[0]?.trim();
    lines.push(
      `- ${hit.symbol?.qualifiedName ?? hit.title} (${hit.path}:${hit.symbol?.startLine ?? hit.startLine})${doc ? `: ${doc.slice(0, 160)}` : ''}`,
    );
    const place = hit.symbol
      ? graph
          .named(hit.symbol.name)
          .find((other) => other.file === file && graph.symbol(other).startLine === hit.symbol!.startLine)
      : undefined;
    if (place) {
      trail.node(place, 0);
      frontier.push(place);
    } else trail.fileNode(file, 0);
  }
  request.onHop?.(1, depth, lines.length);
  const seen = new Set(frontier.map(key));
  for (let hop = 1; hop < depth + 1 && frontier.length > 0 && !trail.full; hop++) {
    checkAbort(request);
    const next: SymbolPlace[] = [];
    for (const place of frontier.slice(0, PER_NODE)) {
      for (const direction of ['callees', 'callers'] as const) {
        for (const { next: other, edge } of neighbours(
          trail,
          place,
          direction,
          request.focus === 'dependencies' ? USES : CALLS,
        )
          .filter(({ edge }) => edge.confidence !== 'ambiguous')
          .slice(0, 6)) {
          if (!other || trail.full) continue;
          const [from, to] = direction === 'callees' ? [place, other] : [other, place];
          trail.edge(
            trail.node(from, hop),
            trail.node(to, hop),
            'calls',
            edge.confidence,
            view.files[edge.site.file]!.path,
            edge.site.reference.line,
          );
          trail.evidence(
            edge.site.file,
            edge.site.reference.line,
            `${graph.symbol(from).qualifiedName} calls ${graph.symbol(to).qualifiedName}`,
            hop,
          );
          if (!seen.has(key(other))) {
            seen.add(key(other));
            next.push(other);
          }
        }
      }
    }
    request.onHop?.(hop + 1, depth, next.length);
    frontier = next;
    await pause();
  }
  if (request.focus === 'architecture') lines.push(...architecture(input));
  return lines.length > 0
    ? ['The places that answer best, with what they call and what calls them:', ...lines]
    : ['Nothing in the index answers this; try the name of a symbol or a file.'];
}

/** Modules and what they import from each other, as sentences with a place each. */
function architecture({ graph, view, moduleOf }: ResearchInput): string[] {
  const edges = new Map<string, { count: number; place: string }>();
  view.files.slice(0, 3_000).forEach(({ path: from }, file) => {
    for (const other of graph.importedBy(file)) {
      const [a, b] = [moduleOf(from), moduleOf(view.files[other]!.path)];
      if (a === b || a === '' || b === '') continue;
      const known = edges.get(`${a} → ${b}`);
      if (known) known.count++;
      else edges.set(`${a} → ${b}`, { count: 1, place: `${from}:1` });
    }
  });
  return [...edges]
    .sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
    .slice(0, 15)
    .map(([name, { count, place }]) => `- module ${name}: ${count} import${count === 1 ? '' : 's'}, first at ${place}`);
}

function findCycles(edges: readonly ResearchEdge[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (id: string, trail: string[]) => {
    const at = trail.indexOf(id);
    if (at >= 0) {
      if (cycles.length < 10) cycles.push([...trail.slice(at), id]);
      return;
    }
    if (done.has(id)) return;
    for (const other of next.get(id) ?? []) visit(other, [...trail, id]);
    done.add(id);
  };
  for (const id of [...next.keys()].sort()) visit(id, []);
  return cycles;
}

function mermaidOf(nodes: readonly ResearchNode[], edges: readonly ResearchEdge[]): string {
  const shown = nodes.slice(0, 40);
  const names = new Map(shown.map((node, i) => [node.id, `n${i}`]));
  const lines = shown.map(
    (node) => `  ${names.get(node.id)}["${node.label.replace(/["[\]{}|<>]/g, "'").slice(0, 60)}"]`,
  );
  for (const { from, to, kind, confidence } of edges) {
    if (names.has(from) && names.has(to))
      lines.push(`  ${names.get(from)} ${confidence === 'exact' ? '-->' : '-.->'}|${kind}| ${names.get(to)}`);
  }
  return shown.length > 0 ? `flowchart LR\n${lines.join('\n')}` : '';
}

function nextQuestions(kind: Found['question'], nodes: readonly ResearchNode[]): string[] {
  const [first, second] = nodes.filter((node) => node.kind !== 'file');
  if (!first) return [];
  const questions = kind === 'callers' ? [`what does ${first.label} call`] : [`what calls ${first.label}`];
  if (second) questions.push(`how does ${second.label} reach ${first.label}`);
  if (['class', 'interface', 'protocol', 'trait', 'struct'].includes(first.kind))
    questions.push(`all implementations of ${first.label}`);
  return questions;
}

function key({ file, ordinal }: SymbolPlace): string {
  return `${file}:${ordinal}`;
}

function checkAbort(request: ResearchRequest): void {
  if (request.signal?.aborted) throw new EngineError('cancelled');
}

/** Lets cancellation and other requests in between hops. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
