import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXEC_ARGV } from './worker-pool.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-code-'));
  for (const name of ['web-tree-sitter', 'lua', 'go'])
    for (const ending of ['wasm', 'code'])
      copyFileSync(join(dist, 'grammars', `${name}.${ending}`), join(folder, `${name}.${ending}`));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const skip = process.versions.node.startsWith('20.') ? false : 'this Node keeps no machine code';
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
      };
      assert.deepEqual(await said({ type: 'setup', setup, light }), { type: 'ready' });
      assert.deepEqual(await said({ type: 'keep', grammarFolder: folder }), { type: 'kept', made: [] });
    } finally {
      child.disconnect();
    }
  });
}
