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
  const memberMemories = await Promise.all(
    members.map(async (member) => ({ member, ...(await memories.known(member.opened, signal)) })),
  );
  const [first] = memberMemories;
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
      memberMemories.map(({ member, discoveries }) => ({
        place: { ...member, root: member.opened.resolved.root },
        discoveries,
      })),
    ),
    memory: {
      recallOf,
      recall: (discoveries, _wanted, stopped) => recallOf(discoveries.map(searchedText), stopped),
      // Sessions belong to one project.
      sessions: { list: () => [] },
      isHistoryRead: memberMemories.every(({ memory }) => memory.isHistoryRead),
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
export function discoveriesWithin(members: readonly MemberDiscoveries[]): Discovery[] {
  const seen = new Set<string>();
  return members.flatMap(({ place, discoveries }) =>
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
  const evidence = discovery.evidence.flatMap((item) => {
    const path = item.path === undefined ? undefined : scopedPath(place, item.path);
    return path === undefined ? item : path === null ? [] : { ...item, path };
  });
  if (evidence.length === 0 && discovery.evidence.length > 0) return null;
  return { ...discovery, module: moduleWithin(place, discovery.module), evidence };
}
