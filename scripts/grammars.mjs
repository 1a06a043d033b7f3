// Copies the grammars that the languages use out of their packages, and compiles their queries.

import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { importSource, root, takeOver } from './import-source.mjs';
import { checkPinned, readPins, sha256 } from './supply-chain.mjs';

const require = createRequire(import.meta.url);

/** Length of a sample: enough for a few definitions, parsed in a millisecond or two. */
const SAMPLE_LENGTH = 800;

/** Grammars from packages of their own, which are better than the collection's; see docs/dependencies.md. */
const OWN_PACKAGE = JSON.parse(await readFile(join(root, 'scripts/grammar-packages.json'), 'utf8'));

async function grammarsInUse(dist) {
  const { LANGUAGES } = await importSource('src/languages/registry.ts', dist);
  return new Set(LANGUAGES.flatMap(({ grammar }) => grammar ?? []));
}

export async function copyGrammars(dist) {
  const out = join(dist, 'grammars');
  await mkdir(out, { recursive: true });
  const pins = await readPins();
  const digests = {};
  for (const name of [...(await grammarsInUse(dist))].sort()) {
    const from = OWN_PACKAGE[name]
      ? packageFile(OWN_PACKAGE[name])
      : packageFile(`tree-sitter-wasm/out/${name}/tree-sitter-${name}.wasm`);
    const bytes = await readFile(from);
    checkPinned(`The grammar ${name}`, bytes, pins.grammars[name]?.sha256);
    digests[name] = sha256(bytes);
    await writeFile(join(out, `${name}.wasm`), bytes);
  }
  const { withLessMemory } = await importSource('src/languages/runtime/grammar/runtime-memory.ts', dist);
  const runtime = await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
  checkPinned('The runtime of the parser', runtime, pins.runtime.sha256);
  await writeFile(join(out, 'web-tree-sitter.wasm'), withLessMemory(runtime));
  await writeFile(join(out, 'sha256.json'), `${JSON.stringify(digests, null, 2)}\n`);
}

/** Saves queries as the parser's runtime holds them in memory, so that no process has to compile them. */
export async function compileQueries(dist) {
  const queries = join(dist, 'queries');
  await mkdir(queries, { recursive: true });
  const languages = join(root, 'src/languages');
  for (const path of await readdir(languages, { recursive: true }))
    if (path.endsWith('.scm')) await copyFile(join(languages, path), join(queries, basename(path)));
  await takeOver(dist, 'queries', '.compiled');
  const { compileQueries: compile } = await importSource('src/languages/runtime/grammar/compile-queries.ts', dist);
  await compile({ grammarFolder: join(dist, 'grammars'), queryFolder: queries }, await readSamples(languages));
}

/**
 * The first lines of each language's fixture, by language id: a process checks a saved query with them when it loads
 * the query.
 */
async function readSamples(languages) {
  const samples = {};
  for (const path of await readdir(languages, { recursive: true })) {
    const fixture = /fixture[\\/](\w+)\.(?!snap\.json$)[\w.]+$/.exec(path);
    if (fixture) samples[fixture[1]] = (await readFile(join(languages, path), 'utf8')).slice(0, SAMPLE_LENGTH);
  }
  return samples;
}

function packageFile(path) {
  return join(root, 'node_modules', path);
}
