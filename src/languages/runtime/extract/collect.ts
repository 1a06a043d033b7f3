/** Sorts all captures of a query's matches by role in one pass. The only question to the tree is where nodes end. */
import type { ReferenceKind, SymbolKind, Visibility } from '../../../model/records/symbol.ts';
import { SyntaxNode, type SyntaxTree } from '../grammar/syntax-node.ts';
import type { MatchSink } from './match.ts';
import type { Role } from './roles.ts';

export interface FoundDefinition {
  readonly kind: SymbolKind;
  readonly node: SyntaxNode;
  readonly name: SyntaxNode;
  readonly body: SyntaxNode | null;
  readonly receiver: SyntaxNode | null;
  readonly pattern: number;
  readonly captureCount: number;
}

/** A reference and the node of its name as one object, because most matches are references. */
export class FoundReference extends SyntaxNode {
  readonly kind: ReferenceKind;
  readonly receiver: SyntaxNode | null;

  constructor(tree: SyntaxTree, at: number, kind: ReferenceKind, receiver: SyntaxNode | null) {
    const heap = tree.runtime.HEAP32;
    super(tree, heap[at]!, heap[at + 1]!, heap[at + 2]!, heap[at + 3]!, heap[at + 4]!);
    this.kind = kind;
    this.receiver = receiver;
  }
}

export interface FoundImport {
  readonly node: SyntaxNode | null;
  readonly source: SyntaxNode | null;
  readonly alias: SyntaxNode | null;
  /** Imported names and, with a negative sign, their local names, in text order. */
  readonly names: readonly { readonly node: SyntaxNode; readonly local: boolean }[];
}

export interface Found {
  readonly definitions: FoundDefinition[];
  readonly references: FoundReference[];
  readonly imports: FoundImport[];
  readonly comments: SyntaxNode[];
  readonly attributes: SyntaxNode[];
  readonly scopes: { readonly node: SyntaxNode; readonly name: SyntaxNode | null }[];
  readonly docs: { readonly node: SyntaxNode; readonly inside: boolean }[];
  readonly markers: { readonly node: SyntaxNode; readonly visibility: Visibility }[];
  readonly sections: { readonly node: SyntaxNode; readonly title: SyntaxNode | null }[];
  /** Names in declarations about symbols that are defined elsewhere: they are no references. */
  readonly declared: SyntaxNode[];
  package: SyntaxNode | null;
}

/** The captures of a match that need further work: all but references and comments. */
interface Parts {
  definition: SyntaxNode | null;
  kind: SymbolKind;
  names: SyntaxNode[];
  body: SyntaxNode | null;
  receiver: SyntaxNode | null;
  scope: SyntaxNode | null;
  scopeName: SyntaxNode | null;
  section: SyntaxNode | null;
  title: SyntaxNode | null;
  imported: {
    node: SyntaxNode | null;
    source: SyntaxNode | null;
    alias: SyntaxNode | null;
    names: { node: SyntaxNode; local: boolean }[];
  } | null;
}

export class Collector implements MatchSink {
  readonly found: Found = {
    definitions: [],
    references: [],
    imports: [],
    comments: [],
    attributes: [],
    scopes: [],
    docs: [],
    markers: [],
    sections: [],
    declared: [],
    package: null,
  };
  readonly #tree: SyntaxTree;
  readonly #roles: readonly Role[];
  /** Captures of the current match. */
  #receiver: SyntaxNode | null = null;
  #parts: Parts | null = null;

  constructor(tree: SyntaxTree, roles: readonly Role[]) {
    this.#tree = tree;
    this.#roles = roles;
  }

  capture(index: number, at: number): void {
    const role = this.#roles[index]!;
    if (role.role === 'reference') {
      this.found.references.push(new FoundReference(this.#tree, at, role.kind, this.#receiver));
      this.#receiver = null;
    } else if (role.role === 'reference.receiver') this.#receiver = this.#tree.read(at);
    else if (role.role === 'comment') this.found.comments.push(this.#tree.read(at)!);
    else if (role.role !== 'ignore') this.#keep(role, this.#tree.read(at)!);
  }

  end(pattern: number, captureCount: number): void {
    this.#receiver = null;
    const parts = this.#parts;
    if (!parts) return;
    this.#parts = null;
    const { definition, scope, section, imported, kind, body, receiver } = parts;
    if (definition)
      for (const name of parts.names)
        this.found.definitions.push({ kind, node: definition, name, body, receiver, pattern, captureCount });
    if (scope) this.found.scopes.push({ node: scope, name: parts.scopeName });
    if (section) this.found.sections.push({ node: section, title: parts.title });
    if (imported) this.found.imports.push(imported);
  }

  #keep(role: Role, node: SyntaxNode): void {
    const { found } = this;
    this.#parts ??= noParts();
    const parts = this.#parts;
    switch (role.role) {
      case 'definition':
        parts.definition = node;
        parts.kind = role.kind;
        return;
      case 'name':
        parts.names.push(node);
        return;
      case 'body':
        parts.body ??= node;
        return;
      case 'receiver':
        parts.receiver = node;
        return;
      case 'attribute':
        found.attributes.push(node);
        return;
      case 'scope':
        parts.scope = node;
        return;
      case 'scope.name':
        parts.scopeName = node;
        return;
      case 'doc':
      case 'doc.inside':
        found.docs.push({ node, inside: role.role === 'doc.inside' });
        return;
      case 'declared':
        found.declared.push(node);
        return;
      case 'marker':
        found.markers.push({ node, visibility: role.visibility });
        return;
      case 'package':
        found.package ??= node;
        return;
      case 'section':
        parts.section = node;
        return;
      case 'section.title':
        parts.title = node;
        return;
    }
    parts.imported ??= { node: null, source: null, alias: null, names: [] };
    if (role.role === 'import') parts.imported.node = node;
    else if (role.role === 'import.source') parts.imported.source = node;
    else if (role.role === 'import.alias') parts.imported.alias = node;
    else parts.imported.names.push({ node, local: role.role === 'import.local' });
  }
}

function noParts(): Parts {
  return {
    definition: null,
    kind: 'function',
    names: [],
    body: null,
    receiver: null,
    scope: null,
    scopeName: null,
    section: null,
    title: null,
    imported: null,
  };
}
