/**
 * The suites of search, locate, graph, reading and memory that the embedded engine passes, passed by a node of the
 * fleet.
 */
import { after, before, describe } from 'node:test';
import { openWorkspacesWith } from '../../workspace.ts';
import { fleetWorkspace, openSharedNode, type SharedNode } from '../fleet-workspace.ts';

const SUITES = [
  'src/search/search.test.ts',
  'src/search/search-filters.test.ts',
  'src/search/shown-places.test.ts',
  'src/search/locate/locate.test.ts',
  'src/search/locate/handles.test.ts',
  'src/graph/graph.test.ts',
  'src/graph/mentions.test.ts',
  'src/graph/map/repo-map.test.ts',
  'src/graph/research/answers/callers.test.ts',
  'src/graph/research/answers/implementations.test.ts',
  'src/graph/research/answers/dependants.test.ts',
  'src/graph/research/relations.test.ts',
  'src/graph/research/research.test.ts',
  'src/engine/questions/symbol-detail.test.ts',
  'src/engine/files/read-file.test.ts',
  'test/memory/shared-memory.test.ts',
];

describe('suites of the embedded engine', async () => {
  let shared: SharedNode | null = null;
  const ends: (() => unknown)[] = [];
  before(async () => {
    shared = await openSharedNode({ after: (end) => void ends.unshift(end as () => unknown) });
  });
  after(async () => {
    for (const end of ends) await end();
  });
  openWorkspacesWith((files) => fleetWorkspace(() => shared!, files));
  for (const suite of SUITES) await import(`../../../${suite}`);
});
