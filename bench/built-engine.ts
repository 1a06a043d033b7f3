/**
 * The engine as a server runs it, bundled as the build does it. A loader that runs the sources as they are gives every
 * function a name when it is made, which took a sixth of a question's time.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { extractorVersion } from '../src/indexing/deriving/extractor-version.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export async function builtEngine(): Promise<typeof import('../src/engine/index.ts')> {
  const outfile = join(root, 'bench/out/engine.mjs');
  await build({
    entryPoints: [join(root, 'src/engine/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    define: { EXTRACTOR_HASH: JSON.stringify(extractorVersion()) },
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
