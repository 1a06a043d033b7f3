/** One pass over a query's matches: every capture by its role, without further questions to the tree than where nodes end. */
import type { Node, QueryMatch } from 'web-tree-sitter';
import type { ReferenceKind, SymbolKind, Visibility } from '../model/symbol.ts';

export interface FoundDefinition {
  readonly kind: SymbolKind;
  readonly node: Node;
  readonly name: Node;
  readonly body: Node | null;
  readonly receiver: Node | null;
  readonly pattern: number;
  readonly captureCount: number;
}

export interface FoundReference {
  readonly kind: ReferenceKind;
  readonly node: Node;
  readonly receiver: Node | null;
}

export interface FoundImport {
  readonly node: Node | null;
  readonly source: Node | null;
  readonly alias: Node | null;
  /** Names and, negative in sign, their local names: in the order of the text. */
  readonly names: readonly { readonly node: Node; readonly local: boolean }[];
}

export interface Found {
  readonly definitions: FoundDefinition[];
  readonly references: FoundReference[];
  readonly imports: FoundImport[];
  readonly comments: Node[];
  readonly attributes: Node[];
  readonly scopes: { readonly node: Node; readonly name: Node | null }[];
  readonly docs: { readonly node: Node; readonly inside: boolean }[];
  readonly markers: { readonly node: Node; readonly visibility: Visibility }[];
  readonly sections: { readonly node: Node; readonly title: Node | null }[];
  /** Names of what is declared elsewhere: no references. */
  readonly declared: Node[];
  package: Node | null;
}

type Role =
  | { readonly role: 'definition'; readonly kind: SymbolKind }
  | { readonly role: 'reference'; readonly kind: ReferenceKind }
  | { readonly role: 'marker'; readonly visibility: Visibility }
  | { readonly role: PlainRole };
const PLAIN = [
  'name',
  'body',
  'receiver',
  'scope',
  'scope.name',
  'doc',
  'doc.inside',
  'declared',
  'comment',
  'attribute',
  'import',
  'import.source',
  'import.name',
  'import.local',
  'import.alias',
  'package',
  'section',
  'section.title',
  'ignore',
] as const;
type PlainRole = (typeof PLAIN)[number] | 'reference.receiver';

const REFERENCES: readonly ReferenceKind[] = ['call', 'type', 'inherit', 'conform', 'extend', 'read'];
const roles = new Map<string, Role>();
for (const role of PLAIN) roles.set(role, { role });
for (const kind of REFERENCES) {
  roles.set(kind, { role: 'reference', kind });
  roles.set(`${kind}.name`, { role: 'reference', kind });
  roles.set(`${kind}.receiver`, { role: 'reference.receiver' });
}

/** Learns the capture names of a query; unknown ones are ignored, so that a query may name nodes for its own predicates. */
function roleOf(name: string): Role {
  const known = roles.get(name);
  if (known) return known;
  let role: Role = { role: 'ignore' };
  if (name.startsWith('definition.')) role = { role: 'definition', kind: name.slice(11) as SymbolKind };
  else if (name.startsWith('visibility.')) role = { role: 'marker', visibility: name.slice(11) as Visibility };
  roles.set(name, role);
  return role;
}

export function collect(matches: readonly QueryMatch[]): Found {
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
  for (const { captures, patternIndex } of matches) {
    let definition: Node | null = null;
    let kind: SymbolKind = 'function';
    let body: Node | null = null;
    let receiver: Node | null = null;
    let referenceReceiver: Node | null = null;
    let scope: Node | null = null;
    let scopeName: Node | null = null;
    let section: Node | null = null;
    let title: Node | null = null;
    let names: Node[] | null = null;
    let imported: {
      node: Node | null;
      source: Node | null;
      alias: Node | null;
      names: { node: Node; local: boolean }[];
    } | null = null;
    for (const { name, node } of captures) {
      const role = roles.get(name) ?? roleOf(name);
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
          pattern: patternIndex,
          captureCount: captures.length,
        });
    if (scope) found.scopes.push({ node: scope, name: scopeName });
    if (section) found.sections.push({ node: section, title });
    if (imported) found.imports.push(imported);
  }
  return found;
}
