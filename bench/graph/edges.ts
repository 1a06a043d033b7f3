/** The edges of one program at the calls of a tree, in a form that allows comparing two programs. */
export interface CallEdge {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** The program itself calls the edge certain. */
  readonly sure: boolean;
  /** The edge names one target instead of several candidates. */
  readonly decided: boolean;
  /** `path:line` of its target or candidates. */
  readonly targets: readonly string[];
}

export interface CallEdges {
  /** The program read the file. */
  has(path: string): boolean;
  /** Edges of a name on a line. */
  at(path: string, line: number, name: string): readonly CallEdge[];
}

export class EdgeTable implements CallEdges {
  readonly #files = new Set<string>();
  readonly #edges = new Map<string, CallEdge[]>();

  addFile(path: string): void {
    this.#files.add(path);
  }

  add(path: string, edge: CallEdge): void {
    const key = `${path}\t${edge.line}\t${edge.name}`;
    const known = this.#edges.get(key);
    if (known) known.push(edge);
    else this.#edges.set(key, [edge]);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  at(path: string, line: number, name: string): readonly CallEdge[] {
    return this.#edges.get(`${path}\t${line}\t${name}`) ?? [];
  }
}
