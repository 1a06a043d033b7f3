// What V8 makes of the program and of the grammars, kept so that no process has to make it again. It holds for the Node that built it.

import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { importSource, root, takeOver } from './import-source.mjs';

/** Machine code of the grammars and their runtime, as a worker process takes it. It holds for this program of Node; others compile anew. */
export async function keepMachineCode(dist) {
  const grammars = join(dist, 'grammars');
  await takeOver(dist, 'grammars', '.code');
  const { keepMachineCode: keep } = await importSource('src/indexing/workers/keep-code.ts', dist);
  await keep(join(dist, 'worker.cjs'), grammars, plainEnvironment()).catch((error) =>
    // The program runs without it, only not as fast.
    console.warn(`No machine code is kept: ${error.message}`),
  );
}

/** Settings of V8 that came from outside would be kept with the code. */
function plainEnvironment() {
  return { ...process.env, NODE_OPTIONS: '' };
}

/** Languages of all kinds whose lexers are small: those of the others would be optimised meanwhile. */
const WORKER_SAMPLES = [
  'c-family/fixture/c.c',
  'go/fixture/go.go',
  'rust/fixture/rust.rs',
  'python/fixture/python.py',
  'jvm/fixture/java.java',
  'script/fixture/javascript.js',
  'script/fixture/typescript.ts',
  'markdown/fixture/markdown.md',
  'json/fixture/json.json',
];

/** Compiled code of a worker process, by having it read a few files. */
export async function keepWorkerCode(dist) {
  const { keepWorkerCode: keep } = await importSource('src/indexing/workers/keep-code.ts', dist);
  const setup = {
    grammarFolder: join(dist, 'grammars'),
    queryFolder: join(dist, 'queries'),
    modelFolder: join(root, 'models'),
    maxFileBytes: 1_000_000,
    includeGenerated: false,
    redact: true,
  };
  const samples = WORKER_SAMPLES.map((name) => `src/languages/${name}`);
  const own = ['src/languages/runtime/extract/extract.ts', 'src/store/writer.ts', 'docs/architecture.md', 'README.md'];
  const entry = join(root, 'scripts/worker-cache.cjs');
  await keep(entry, [dist], setup, root, [...samples, ...own], plainEnvironment()).catch((error) =>
    console.warn(`No compiled code is kept for workers: ${error.message}`),
  );
}

/** Compiled code of what a search and an index run, by running them on a few files. It holds for this version of Node; others compile anew. */
export async function keepCompiledCode(dist) {
  const scratch = await mkdtemp(join(tmpdir(), 'sextant-build-'));
  try {
    for (const folder of ['src/model', 'src/search', 'docs'])
      await cp(join(root, folder), join(scratch, 'project', folder), { recursive: true });
    const run = (...args) =>
      promisify(execFile)(process.execPath, [join(root, 'scripts/code-cache.cjs'), dist, ...args], {
        cwd: scratch,
        env: { ...plainEnvironment(), SEXTANT_HOME: join(scratch, 'home') },
      });
    await run('index', '--path', 'project');
    // Many files are left to other processes, a single one is not.
    await appendFile(join(scratch, 'project/src/search/search.ts'), '\nexport const added = 1;\n');
    await run('sync', '--workspace', 'project');
    await run('search', 'where are candidates scored', '--path', 'project');
  } catch (error) {
    // The program runs without it, only not as fast.
    console.warn(`No compiled code is kept: ${error.stderr || error.message}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
