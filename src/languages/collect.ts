/** One pass over a query's matches: every capture by its role, without further questions to the tree than where nodes end. */
import type { ReferenceKind, SymbolKind, Visibility } from '../model/symbol.ts';
import type { Match } from './match.ts';
import type { Role } from './roles.ts';
import type { SyntaxNode } from './syntax-node.ts';

export interface FoundDefinition {
  readonly kind: SymbolKind;
  readonly node: SyntaxNode;
  readonly name: SyntaxNode;
  readonly body: SyntaxNode | null;
  readonly receiver: SyntaxNode | null;
  readonly pattern: number;
  readonly captureCount: number;
}

export interface FoundReference {
  readonly kind: ReferenceKind;
  readonly node: SyntaxNode;
  readonly receiver: SyntaxNode | null;
}

export interface FoundImport {
  readonly node: SyntaxNode | null;
  readonly source: SyntaxNode | null;
  readonly alias: SyntaxNode | null;
  /** Names and, negative in sign, their local names: in the order of the text. */
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
  /** Names of what is declared elsewhere: no references. */
  readonly declared: SyntaxNode[];
  package: SyntaxNode | null;
}

export function collect(matches: readonly Match[], roles: readonly Role[]): Found {
  const found: Found = {
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
  for (const { pattern, captures, nodes } of matches) {
    let definition: SyntaxNode | null = null;
    let kind: SymbolKind = 'function';
    let body: SyntaxNode | null = null;
    let receiver: SyntaxNode | null = null;
    let referenceReceiver: SyntaxNode | null = null;
    let scope: SyntaxNode | null = null;
    let scopeName: SyntaxNode | null = null;
    let section: SyntaxNode | null = null;
    let title: SyntaxNode | null = null;
    let names: SyntaxNode[] | null = null;
    let imported: {
      node: SyntaxNode | null;
      source: SyntaxNode | null;
      alias: SyntaxNode | null;
      names: { node: SyntaxNode; local: boolean }[];
    } | null = null;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      const role = roles[captures[i]!]!;
      switch (role.role) {
        case 'reference':
          found.references.push({ kind: role.kind, node, receiver: referenceReceiver });
          referenceReceiver = null;
          break;
        case 'reference.receiver':
          referenceReceiver = node;
          break;
        case 'definition':
          definition = node;
          kind = role.kind;
          break;
        case 'name':
          if (names) names.push(node);
          else names = [node];
          break;
        case 'body':
          body ??= node;
          break;
        case 'receiver':
          receiver = node;
          break;
        case 'comment':
          found.comments.push(node);
          break;
        case 'attribute':
          found.attributes.push(node);
          break;
        case 'scope':
          scope = node;
          break;
        case 'scope.name':
          scopeName = node;
          break;
        case 'doc':
        case 'doc.inside':
          found.docs.push({ node, inside: role.role === 'doc.inside' });
          break;
        case 'declared':
          found.declared.push(node);
          break;
        case 'marker':
          found.markers.push({ node, visibility: role.visibility });
          break;
        case 'package':
          found.package ??= node;
          break;
        case 'section':
          section = node;
          break;
        case 'section.title':
          title = node;
          break;
        case 'ignore':
          break;
        default: {
          imported ??= { node: null, source: null, alias: null, names: [] };
          if (role.role === 'import') imported.node = node;
          else if (role.role === 'import.source') imported.source = node;
          else if (role.role === 'import.alias') imported.alias = node;
          else imported.names.push({ node, local: role.role === 'import.local' });
        }
      }
    }
    if (definition && names)
      for (const name of names)
        found.definitions.push({
          kind,
          node: definition,
          name,
          body,
          receiver,
          pattern,
          captureCount: nodes.length,
        });
    if (scope) found.scopes.push({ node: scope, name: scopeName });
    if (section) found.sections.push({ node: section, title });
    if (imported) found.imports.push(imported);
  }
  return found;
}
