/**
 * Collects what a walk finds, within a budget: nodes, edges, and the lines that prove them. Between hops it reports
 * progress and stops a cancelled walk.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type {
  Confidence,
  Hit,
  ResearchEdge,
  ResearchEvidence,
  ResearchNode,
  ResearchRequest,
  SymbolInfo,
} from '../../model/records/query.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { SymbolGraph, SymbolPlace } from '../symbol-graph.ts';

export interface ResearchInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly request: ResearchRequest;
  readonly moduleOf: (path: string) => string;
  /** The search room's hits for a question, from which a walk can begin. */
  readonly search: (query: string) => Promise<readonly Hit[]>;
  /** Symbols with a similar name. */
  readonly similar: (name: string) => readonly SymbolInfo[];
}

const MAX_NODES = 120;
const MAX_EVIDENCE = 60;
const MAX_SNIPPET = 600;

export class EvidenceTrail {
  readonly input: ResearchInput;
  readonly depth: number;
  readonly #nodes = new Map<string, ResearchNode>();
  readonly #edges = new Map<string, ResearchEdge>();
  readonly #evidence = new Map<string, ResearchEvidence>();
  truncated = false;
  /** Cycles that the answer found itself; null: they are computed from the edges. */
  cycles: string[][] | null = null;

  constructor(input: ResearchInput) {
    this.input = input;
    this.depth = Math.min(5, Math.max(1, Math.trunc(input.request.depth ?? 2)));
  }

  /** No node fits any more. Reading this marks the answer as truncated if so. */
  get full(): boolean {
    if (this.#nodes.size >= MAX_NODES) this.truncated = true;
    return this.#nodes.size >= MAX_NODES;
  }

  /** Whether nodes and evidence still fit, for answers whose text is complete without them. */
  get room(): { readonly nodes: boolean; readonly evidence: boolean } {
    return { nodes: this.#nodes.size < MAX_NODES, evidence: this.#evidence.size < MAX_EVIDENCE };
  }

  get nodes(): readonly ResearchNode[] {
    return [...this.#nodes.values()];
  }

  get edges(): readonly ResearchEdge[] {
    return [...this.#edges.values()];
  }

  get evidence(): readonly ResearchEvidence[] {
    return [...this.#evidence.values()].sort((a, b) => a.hop - b.hop);
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

  /** A module, at the line that first shows a dependency of it. */
  moduleNode(name: string, path: string, line: number): string {
    const id = `module:${name}`;
    if (!this.#nodes.has(id)) this.#nodes.set(id, { id, label: name, kind: 'module', path, line, hop: 1 });
    return id;
  }

  edge(from: string, to: string, kind: string, confidence: Confidence, path: string, line: number): void {
    const key = `${from}\n${to}\n${kind}`;
    if (!this.#edges.has(key)) this.#edges.set(key, { from, to, kind, confidence, path, line });
  }

  prove(file: number, line: number, why: string, hop: number): void {
    const { view, reader } = this.input;
    const { path } = view.files[file]!;
    const key = `${path}:${line} ${why}`;
    if (this.#evidence.has(key)) return;
    if (this.#evidence.size >= MAX_EVIDENCE) {
      this.truncated = true;
      return;
    }
    const lines = reader.text(view.contentOf[file]!).split('\n');
    const startLine = Math.max(1, line - 1);
    const endLine = Math.min(lines.length, line + 1);
    const snippet = lines
      .slice(startLine - 1, endLine)
      .join('\n')
      .slice(0, MAX_SNIPPET);
    this.#evidence.set(key, { path, startLine, endLine, snippet, why, hop });
  }

  /** `path:line` of a symbol's name. */
  at(place: SymbolPlace): string {
    return `${this.input.view.files[place.file]!.path}:${this.input.graph.symbol(place).nameLine}`;
  }

  name(place: SymbolPlace): string {
    return this.input.graph.symbol(place).qualifiedName;
  }

  path(file: number): string {
    return this.input.view.files[file]!.path;
  }

  /** Called between hops: reports progress, yields to the event loop, and throws if the walk was cancelled. */
  async hop(hop: number, total: number, found: number): Promise<void> {
    this.input.request.onHop?.(hop, total, found);
    await new Promise((resolve) => setImmediate(resolve));
    this.checkAbort();
  }

  checkAbort(): void {
    if (this.input.request.signal?.aborted) throw new EngineError('cancelled');
  }
}

/** The confidence behind a sentence, nothing for `exact`. */
export function hedge(confidence: Confidence): string {
  return confidence === 'exact' ? '' : ` (${confidence})`;
}
