/** "What depends on M": importers of a file, folder or module, step by step. */
import { membersOf } from './places.ts';
import type { Trail } from './trail.ts';

const PER_NODE = 40;
const MAX_SENTENCES = 40;

export async function tellDependants(trail: Trail, name: string): Promise<string[]> {
  const { graph, view } = trail.input;
  const members = membersOf(trail.input, name);
  if (members.length === 0) return [`No file or module ${name} is in the index.`];
  const inside = new Set(members);
  const seen = new Set(members);
  const lines: string[] = [];
  let frontier = members;
  let direct = 0;
  for (let hop = 1; hop <= trail.depth && frontier.length > 0 && !trail.full; hop++) {
    const next: number[] = [];
    for (const file of frontier) {
      trail.checkAbort();
      const importers = graph.dependants(file);
      if (importers.length > PER_NODE) trail.truncated = true;
      for (const other of importers.slice(0, PER_NODE)) {
        if (inside.has(other) || trail.full) continue;
        const line = graph.imports(other).find(({ resolved }) => resolved.files.includes(file))?.record.line ?? 1;
        const [from, to] = [view.files[other]!.path, view.files[file]!.path];
        trail.edge(trail.fileNode(other, hop), trail.fileNode(file, hop - 1), 'imports', 'exact', from, line);
        trail.prove(other, line, `${from} imports ${to}`, hop);
        if (lines.length < MAX_SENTENCES && (hop === 1 || lines.length < MAX_SENTENCES / 2))
          lines.push(`${'  '.repeat(hop - 1)}- ${from}:${line} imports ${to}`);
        if (seen.has(other)) continue;
        seen.add(other);
        next.push(other);
        if (hop === 1) direct++;
      }
    }
    await trail.hop(hop, trail.depth, next.length);
    frontier = next;
  }
  const where = `${view.files[members[0]!]!.path}:1`;
  if (lines.length === 0) return [`Nothing in the index imports ${name} (${where}).`];
  const count = seen.size - members.length;
  return [
    `${count} file${count === 1 ? ' depends' : 's depend'} on ${name} (${where}) within ${trail.depth} step${trail.depth === 1 ? '' : 's'}, ${direct} of them directly:`,
    ...lines,
  ];
}
