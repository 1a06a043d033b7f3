/** Joins the memories of a workspace's repositories: paths and modules begin with the repository's name. */
import type { Discovery } from '../../model/records/discovery.ts';
import type { Memories } from '../memory/memory-calls.ts';
import { searchedText } from '../memory/project-memory.ts';
import type { KnownContext } from '../memory/search-known.ts';
import type { JoinedProject } from './joined-project.ts';
import { type MemberPlace, moduleWithin, scopedPath } from './member-at.ts';

export async function joinMemories(
  memories: Memories,
  { members, joined: { view } }: JoinedProject,
  moduleOf: (path: string) => string,
  signal?: AbortSignal,
): Promise<KnownContext> {
  const each = await Promise.all(
    members.map(async (member) => ({ member, ...(await memories.known(member.opened, signal)) })),
  );
  const [first] = each;
  let isEmbedded = true;
  const recallOf: KnownContext['memory']['recallOf'] = async (texts, stopped) => {
    const recall = await first!.memory.recallOf(texts, stopped);
    isEmbedded = recall.isComplete;
    return recall;
  };
  return {
    view,
    moduleOf,
    discoveries: discoveriesWithin(
      each.map(({ member, discoveries }) => ({
        place: { ...member, root: member.opened.resolved.root },
        discoveries,
      })),
    ),
    memory: {
      recallOf,
      recall: (discoveries, _wanted, stopped) => recallOf(discoveries.map(searchedText), stopped),
      // Sessions belong to one project.
      sessions: { list: () => [] },
      isHistoryRead: each.every(({ memory }) => memory.isHistoryRead),
      get isEmbedded() {
        return isEmbedded;
      },
    },
  };
}

interface MemberDiscoveries {
  readonly place: MemberPlace;
  readonly discoveries: readonly Discovery[];
}

/** Lists each discovery of a project once, even if several packages of the project are queried. */
export function discoveriesWithin(each: readonly MemberDiscoveries[]): Discovery[] {
  const seen = new Set<string>();
  return each.flatMap(({ place, discoveries }) =>
    discoveries.flatMap((discovery) => {
      const key = `${place.root}\n${discovery.id}`;
      const within = seen.has(key) ? null : discoveryWithin(place, discovery);
      if (within) seen.add(key);
      return within ?? [];
    }),
  );
}

/** The discovery as the scope writes its paths; null if all of its evidence is outside of the member. */
function discoveryWithin(place: MemberPlace, discovery: Discovery): Discovery | null {
  const evidence = discovery.evidence.flatMap((one) => {
    const path = one.path === undefined ? undefined : scopedPath(place, one.path);
    return path === undefined ? one : path === null ? [] : { ...one, path };
  });
  if (evidence.length === 0 && discovery.evidence.length > 0) return null;
  return { ...discovery, module: moduleWithin(place, discovery.module), evidence };
}
