/**
 * Finds calls over a network: a requested address and the function that serves it, the rpc of a service and calls of
 * its generated client, a field of a schema and the operations that select it. Both sides must be literals. Only text
 * joins them, so an edge is at most `likely`.
 */
import { languageById } from '../../languages/registry.ts';
import type { Reference, ReferenceKind, SymbolRecord } from '../../model/records/symbol.ts';
import { identifierTerms } from '../../model/text/terms.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { FUNCTION_KINDS } from '../resolving/kinds.ts';
import type { Site } from '../resolving/resolution.ts';
import type { Sites } from '../sites.ts';
import { type Endpoint, endpointText, isJoined, readEndpoints } from './http-endpoints.ts';
import { type AskedField, readOperations } from './operations.ts';

export interface WireEdge {
  readonly site: Site;
  /** Null if the code at the other end is outside of all symbols. */
  readonly next: SymbolPlace | null;
  /** The route or method that both sides name: `POST /orders`. */
  readonly wire: string;
}

/** Files that are searched for one word. */
const MAX_FILES = 200;
/** Total size of these files. */
const MAX_BYTES = 4_000_000;
/** Routes that one symbol serves, or addresses that it requests. */
const MAX_ROUTES = 50;
/** Registrations that may name a symbol as handler. */
const MAX_REGISTRATIONS = 500;
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
/** Lines between a decorator and what it decorates. */
const MAX_ABOVE = 12;

export class WireJoins {
  readonly #tree: GraphTree;
  readonly #sites: Sites;
  readonly #endpoints = new Map<number, readonly Endpoint[]>();
  readonly #operations = new Map<number, readonly AskedField[]>();

  constructor(tree: GraphTree, sites: Sites) {
    this.#tree = tree;
    this.#sites = sites;
  }

  /** Network calls of a symbol. */
  callers(place: SymbolPlace): WireEdge[] {
    const kind = this.#wireOf(place.file);
    if (kind === 'services') return this.#clientCalls(place);
    if (kind === 'operations') return this.#selections(place);
    if (!FUNCTION_KINDS.has(this.#tree.symbol(place).kind)) return [];
    return this.#routesOf(place).flatMap((route) =>
      this.#matching(route, 'asks').map(({ file, endpoint }) => {
        const site = this.#siteOf(file, endpoint.line, endpoint.column, endpointText(endpoint));
        return { site, next: this.#around(site), wire: endpointText(route) };
      }),
    );
  }

