/** cortex: our index written as chunk files. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProfile, writeCortexFiles } from '../../../src/contracts/cortex/index.ts';
import type { Message } from '../raw-client.ts';
import { command, connectProcess } from '../real-engine.ts';
import { box, CHUNKS, ids, open, search } from './setup.ts';

test('our index written as chunk files is read again, with the vectors it has (CX-12, CX-27)', async () => {
  const folder = join(box.folder, 'written');
  const written = await writeCortexFiles(box.engine, box.project, folder);
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(CHUNKS).sort());
  for (const { name, chunks: count } of written.files) {
    const { _metadata, chunks: list } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    assert.equal(list.length, count);
    assert.deepEqual([_metadata.model, _metadata.dimensions], [written.modelId, written.dims]);
    for (const { id, chunk_type, title, text, tags, metadata, embedding: vector } of list) {
      assert.equal(chunk_type, _metadata.chunk_type);
      assert.ok(
        id && title && text && tags.length >= 2 && metadata.file_path,
        JSON.stringify({ id, title, text, tags }),
      );
      assert.equal(vector.length, written.dims);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3);
    }
  }
  const { chunks: symbols } = JSON.parse(readFileSync(join(folder, 'code-symbols.json'), 'utf8'));
  const service = symbols.find(({ id }: Message) => id === 'code-symbols-internal-auth-service-go');
  assert.deepEqual(
    [
      service.metadata.imports_count,
      service.metadata.types_count,
      service.metadata.functions_count,
      service.metadata.package,
    ],
    [1, 2, 4, 'auth'],
  );
  const all = Object.keys(CHUNKS).flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).chunks);
  assert.equal(new Set(all.map(({ id }: Message) => id)).size, all.length, 'ids are unique');
  // Each chunk is nearest to itself: read back by the profile with one of its own vectors as the question.
  const profile = createProfile({
    workspace: box.project,
    version: '1',
    log: () => {},
    settings: {
      cortex: {
        failFast: true,
        loadPlaces: async () => ({
          chunksDir: folder,
          within: null,
          namedBy: 'test',
          dimensions: written.dims,
          embedQuery: async () => service.embedding,
        }),
      },
    },
    engine: async () => box.engine,
  });
  assert.equal(ids(await search(await open(profile), 'anything'))[0], service.id);
});

test('what `sextant export --cortex` wrote is served with the model that made it (CX-12, CX-27)', async () => {
  box.write('exported/lamp.ts', '/** Turns the lamp on. */\nexport function light() {\n  return true;\n}\n');
  const exported = join(box.folder, 'exported');
  command(box, 'index', exported);
  command(box, 'export', exported, '--cortex', join(exported, '.cortex/chunks'));
  await findsLamp(exported);
});

test('`sextant export --cortex --dimensions 384` writes 384 numbers, and they are served (CX-29)', async () => {
  box.write('wide/lamp.ts', '/** Turns the lamp on. */\nexport function light() {\n  return true;\n}\n');
  const wide = join(box.folder, 'wide');
  command(box, 'index', wide);
  command(box, 'export', wide, '--cortex', join(wide, '.cortex/chunks'), '--dimensions', '384');
  const { _metadata, chunks } = JSON.parse(box.read('wide/.cortex/chunks/code-definitions.json'));
  assert.deepEqual([_metadata.dimensions, chunks[0].embedding.length], [384, 384]);
  await findsLamp(wide);
});

async function findsLamp(folder: string): Promise<void> {
  const client = await connectProcess(box, ['--profile', 'cortex', '--workspace', folder]);
  try {
    const { structuredContent } = (await client.callTool({
      name: 'cortex_search',
      arguments: { query: 'turn on the lamp', chunk_types: ['definitions'] },
    })) as Message;
    assert.deepEqual(ids(structuredContent), ['code-definitions-lamp-ts']);
  } finally {
    await client.close();
  }
}

test('an exported index answers as the index does, in the same order with the same scores (CX-32)', async () => {
  for (const name of ['web/cart.ts', 'web/order.ts', 'internal/auth/service.go', 'docs/install.md'])
    box.write(`both/${name}`, SOURCES[name]!);
  const both = join(box.folder, 'both');
  command(box, 'index', both);
  const questions = [
    { query: 'adds up what is in the cart' },
    { query: 'how is a token checked', chunk_types: ['definitions', 'symbols'] },
    { query: 'zebra', limit: 3 },
    { query: 'install', tags: ['documentation'] },
  ];
  const own = await answersOf(both, questions);
  command(box, 'export', both, '--cortex', join(both, '.cortex/chunks'));
  const served = await answersOf(both, questions);
  assert.ok(own.every((results) => results.length > 0));
  assert.deepEqual(served.map(placesOf), own.map(placesOf));
  const scoresOf = (answers: readonly Message[][]) => answers.flat().map((result) => result.combined_score as number);
  const servedScores = scoresOf(served);
  for (const [i, score] of scoresOf(own).entries())
    assert.ok(Math.abs(score - servedScores[i]!) < 1e-3, `${score} in the index, ${servedScores[i]} served`);
});

const SOURCES: Readonly<Record<string, string>> = {
  'web/cart.ts':
    '/** Adds up what is in the cart. */\nexport function total(prices: number[]) {\n  return prices.length;\n}\n',
  'web/order.ts': '/** Sends the order. */\nexport class Order {\n  send() {\n    return "sent";\n  }\n}\n',
  'internal/auth/service.go':
    'package auth\n\n// Check tells whether a token is valid.\nfunc Check(token string) bool {\n\treturn token != ""\n}\n',
  'docs/install.md': '# Install\n\nRun the installer, then restart the machine.\n',
};

async function answersOf(folder: string, questions: readonly Message[]): Promise<Message[][]> {
  const client = await connectProcess(box, ['--profile', 'cortex', '--workspace', folder]);
  try {
    const answers: Message[][] = [];
    for (const question of questions) {
      const answer = (await client.callTool({ name: 'cortex_search', arguments: question })) as Message;
      answers.push(answer.structuredContent.results);
    }
    return answers;
  } finally {
    await client.close();
  }
}

function placesOf(results: readonly Message[]): string[] {
  return results.map(({ chunk: { chunk_type, metadata } }) =>
    [chunk_type, metadata.file_path, metadata.start_line, metadata.end_line].join(' '),
  );
}
