/** Reads codegraph's edges from its database. codegraph writes into the repository, so it runs on a copy. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type CallEdges, EdgeTable } from './edges.ts';

/** codegraph rates each edge with a number; from this one on it calls the edge resolved, below it a guess. */
const SURE = 0.9;
/** codegraph's definitions begin at a decorator or doc comment; the name is within the next lines. */
const NAME_WITHIN_LINES = 30;

/** Builds codegraph's index once for each commit and stores it at `database`. */
export function buildCodegraph(command: string, folder: string, database: string): void {
  if (existsSync(database)) return;
  const space = mkdtempSync(join(tmpdir(), 'codegraph-'));
  const copy = join(space, basename(folder));
  try {
    cpSync(folder, copy, { recursive: true, filter: (path) => basename(path) !== '.git' });
    execFileSync(command, ['init', copy, '--yes'], {
      cwd: copy,
      env: { ...process.env, CODEGRAPH_TELEMETRY: '0', NO_COLOR: '1' },
      stdio: 'ignore',
    });
    renameFile(join(copy, '.codegraph/codegraph.db'), database);
  } finally {
    rmSync(space, { recursive: true, force: true });
  }
}

function renameFile(from: string, to: string): void {
  // Copied under a temporary name, so that an interrupted copy is not taken for a complete one.
  cpSync(from, `${to}.part`);
  renameSync(`${to}.part`, to);
}

interface Row {
  readonly path: string;
  readonly line: number;
  readonly col: number | null;
  readonly metadata: string | null;
  readonly targetName: string;
  readonly targetPath: string;
  readonly startLine: number;
  readonly endLine: number;
}

export function codegraphEdges(database: string): CallEdges {
  const table = new EdgeTable();
  const file = new DatabaseSync(database, { readOnly: true });
  try {
    for (const { path } of file.prepare('SELECT path FROM files').all() as { path: string }[]) table.addFile(path);
    const rows = file
      .prepare(
        `SELECT source.file_path AS path, edges.line, edges.col, edges.metadata, target.name AS targetName,
                target.file_path AS targetPath, target.start_line AS startLine, target.end_line AS endLine
         FROM edges JOIN nodes AS source ON source.id = edges.source JOIN nodes AS target ON target.id = edges.target
         WHERE edges.kind IN ('calls', 'instantiates') AND edges.line IS NOT NULL`,
      )
      .all() as unknown as Row[];
    for (const row of rows) addEdge(table, row);
  } finally {
    file.close();
  }
  return table;
}

function addEdge(table: EdgeTable, row: Row): void {
  const { confidence, refName } = JSON.parse(row.metadata ?? '{}') as { confidence?: number; refName?: string };
  const written = (refName ?? row.targetName).split(/[^\p{L}\p{N}_$?!]+/u).filter(Boolean);
  const lines = Math.min(row.endLine - row.startLine, NAME_WITHIN_LINES);
  const targets = Array.from({ length: lines + 1 }, (_, i) => `${row.targetPath}:${row.startLine + i}`);
  for (const name of new Set([written.at(-1) ?? row.targetName, row.targetName]))
    table.add(row.path, {
      name,
      line: row.line,
      column: (row.col ?? 0) + 1,
      sure: (confidence ?? 1) >= SURE,
      decided: true,
      targets,
    });
}