  /** Network calls that a symbol makes. */
  callees(place: SymbolPlace): WireEdge[] {
    const { startLine, endLine } = this.#tree.symbol(place);
    const isInside = (line: number) => line >= startLine && line <= endLine;
    const requests = this.#endpointsOf(place.file)
      .filter(({ side, line }) => side === 'asks' && isInside(line))
      .slice(0, MAX_ROUTES);
    const routes = requests.flatMap((endpoint) =>
      this.#matching(endpoint, 'serves').flatMap(({ file, endpoint: route }) => {
        const site = this.#siteOf(place.file, endpoint.line, endpoint.column, endpointText(endpoint));
        return this.#handlersOf(file, route).map((next) => ({ site, next, wire: endpointText(route) }));
      }),
    );
    return [...routes, ...this.#rpcsCalledIn(place.file, isInside), ...this.#fieldsSelectedIn(place.file, isInside)];
  }

  #wireOf(file: number) {
    return languageById(this.#tree.language(file))?.wire ?? null;
  }

  #endpointsOf(file: number): readonly Endpoint[] {
    const row = this.#tree.view.contentOf[file]!;
    let known = this.#endpoints.get(row);
    if (!known) {
      known = readEndpoints(this.#tree.lines(file));
      this.#endpoints.set(row, known);
    }
    return known;
  }

  /** Routes that a function serves: written above it, or registered with its name. */
  #routesOf(place: SymbolPlace): Endpoint[] {
    const { name } = this.#tree.symbol(place);
    const isHere = (file: number, route: Endpoint) =>
      this.#handlersOf(file, route).some(({ file: own, ordinal }) => own === place.file && ordinal === place.ordinal);
    const files = new Set([place.file, ...this.#filesWith(name)]);
    return [...files]
      .flatMap((file) =>
        this.#endpointsOf(file)
          .filter((route) => route.side === 'serves' && (route.isAbove ? file === place.file : route.handler === name))
          .map((route) => ({ file, route })),
      )
      .slice(0, MAX_REGISTRATIONS)
      .filter(({ file, route }) => isHere(file, route))
      .slice(0, MAX_ROUTES)
      .map(({ route }) => route);
  }

  /** The functions that serve a route; several where the name is not unique. */
  #handlersOf(file: number, { handler, isAbove, line }: Endpoint): SymbolPlace[] {
    const { symbols } = this.#tree.table(file);
    const isFunction = ({ kind }: SymbolRecord) => FUNCTION_KINDS.has(kind);
    if (isAbove) {
      const ordinal = symbols.findIndex(
        (symbol) => isFunction(symbol) && symbol.nameLine >= line && symbol.nameLine <= line + MAX_ABOVE,
      );
      return ordinal < 0 ? [] : [{ file, ordinal }];
    }
    if (handler === '') {
      const around = this.#around(this.#siteOf(file, line, 1, ''));
      return around ? [around] : [];
    }
    const inFile = symbols.findIndex((symbol) => symbol.name === handler && isFunction(symbol));
    if (inFile >= 0) return [{ file, ordinal: inFile }];
    const [root] = this.#tree.path(file).split('/');
    const isRelated = this.#tree.related(file);
    const named = this.#tree.named(handler, isRelated).filter((place) => isFunction(this.#tree.symbol(place)));
    const near = named.filter((place) => this.#tree.path(place.file).split('/')[0] === root);
    return near.length > 0 ? near.slice(0, 3) : named.slice(0, 3);
  }

  /** Endpoints of the other side, in the files that have the rarest word of the path. */
  #matching(endpoint: Endpoint, side: Endpoint['side']): { readonly file: number; readonly endpoint: Endpoint }[] {
    const fixed = endpoint.path.filter((part) => part !== '*').sort((a, b) => b.length - a.length);
    return this.#filesWith(fixed[0]!).flatMap((file) =>
      this.#endpointsOf(file)
        .filter((other) => other.side === side)
        .filter((other) => (side === 'asks' ? isJoined(endpoint, other) : isJoined(other, endpoint)))
        .map((other) => ({ file, endpoint: other })),
    );
  }

  /** Calls of an rpc's name in files that name the generated client of its service. */
  #clientCalls(place: SymbolPlace): WireEdge[] {
    const { name, parent, kind } = this.#tree.symbol(place);
    const service = parent >= 0 ? this.#tree.table(place.file).symbols[parent]!.name : '';
    if (kind !== 'method' || service === '') return [];
    const isClient = clientOf(service);
    const spellings = new Set([name, name[0]!.toLowerCase() + name.slice(1), snakeCase(name)]);
    return [...spellings].flatMap((spelling) =>
      this.#sites
        .named(spelling, CALLS, (file) => isClient.test(this.#tree.text(file)))
        .map((site) => ({ site, next: this.#around(site), wire: `rpc ${service}.${name}` })),
    );
  }

  #rpcsCalledIn(file: number, isInside: (line: number) => boolean): WireEdge[] {
    const text = this.#tree.text(file);
    const hasClient = new Map<string, boolean>();
    const known = new Map<string, readonly Pick<WireEdge, 'next' | 'wire'>[]>();
    const findRpcs = (name: string) =>
      this.#tree
        .named(name, (other) => this.#wireOf(other) === 'services')
        .flatMap((next) => {
          const { parent, kind } = this.#tree.symbol(next);
          const service = parent >= 0 ? this.#tree.table(next.file).symbols[parent]!.name : '';
          if (kind !== 'method' || service === '') return [];
          if (!hasClient.has(service)) hasClient.set(service, clientOf(service).test(text));
          return hasClient.get(service) ? [{ next, wire: `rpc ${service}.${name}` }] : [];
        });
    return this.#sites
      .in(file)
      .filter(({ kind, line }) => kind === 'call' && isInside(line))
      .flatMap((reference) => {
        const name = upperCamel(reference.name);
        if (!known.has(name)) known.set(name, findRpcs(name));
        return known.get(name)!.map((rpc) => ({ site: { file, reference }, ...rpc }));
      });
  }

  /** Operations that select a field of the schema's roots. */
  #selections(place: SymbolPlace): WireEdge[] {
    const { name, parent } = this.#tree.symbol(place);
    const root = parent >= 0 ? this.#tree.table(place.file).symbols[parent]!.name : '';
    return this.#filesWith(name).flatMap((file) =>
      this.#operationsIn(file)
        .filter((field) => field.name === name && field.root === root)
        .map(({ line }) => {
          const site = this.#siteOf(file, line, 1, name);
          return { site, next: this.#around(site), wire: `${root}.${name}` };
        }),
    );
  }

  #fieldsSelectedIn(file: number, isInside: (line: number) => boolean): WireEdge[] {
    if (!/\b(?:query|mutation|subscription)\b/.test(this.#tree.text(file))) return [];
    return this.#operationsIn(file)
      .filter(({ line }) => isInside(line))
      .flatMap(({ name, root, line }) =>
        this.#tree
          .named(name, (other) => this.#wireOf(other) === 'operations')
          .filter((next) => this.#tree.symbol(next).qualifiedName === `${root}.${name}`)
          .map((next) => ({ site: this.#siteOf(file, line, 1, name), next, wire: `${root}.${name}` })),
      );
  }

  #operationsIn(file: number): readonly AskedField[] {
    const row = this.#tree.view.contentOf[file]!;
    let known = this.#operations.get(row);
    if (!known) {
      known = readOperations(this.#tree.text(file), this.#wireOf(file) === 'operations');
      this.#operations.set(row, known);
    }
    return known;
  }

  #filesWith(word: string): number[] {
    const { parts, whole } = identifierTerms(word);
    const { reader, view } = this.#tree;
    const files = new Set<number>();
    for (const chunk of reader.postings('text', whole || (parts[0] ?? word)).docs) {
      const first = view.fileOfChunk[chunk] ?? -1;
      if (first >= 0) for (const file of view.filesOfContent(view.contentOf[first]!)) files.add(file);
      if (files.size >= MAX_FILES) break;
    }
    let left = MAX_BYTES;
    return [...files]
      .sort((a, b) => a - b)
      .filter((file) => {
        left -= view.files[file]!.size;
        return left >= 0;
      });
  }

  #siteOf(file: number, line: number, column: number, name: string): Site {
    const from = this.#tree.symbolAt(file, line);
    const reference: Reference = { kind: 'call', name, receiver: '', line, column, from };
    return { file, reference };
  }

  #around({ file, reference: { from } }: Site): SymbolPlace | null {
    return from >= 0 ? { file, ordinal: from } : null;
  }
}

/** Matches names that generators give to the client of a service. */
function clientOf(service: string): RegExp {
  const snake = snakeCase(service);
  return new RegExp(
    `\\b(?:New)?${service}(?:Service)?(?:Client|Stub|Grpc|\\w*Stub)\\b|\\b${snake}_(?:service_)?client\\b`,
  );
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

function upperCamel(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
