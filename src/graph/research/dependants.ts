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
  const shown = new Set<number>();
  let frontier = members;
  const direct = new Set<number>();
  for (let hop = 1; hop <= trail.depth && frontier.length > 0 && !trail.full; hop++) {
    const next: number[] = [];
    for (const file of frontier) {
      trail.checkAbort();
      const importers = graph.files.dependants(file).filter((other) => !inside.has(other));
      // All of them are counted; the graph and the lines stop where they do for every question.
      if (hop === 1) for (const other of importers) direct.add(other);
      if (importers.length > PER_NODE) trail.truncated = true;
      for (const other of importers.slice(0, PER_NODE)) {
        if (trail.full) break;
        const line = graph.files.imports(other).find(({ resolved }) => resolved.files.includes(file))?.record.line ?? 1;
        const [from, to] = [view.files[other]!.path, view.files[file]!.path];
        trail.edge(trail.fileNode(other, hop), trail.fileNode(file, hop - 1), 'imports', 'exact', from, line);
        trail.prove(other, line, `${from} imports ${to}`, hop);
        if (lines.length < MAX_SENTENCES && (hop === 1 || lines.length < MAX_SENTENCES / 2)) {
          lines.push(`${'  '.repeat(hop - 1)}- ${from}:${line} imports ${to}`);
          shown.add(other);
        }
        if (seen.has(other)) continue;
        seen.add(other);
        next.push(other);
      }
    }
    await trail.hop(hop, trail.depth, next.length);
    frontier = next;
  }
  const where = `${view.files[members[0]!]!.path}:1`;
  if (lines.length === 0) return [`Nothing in the index imports ${name} (${where}).`];
  const count = new Set([...seen, ...direct]).size - members.length;
  const least = trail.truncated && trail.depth > 1 ? 'at least ' : '';
  return [
    (
      `${least}${count} file${count === 1 ? ' depends' : 's depend'} on ${name} (${where}) within ${trail.depth} ` +
      `step${trail.depth === 1 ? '' : 's'}, ${direct.size} of them directly:`
    ).replace(/^a/, 'A'),
    ...lines,
    ...(direct.size > shown.size
      ? [`${direct.size - shown.size} more import it directly, the first: ${moreOf(trail, direct, shown, inside)}`]
      : []),
  ];
}

/** The first importer that has no line, by the line with which it imports one of the members. */
function moreOf(
  { input: { graph, view } }: Trail,
  direct: ReadonlySet<number>,
  shown: ReadonlySet<number>,
  inside: ReadonlySet<number>,
): string {
  const other = [...direct].find((file) => !shown.has(file))!;
  const found = graph.files.imports(other).find(({ resolved }) => resolved.files.some((file) => inside.has(file)));
  return `${view.files[other]!.path}:${found?.record.line ?? 1}`;
}
