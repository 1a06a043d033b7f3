/** Engines and repositories for the tests of runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Workspace, workspace } from '../../../test/workspace.ts';

export const FILES: Readonly<Record<string, string>> = {
  'src/alpha.ts': 'export function alphaOriginal() {\n  return 1;\n}\n',
  'src/beta.ts':
    "import { alphaOriginal } from './alpha.ts';\n\nexport function betaThing() {\n  return alphaOriginal();\n}\n",
};

const open: Workspace[] = [];

export const made = (files = FILES) => {
  const space = workspace(files);
  open.push(space);
  return space;
};

afterEach(async () => {
  for (const space of open.splice(0)) await space.close();
});

export const many = (count: number, functions = 12) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `src/file${i}.ts`,
      Array.from(
        { length: functions },
        (_, n) => `export function f${i}_${n}(a: number) {\n  return a + ${n};\n}\n`,
      ).join('\n'),
    ]),
  );

export const names = async ({ engine, root }: Workspace, name: string, ref?: string) =>
  (await engine.locate(root, { name, ...(ref ? { ref } : {}) })).symbols
    .filter(({ match }) => match === 'exact')
    .map(({ path }) => path);

/** Waits until no run is active. */
export const ended = async ({ engine, root }: Workspace) => {
  while ((await engine.status(root)).indexing === 'indexing') await sleep(20);
};

export const onTwoBranches = () => {
  const space = made();
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  space.git('branch', 'topic');
  /** Resolved branches are remembered for a moment; another engine has none to remember. */
  const ask = async (name: string, ref: string) => {
    const engine = space.anotherEngine();
    const { symbols, freshness } = await engine.locate(space.root, { name, ref });
    return { found: symbols.some((symbol) => symbol.name === name), ref: freshness.ref, status: freshness.status };
  };
  return { ...space, ask };
};

export function children(): Set<number> {
  const text = readdirSync('/proc/self/task')
    .map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'))
    .join(' ');
  return new Set(text.split(/\s+/).filter(Boolean).map(Number));
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
