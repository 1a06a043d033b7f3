/**
 * Finds calls of `super`. They do not contain the name of the method that they call, so a search for it misses them.
 */
import { CONTAINER_KINDS, type ReferenceKind } from '../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from './graph-tree.ts';
import type { Site } from './resolving/resolution.ts';
import type { Types } from './resolving/types.ts';
import type { Sites } from './sites.ts';

const INHERITED: ReadonlySet<ReferenceKind> = new Set(['inherit', 'conform', 'extend']);

/** Calls of `super` in files in which a type inherits the target, or the type that the target is a method of. */
export function superCalls(tree: GraphTree, types: Types, sites: Sites, target: SymbolPlace): Site[] {
  const { superCalls: means, superWord } = tree.rules(target.file);
  const isType = CONTAINER_KINDS.has(tree.symbol(target).kind);
  if (means === 'none' || isType !== (means === 'constructor')) return [];
  const type = isType ? target : types.ownerOf(target);
  if (!type) return [];
  const files = new Set(sites.of(type, INHERITED).map(({ file }) => file));
  return [...files].flatMap((file) =>
    sites
      .in(file)
      .filter(({ name, kind, receiver }) => name === superWord && kind === 'call' && receiver === '')
      .map((reference) => ({ file, reference })),
  );
}
