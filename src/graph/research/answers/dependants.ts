/** Answers "what depends on M": importers of a file, folder, module or package, hop by hop. */
import { FileFlag } from '../../../model/records/source-file.ts';
import { nameKey } from '../../../model/text/terms.ts';
import { IMPORT_MARK } from '../../../store/store.ts';
import type { EvidenceTrail, ResearchInput } from '../evidence-trail.ts';
import { membersOf } from '../find-places.ts';

const PER_NODE = 40;
const MAX_SENTENCES = 40;

export async function describeDependants(trail: EvidenceTrail, name: string): Promise<string[]> {
  const { graph, view } = trail.input;
  const named = membersOf(trail.input, name);
  const imports = named.length === 0 ? importsOfPackage(trail.input, name) : [];
  const members = named.length > 0 ? named : [...new Set(imports.flatMap(({ targets }) => targets))];
  if (members.length === 0)
    return imports.length > 0
      ? describeImporters(trail, name, imports)
      : [`No file, module or imported package ${name} is in the index.`];
  const inside = new Set(members);
  const seen = new Set(members);
  const lines: string[] = [];
  const inTests: string[] = [];
  const shown = new Set<number>();
  let frontier = members;
  const direct = new Set<number>();
  for (let hop = 1; hop <= trail.depth && frontier.length > 0 && !trail.full; hop++) {
    const next: number[] = [];
    for (const file of frontier) {
      trail.checkAbort();
      const importers = programFirst(
        trail,
        graph.files.dependants(file).filter((other) => !inside.has(other)),
      );
      // Direct importers are all counted; the graph and the lines have the limits of every answer.
      if (hop === 1) for (const other of importers) direct.add(other);
      if (importers.length > PER_NODE) trail.truncated = true;
      for (const other of importers.slice(0, PER_NODE)) {
        if (trail.full) break;
        const line = graph.files.imports(other).find(({ resolved }) => resolved.files.includes(file))?.record.line ?? 1;
        const [from, to] = [view.files[other]!.path, view.files[file]!.path];
        trail.edge(trail.fileNode(other, hop), trail.fileNode(file, hop - 1), 'imports', 'exact', from, line);
        trail.prove(other, line, `${from} imports ${to}`, hop);
        const list = isTest(trail, other) ? inTests : lines;
        if (list === inTests || (list.length < MAX_SENTENCES && (hop === 1 || list.length < MAX_SENTENCES / 2))) {
          list.push(`${'  '.repeat(hop - 1)}- ${from}:${line} imports ${to}`);
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
  if (lines.length + inTests.length === 0) return [`Nothing in the index imports ${name} (${where}).`];
  const count = new Set([...seen, ...direct]).size - members.length;
  const hidden = direct.size - shown.size;
  const atLeast = trail.truncated && trail.depth > 1 ? 'at least ' : '';
  return [
    (
      `${atLeast}${count} file${count === 1 ? ' depends' : 's depend'} on ${name} (${where}) within ${trail.depth} ` +
      `step${trail.depth === 1 ? '' : 's'}, ${direct.size} of them directly:`
    ).replace(/^a/, 'A'),
    ...(lines.length > 0 ? lines : inTests.slice(0, MAX_SENTENCES)),
    ...(hidden > 0
      ? [`${hidden} more import it directly, the first: ${firstHiddenImport(trail, direct, shown, inside)}`]
      : []),
    ...(lines.length > 0 ? foldTests(inTests) : []),
  ];
}

function isTest({ input: { view } }: EvidenceTrail, file: number): boolean {
  return (view.files[file]!.flags & FileFlag.Test) !== 0;
}

function programFirst(trail: EvidenceTrail, files: readonly number[]): number[] {
  return [...files.filter((file) => !isTest(trail, file)), ...files.filter((file) => isTest(trail, file))];
}

/** Importers in tests, as one line: they are many, and the question is rarely about them. */
function foldTests([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const count = others.length + 1;
  return [`${count} more in tests${count > 1 ? ', the first' : ''}: ${first.replace(/^ *- /, '')}`];
}

/** The place of the first import that the answer does not show. */
function firstHiddenImport(
  { input: { graph, view } }: EvidenceTrail,
  direct: ReadonlySet<number>,
  shown: ReadonlySet<number>,
  inside: ReadonlySet<number>,
): string {
  const other = [...direct].find((file) => !shown.has(file))!;
  const found = graph.files.imports(other).find(({ resolved }) => resolved.files.some((file) => inside.has(file)));
  return `${view.files[other]!.path}:${found?.record.line ?? 1}`;
}

/** An import of a package by name; the source of the package may not be in the index. */
interface PackageImport {
  readonly file: number;
  readonly line: number;
  /** Files of the index that the import leads to. */
  readonly targets: readonly number[];
}

/** Imports of a package or of a path inside of it. */
export function importsOfPackage({ graph, reader, view }: ResearchInput, name: string): PackageImport[] {
  const last = name.split(/[/\\.:]+/).filter(Boolean);
  const key = nameKey((last.at(-1) ?? '').replace(/-/g, ''));
  if (key.length < 2) return [];
  const files = [...reader.postings('reference', IMPORT_MARK + key).docs].flatMap((row) => view.filesOfContent(row));
  const isMeant = (source: string) => source === name || source.startsWith(`${name}/`);
  return files.flatMap((file) =>
    graph.files
      .imports(file)
      .filter(({ record }) => isMeant(record.source))
      .map(({ record, resolved }) => ({ file, line: record.line, targets: resolved.files })),
  );
}

/** The importers of a package whose source is not in the index. */
function describeImporters(trail: EvidenceTrail, name: string, imports: readonly PackageImport[]): string[] {
  const { view } = trail.input;
  const lineOf = new Map(imports.map(({ file, line }) => [file, line]));
  const files = programFirst(trail, [...lineOf.keys()]);
  const lines = files.map((file) => {
    const line = lineOf.get(file)!;
    const { path } = view.files[file]!;
    if (!trail.full) {
      trail.fileNode(file, 0);
      trail.prove(file, line, `${path} imports ${name}`, 1);
    }
    return `- ${path}:${line} imports ${name}`;
  });
  const left = lines.length - MAX_SENTENCES;
  return [
    `${files.length} file${files.length === 1 ? ' imports' : 's import'} the package ${name}, ` +
      'whose source is not in the index:',
    ...lines.slice(0, MAX_SENTENCES),
    ...(left > 0 ? [`${left} more import it.`] : []),
  ];
}
