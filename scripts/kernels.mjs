// Compiles the WebAssembly kernels from their AssemblyScript sources.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { root } from './import-source.mjs';

/** Each source is beside the TypeScript file that loads it and contains its plain twin. */
const KERNELS = {
  vectors: 'src/store/vectors/vector-kernel.as',
  sums: 'src/embed/static/sum-kernel.as',
  numbers: 'src/contracts/cortex/chunks/number-kernel.as',
};

const OPTIONS = [
  '-O3',
  '--runtime',
  'stub',
  '--importMemory',
  '--noExportMemory',
  '--enable',
  'simd',
  '--bindings',
  'raw',
  '--noColors',
];

/**
 * Writes DIST/kernels/NAME.wasm, which the sources load under tsx, and returns the kernels as the bundles carry them.
 */
export async function compileKernels(dist) {
  await mkdir(join(dist, 'kernels'), { recursive: true });
  const encoded = {};
  for (const [name, path] of Object.entries(KERNELS)) {
    const bytes = await compile(path);
    await writeFile(join(dist, 'kernels', `${name}.wasm`), bytes);
    encoded[name] = Buffer.from(bytes).toString('base64');
  }
  return { WASM_KERNELS: JSON.stringify(encoded) };
}

async function compile(path) {
  const source = await readFile(join(root, path), 'utf8');
  let bytes;
  const { error, stderr } = await asc.main(['kernel.ts', '--outFile', 'kernel.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'kernel.ts' ? source : null),
    writeFile: (name, data) => {
      if (name === 'kernel.wasm') bytes = data;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`${path}: ${stderr}`);
  return bytes;
}
