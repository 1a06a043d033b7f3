/** Chooses which of several definitions of one name a question is about. */
import type { SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import type { EvidenceTrail } from './evidence-trail.ts';
import { USES } from './walk.ts';

export interface Chosen {
  readonly starts: readonly SymbolPlace[];
  /** Definitions of the same name that the answer leaves out. */
  readonly alternatives: readonly SymbolPlace[];
}

/**
 * Functions of one name in different folders are different functions, such as a program's own and a copy in a
 * dependency. The one with the most references is chosen, with declarations and definitions of the same folder. Members
 * of types are left alone: a question tells them apart by the type.
 */
export function chooseDefinition(trail: EvidenceTrail, starts: readonly SymbolPlace[], isQualified: boolean): Chosen {
  const { graph } = trail.input;
  const isApart = starts.every((place) => graph.around(place).length === 1);
  const folders = new Map<string, SymbolPlace[]>();
  for (const place of starts) {
    const folder = trail.path(place.file).replace(/[^/]*$/, '');
    folders.set(folder, [...(folders.get(folder) ?? []), place]);
  }
  const names = new Set(starts.map((place) => trail.name(place)));
  const isDefined = (place: SymbolPlace) => !graph.symbol(place).signature.endsWith(';');
  const groups = [...folders.values()].filter((places) => places.some(isDefined));
  if (isQualified || !isApart || names.size > 1 || groups.length < 2) return { starts, alternatives: [] };
  const [best, ...others] = groups
    .map((places) => ({ places, uses: usesOf(trail, places) }))
    .sort((a, b) => b.uses - a.uses || depthOf(trail, a.places) - depthOf(trail, b.places));
  const declared = starts.filter((place) => !groups.flat().includes(place));
  return {
    starts: [...best!.places, ...declared],
    alternatives: others.flatMap(({ places }) => places.filter(isDefined).slice(0, 1)),
  };
}

/** Files deep in the folders are more often vendored. */
function depthOf(trail: EvidenceTrail, [first]: readonly SymbolPlace[]): number {
  return trail.path(first!.file).split('/').length;
}

function usesOf({ input: { graph } }: EvidenceTrail, places: readonly SymbolPlace[]): number {
  const sites = new Set<string>();
  for (const place of places)
    for (const { site, confidence } of graph.references(place, USES))
      if (confidence !== 'ambiguous' && !graph.isTest(site))
        sites.add(keyOf({ file: site.file, ordinal: site.reference.line }));
  return sites.size;
}
