// Lets the build call the program's TypeScript sources.

import { existsSync } from 'node:fs';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Packages with native parts or data files of their own stay outside the bundle. */
export const EXTERNAL = ['@photostructure/sqlite', '@parcel/watcher', 'web-tree-sitter', 'onnxruntime-node'];

/** Imports a TypeScript source of the program. */
export async function importSource(path, dist) {
  const entry = join(dist, 'build-step.mjs');
  await build({
    entryPoints: [join(root, path)],
    outfile: entry,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    logLevel: 'warning',
  });
  try {
    return await import(`${pathToFileURL(entry).href}?${path}`);
  } finally {
    await rm(entry);
  }
}

/** Copies files with this extension from the last build; their builder checks whether they are still valid. */
export async function takeOver(dist, folder, ending) {
  const old = join(root, 'dist', folder);
  for (const name of existsSync(old) ? await readdir(old) : [])
    if (name.endsWith(ending)) await copyFile(join(old, name), join(dist, folder, name));
}
