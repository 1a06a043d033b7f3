// The grammars that the languages use, copied out of their packages, and their queries, compiled.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { importSource, root, takeOver } from './import-source.mjs';

const require = createRequire(import.meta.url);

/** Grammars better than the collection's, see docs/dependencies.md. */
const OWN_PACKAGE = JSON.parse(await readFile(join(root, 'scripts/grammar-packages.json'), 'utf8'));

async function grammarsInUse() {
  const names = new Set();
  const folder = join(root, 'src/languages/descriptors');
  if (!existsSync(folder)) return names;
  for (const file of await readdir(folder)) {
    for (const match of (await readFile(join(folder, file), 'utf8')).matchAll(/grammar: '([^']+)'/g))
      names.add(match[1]);
  }
  return names;
}

export async function copyGrammars(dist) {
  const out = join(dist, 'grammars');
  await mkdir(out, { recursive: true });
  const digests = {};
  for (const from of ['tree-sitter-wasm', ...Object.values(OWN_PACKAGE).map(dirname)])
    await copyFile(packageFile(`${from}/LICENSE`), join(out, `LICENSE.${from.split('/').at(-1)}`));
  for (const name of [...(await grammarsInUse())].sort()) {
    const from = OWN_PACKAGE[name]
      ? packageFile(OWN_PACKAGE[name])
      : packageFile(`tree-sitter-wasm/out/${name}/tree-sitter-${name}.wasm`);
    const bytes = await readFile(from);
    digests[name] = createHash('sha256').update(bytes).digest('hex');
    await writeFile(join(out, `${name}.wasm`), bytes);
  }
  const { withLessMemory } = await importSource('src/languages/runtime-memory.ts', dist);
  const runtime = await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
  await writeFile(join(out, 'web-tree-sitter.wasm'), withLessMemory(runtime));
  await writeFile(join(out, 'sha256.json'), `${JSON.stringify(digests, null, 2)}\n`);
}

/** Queries as the parser's runtime keeps them, so that no process has to compile them. */
export async function compileQueries(dist) {
  const queries = join(dist, 'queries');
  if (existsSync(join(root, 'src/languages/queries')))
    await cp(join(root, 'src/languages/queries'), queries, { recursive: true });
  await takeOver(dist, 'queries', '.compiled');
  const { compileQueries: compile } = await importSource('src/languages/compile-queries.ts', dist);
  await compile({ grammarFolder: join(dist, 'grammars'), queryFolder: queries });
}

function packageFile(path) {
  return join(root, 'node_modules', path);
}
