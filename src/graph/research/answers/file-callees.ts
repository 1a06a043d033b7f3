/** Answers "what does M call" for a file or folder: calls and imports that lead out of it. */

import { keyOf } from '../../symbol-place.ts';
import type { EvidenceTrail } from '../evidence-trail.ts';
import { CALLS } from '../walk.ts';
import { addStep } from './step-sentence.ts';

const MAX_SENTENCES = 40;
const MAX_IMPORTS = 20;

/** Calls from a file or folder to symbols outside of it, each with its first line. */
export async function describeCalleesOfFiles(
  trail: EvidenceTrail,
  name: string,
  files: readonly number[],
): Promise<string[]> {
  const { graph } = trail.input;
  const inside = new Set(files);
  const called = new Map<string, { readonly sentence: string; count: number }>();
  for (const file of files) {
    trail.checkAbort();
    for (const edge of graph.outgoingOf(file, ({ kind }) => CALLS.has(kind))) {
      const [next] = edge.candidates;
      if (!next || edge.confidence === 'ambiguous' || inside.has(next.file)) continue;
      const known = called.get(keyOf(next));
      if (known) known.count++;
      else if (trail.full) break;
      else {
        const { from } = edge.site.reference;
        const step = { edge, confidence: edge.confidence, through: null };
        const sentence =
          from >= 0
            ? addStep(trail, { file, ordinal: from }, { ...step, next }, 1, false)
            : addStep(trail, next, { ...step, next: null }, 1, true);
        called.set(keyOf(next), { sentence, count: 1 });
      }
    }
  }
  await trail.hop(1, 1, called.size);
  const where = `${name} (${trail.path(files[0]!)}:1${files.length > 1 ? ` and ${files.length - 1} more` : ''})`;
  const imports = describeImports(trail, files);
  if (called.size === 0)
    return imports.length > 0
      ? [`${where} calls nothing outside of itself that the index knows. Its imports:`, ...imports]
      : [`${where} calls nothing outside of itself that the index knows.`];
  const shown = [...called.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SENTENCES);
  if (shown.length < called.size) trail.truncated = true;
  return [
    `${where} calls ${called.size} symbol${called.size === 1 ? '' : 's'} outside of itself:`,
    ...shown.map(({ sentence, count }) => `- ${sentence}${count > 1 ? `, ${count} times in all` : ''}`),
    ...(imports.length > 0 ? [`What it imports, from ${trail.path(files[0]!)}:1 on:`, ...imports] : []),
  ];
}

/** The files that a set of files imports from outside of itself, each once. */
function describeImports(trail: EvidenceTrail, files: readonly number[]): string[] {
  const { graph } = trail.input;
  const seen = new Set(files);
  const lines: string[] = [];
  for (const file of files)
    for (const { record, resolved } of graph.files.imports(file))
      for (const other of resolved.files) {
        if (seen.has(other)) continue;
        seen.add(other);
        const [from, to] = [trail.path(file), trail.path(other)];
        if (lines.length >= MAX_IMPORTS) trail.truncated = true;
        else {
          trail.edge(trail.fileNode(file, 0), trail.fileNode(other, 1), 'imports', 'exact', from, record.line);
          trail.prove(file, record.line, `${from} imports ${to}`, 1);
          lines.push(`- ${from}:${record.line} imports ${to}`);
        }
      }
  return lines;
}
