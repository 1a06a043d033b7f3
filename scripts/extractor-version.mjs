// Computes the extractor version for src/indexing/deriving/extractor-version.ts.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { importSource, root } from './import-source.mjs';

/**
 * Hashes everything that decides what is derived: sources without types and comments, queries without comments, and the
 * grammars in dist.
 */
export async function hashExtractor(dist) {
  const { extractorSources, hashSources } = await importSource('src/indexing/deriving/extractor-version.ts', dist);
  const src = join(root, 'src');
  const sources = await Promise.all(
    extractorSources(src).map(async (path) => [
      path,
      await withoutComments(path, await readFile(join(src, path), 'utf8')),
    ]),
  );
  const grammars = await readFile(join(dist, 'grammars/sha256.json'), 'utf8');
  return hashSources([...sources, ['grammars', grammars]]);
}

async function withoutComments(path, text) {
  if (path.endsWith('.scm')) return text.replace(/^\s*;.*$/gm, '').replace(/\s+/g, ' ');
  if (path.endsWith('.json')) return text;
  return (await transform(text, { loader: 'ts', minifyWhitespace: true, legalComments: 'none' })).code;
}
