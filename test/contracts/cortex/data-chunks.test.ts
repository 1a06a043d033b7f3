/** cortex: what counts as data in our own index. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../workspace.ts';

const GO = `package server

// defaultUploadMemory limits what an upload keeps in memory.
const defaultUploadMemory = 32 << 20 // 32 MB

// Handler answers a request.
type Handler func(string) error

${Array.from({ length: 14 }, (_, i) => `// spacer ${i}`).join('\n')}

// Options is how a server is made.
type Options struct {
	// UploadMemory is how much memory an upload may take.
	UploadMemory int64
${Array.from({ length: 16 }, (_, i) => `	Field${i} string`).join('\n')}
}
`;
const SWIFT = `struct Upload {
    var memory: Int {
        let limit = 32
        return limit << 20
    }
}

var temporaryMemory: Int {
    let limit = 16
    return limit << 20
}

enum Mode {
    case memory
    case disk
}
`;

test('constants and enums are data, fields and computed properties are not (CX-31)', async (t) => {
  const space = workspace({ 'server/server.go': GO, 'Upload.swift': SWIFT });
  t.after(() => space.close());
  await space.engine.index(space.root);
  const { chunks } = await space.engine.exportChunks(space.root);
  const data = [...chunks].filter(({ type }) => type === 'data').map(({ text }) => text);
  assert.ok(data.some((text) => text.includes('defaultUploadMemory = 32')));
  for (const text of data) assert.doesNotMatch(text, /Field1 string|var memory|var temporaryMemory|type Handler/);
  assert.ok(data.some((text) => text.includes('case disk')));
  const { hits } = await space.engine.search(space.root, {
    query: 'default upload memory limit',
    filters: { chunkTypes: ['data'] },
    plainChunks: true,
  });
  assert.match(hits[0]!.content, /defaultUploadMemory/);
});
