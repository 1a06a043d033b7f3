// `npm run pin`: writes the sums of the grammars, the parser's runtime and the models as they are now. `--check` only
// compares them.

import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkModels, checkPinned, modelFiles, readPins, sha256 } from './supply-chain.mjs';

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const own = JSON.parse(await readFile(join(root, 'scripts/grammar-packages.json'), 'utf8'));
const pins = await readPins();
const grammarFile = (name) =>
  join(root, 'node_modules', own[name] ?? `tree-sitter-wasm/out/${name}/tree-sitter-${name}.wasm`);
const runtime = require.resolve('web-tree-sitter/web-tree-sitter.wasm');

if (process.argv.includes('--check')) {
  try {
    await checkModels(pins);
    for (const [name, pin] of Object.entries(pins.grammars))
      checkPinned(`The grammar ${name}`, await readFile(grammarFile(name)), pin.sha256);
    checkPinned('The runtime of the parser', await readFile(runtime), pins.runtime.sha256);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
} else {
  for (const [name, pin] of Object.entries(pins.grammars)) pin.sha256 = sha256(await readFile(grammarFile(name)));
  pins.runtime.sha256 = sha256(await readFile(runtime));
  pins.models = {};
  for (const name of await modelFiles()) pins.models[name] = sha256(await readFile(join(root, 'models', name)));
  await writeFile(join(root, 'supply-chain/pins.json'), `${JSON.stringify(pins, null, 2)}\n`);
}
