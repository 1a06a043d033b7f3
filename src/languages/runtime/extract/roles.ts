/** The roles of captures in a query; language.ts documents them. */
import type { ReferenceKind, SymbolKind, Visibility } from '../../../model/records/symbol.ts';

export type Role =
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

/** The role of a capture name. Unknown names are ignored, so that a query may capture nodes for its own predicates. */
export function roleOf(name: string): Role {
  const known = roles.get(name);
  if (known) return known;
  let role: Role = { role: 'ignore' };
  if (name.startsWith('definition.')) role = { role: 'definition', kind: name.slice(11) as SymbolKind };
  else if (name.startsWith('visibility.')) role = { role: 'marker', visibility: name.slice(11) as Visibility };
  roles.set(name, role);
  return role;
}
