import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { compileForFewFiles, takeCodeAs } from '../../languages/index.ts';
import { keepLexersUnoptimised } from '../../languages/runtime/grammar/grammar.ts';
import { isKnownNode, loadModule } from '../../languages/runtime/grammar/machine-code.ts';
import { optimiseLittle } from './v8-flags.ts';
import { AS_A_WORKER, EXEC_ARGV } from './worker-process.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

const { SETTINGS } = createRequire(import.meta.url)('../../../bin/load-command.js') as { SETTINGS: readonly string[] };
const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
// The build says so where it could keep none. One that another Node made may have some.
const skip = isKnownNode() && existsSync(join(dist, 'grammars/go.code')) ? false : 'no machine code is kept here';
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-code-'));
  if (skip) return;
  for (const name of ['web-tree-sitter', 'lua', 'go'])
    for (const ending of ['wasm', 'code'])
      copyFileSync(join(dist, 'grammars', `${name}.${ending}`), join(folder, `${name}.${ending}`));
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const light of [false, true]) {
  test(`a ${light ? 'light ' : ''}worker takes the machine code that the build kept`, { skip }, async () => {
    const child = fork(join(dist, 'worker.cjs'), [], { serialization: 'advanced', execArgv: EXEC_ARGV });
    const said = async (message: ToWorker) => {
      child.send(message);
      return ((await once(child, 'message')) as [FromWorker])[0];
    };
    try {
      const setup = {
        grammarFolder: folder,
        queryFolder: join(dist, 'queries'),
        modelFolder: null,
        maxFileBytes: 1e6,
        includeGenerated: false,
        redact: true,
      };
      assert.deepEqual(await said({ type: 'setup', setup, light }), { type: 'ready' });
      assert.deepEqual(await said({ type: 'keep', grammarFolder: folder }), { type: 'kept', made: [] });
    } finally {
      child.disconnect();
    }
  });
}

test('a command takes it too, though its settings are others', { skip }, () => {
  const load = () => loadModule(folder, 'go', readFileSync(join(folder, 'go.wasm')));
  // As bin/sextant, main.ts and a run for a few files set them.
  for (const flag of SETTINGS) setFlagsFromString(flag);
  optimiseLittle();
  compileForFewFiles();
  keepLexersUnoptimised();
  assert.equal(load(), null);
  takeCodeAs(AS_A_WORKER);
  assert.ok(load(), 'refused');
});
