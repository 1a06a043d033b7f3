/** The memories of a workspace's repositories as one: paths and modules begin with the repository's name. */
import type { Discovery } from '../../model/records/discovery.ts';
import type { Memories } from '../memory/memory-calls.ts';
import { searchedText } from '../memory/project-memory.ts';
import type { KnownContext } from '../memory/search-known.ts';
import type { JoinedProject } from './joined-project.ts';

export async function knownInAll(
  memories: Memories,
  { members, joined: { view } }: JoinedProject,
  moduleOf: (path: string) => string,
  signal?: AbortSignal,
): Promise<KnownContext> {
  const each = await Promise.all(
    members.map(async ({ name, opened }) => ({ name, ...(await memories.known(opened, signal)) })),
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
    discoveries: each.flatMap(({ name, discoveries }) =>
      discoveries.map((discovery) => discoveryWithin(name, discovery)),
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

export function discoveryWithin(name: string, discovery: Discovery): Discovery {
  return {
    ...discovery,
    module: discovery.module === '' ? name : `${name}/${discovery.module}`,
    evidence: discovery.evidence.map((one) => (one.path === undefined ? one : { ...one, path: `${name}/${one.path}` })),
  };
}
