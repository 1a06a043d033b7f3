/** Builds the report of a finished run. */
import type { FinishedRun } from '../../indexing/index.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { describeProject } from '../projects/project-registry.ts';
import type { IndexReport } from './index-records.ts';

export function indexReport(
  opened: OpenedProject,
  { counts, tree, failed, parsedPaths }: FinishedRun,
  problems: IndexReport['problems'],
): IndexReport {
  return {
    ...counts,
    project: describeProject(opened.resolved),
    ref: tree.ref === 'live' ? (tree.branch ?? 'live') : tree.ref,
    filesTotal: tree.fileCount,
    filesFailed: failed.length,
    filesBroken: countBroken(parsedPaths, problems),
    symbolCount: tree.symbolCount,
    chunkCount: tree.chunkCount,
    vectorCount: tree.vectorCount,
    indexBytes: opened.reader.sizeBytes(),
    problems: [...failed.map(({ path, reason }) => ({ path, line: 1, message: reason })), ...problems],
  };
}

/** The number of parsed files that have syntax errors. */
function countBroken(parsedPaths: readonly string[], problems: IndexReport['problems']): number {
  if (problems.length === 0) return 0;
  const parsed = new Set(parsedPaths);
  return new Set(problems.map(({ path }) => path).filter((path) => parsed.has(path))).size;
}
