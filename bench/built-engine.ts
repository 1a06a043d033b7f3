/**
 * The engine as a server runs it, bundled as the build does it. A loader that runs the sources as they are gives every
 * function a name when it is made, which took a sixth of a question's time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
    define: { EXTRACTOR_HASH: JSON.stringify(extractorVersion()), WASM_KERNELS: JSON.stringify(builtKernels()) },
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}

/** A bundle carries its kernels: without them the plain twins would be measured, which are five times as slow. */
function builtKernels(): Readonly<Record<string, string>> {
  const folder = join(root, 'dist/kernels');
  const read = (file: string) =>
    [basename(file, '.wasm'), readFileSync(join(folder, file)).toString('base64')] as const;
  return Object.fromEntries(readdirSync(folder).map(read));
}
