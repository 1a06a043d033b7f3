/** One file that changes for a moment: the same one for every program that is measured. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A source file of middling size, to be changed; the same one for everybody. */
export function victim(folder: string): string {
  const sources = execFileSync('git', ['-C', folder, 'ls-files'], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((path) => /\.(?:go|rs|c|py|ts|java)$/.test(path) && existsSync(join(folder, path)))
    .map((path) => ({ path, size: statSync(join(folder, path)).size }))
    .sort((a, b) => a.size - b.size);
  return join(folder, sources[Math.floor(sources.length * 0.75)]!.path);
}

const ADDED: Readonly<Record<string, string>> = {
  go: '\nfunc benchAddedNUM() int { return NUM }\n',
  rs: '\nfn bench_added_NUM() -> i32 { NUM }\n',
  c: '\nstatic int bench_added_NUM(void) { return NUM; }\n',
  py: '\ndef bench_added_NUM():\n    return NUM\n',
  ts: '\nfunction benchAddedNUM() { return NUM; }\n',
  java: '\n// benchAddedNUM\n',
};

export async function withChange<T>(file: string, round: number, work: () => Promise<T>): Promise<T> {
  const kept = join(tmpdir(), `sextant-bench-kept-${process.pid}`);
  copyFileSync(file, kept);
  appendFileSync(file, ADDED[file.slice(file.lastIndexOf('.') + 1)]!.replaceAll('NUM', String(round)));
  try {
    return await work();
  } finally {
    copyFileSync(kept, file);
    rmSync(kept);
  }
}
