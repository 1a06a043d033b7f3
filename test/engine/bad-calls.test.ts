/**
 * Every engine call refuses arguments of the wrong type or out of range, with the error code for the caller's mistake.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Engine } from '../../src/engine/index.ts';
import { EngineError, type ErrorCode } from '../../src/model/records/engine-errors.ts';
import { type Workspace, workspace } from '../workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({ 'a.py': 'def known_name():\n    return 1\n' });
  await space.engine.index(space.root);
});
after(() => space.close());

/** Values that an untyped caller may pass. */
const WRONG: readonly unknown[] = [undefined, null, 42, true, {}, [], Number.NaN];
const MISTAKES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_input',
  'invalid_pattern',
  'empty_query',
  'file_not_found',
  'symbol_not_found',
  'ref_not_found',
  'not_a_repository',
  'not_indexed',
]);

type Loose = Record<keyof Engine, (...args: unknown[]) => Promise<unknown>>;

async function refused(work: () => Promise<unknown>, what: string): Promise<void> {
  await assert.rejects(
    async () => work(),
    (error: unknown) => {
      assert.ok(error instanceof EngineError, `${what}: ${error}`);
      assert.ok(MISTAKES.has(error.code), `${what}: ${error.code}: ${error.message}`);
      return true;
    },
    what,
  );
}

const loose = () => space.engine as unknown as Loose;

test('every call refuses a path that is not a string', async () => {
  const calls: (keyof Engine)[] = [
    'project',
    'register',
    'index',
    'startIndex',
    'status',
    'skipped',
    'verify',
    'watch',
  ];
  for (const name of calls)
    for (const path of [...WRONG, '', 'a\0b']) await refused(() => loose()[name](path), `${name}(${String(path)})`);
});

const REQUESTS: readonly [call: keyof Engine, field: string, rest: Record<string, unknown>][] = [
  ['search', 'query', {}],
  ['locate', 'name', {}],
  ['research', 'query', {}],
  ['readFile', 'path', {}],
  ['grep', 'pattern', {}],
  ['contextSearch', 'query', {}],
  ['remember', 'content', { type: 'decision' }],
];

for (const [call, field, rest] of REQUESTS)
  test(`${call}: ${field} of the wrong type, or no request at all`, async () => {
    for (const value of [...WRONG, ''])
      await refused(() => loose()[call](space.root, { ...rest, [field]: value }), `${call} ${String(value)}`);
    await refused(() => loose()[call](space.root, undefined), `${call} without a request`);
    await refused(() => loose()[call](space.root, null), `${call} with null`);
  });

test('every call refuses a limit out of range', async () => {
  const calls: readonly [keyof Engine, Record<string, unknown>][] = [
    ['search', { query: 'known' }],
    ['locate', { name: 'known_name' }],
    ['grep', { pattern: 'known' }],
  ];
  for (const [call, request] of calls)
    for (const limit of [0, -1, 1.5, Number.NaN, '10', null])
      await refused(
        () => loose()[call](space.root, { ...request, limit, maxResults: limit }),
        `${call} limit ${limit}`,
      );
});

test('calls refuse ids, refs and queries that are not strings', async () => {
  for (const query of [...WRONG, '']) await refused(() => loose().intentOf(query), `intentOf ${String(query)}`);
  for (const id of [...WRONG, '', '../../etc/passwd']) {
    await refused(() => loose().symbol(space.root, id), `symbol ${String(id)}`);
    await refused(
      async () => {
        if (!(await loose().forget(space.root, id))) throw new EngineError('invalid_input', { reason: 'none' });
      },
      `forget ${String(id)}`,
    );
    await refused(
      async () => {
        if (!(await loose().dropRef(space.root, id))) throw new EngineError('not_indexed', { path: 'none' });
      },
      `dropRef ${String(id)}`,
    );
  }
  for (const ref of [42, {}, [], true])
    await refused(() => loose().index(space.root, { ref }), `index ref ${String(ref)}`);
});

test('calls refuse request fields and options of the wrong type', async () => {
  const fields: readonly [call: keyof Engine, rest: Record<string, unknown>, names: readonly string[]][] = [
    ['search', { query: 'known' }, ['ref', 'session', 'filters', 'signal']],
    ['locate', { name: 'known_name' }, ['ref', 'kind', 'language', 'session']],
    ['research', { query: 'what calls known_name' }, ['ref', 'depth']],
    ['grep', { pattern: 'known' }, ['filePattern', 'exclude', 'signal']],
    ['contextSearch', { query: 'known' }, ['module', 'session']],
    ['remember', { type: 'rule', content: 'names are known' }, ['module', 'evidence', 'session']],
    ['index', {}, ['ref', 'signal']],
    ['map', {}, ['ref', 'maxTokens']],
    ['discoveries', {}, ['module']],
  ];
  for (const [call, rest, names] of fields)
    for (const name of names)
      for (const value of [null, true, [null], 42].filter((v) => v !== 42 || !/depth|maxTokens/.test(name)))
        await refused(() => loose()[call](space.root, { ...rest, [name]: value }), `${call} ${name} ${String(value)}`);
  for (const module of [5, {}])
    await refused(() => loose().search(space.root, { query: 'x', filters: { module } }), `filters.module ${module}`);
  const calls = ['register', 'index', 'startIndex', 'firstIndex', 'map', 'discoveries', 'importDiscoveries'] as const;
  for (const call of calls)
    for (const options of [null, 42, [null]]) await refused(() => loose()[call](space.root, options), `${call}`);
  for (const call of ['status', 'verify', 'exportChunks', 'exportContents'] as const)
    for (const ref of [null, 42, {}]) await refused(() => loose()[call](space.root, ref), `${call} ref`);
  for (const part of WRONG) await refused(() => loose().findPaths(space.root, part), `findPaths ${String(part)}`);
});

test('calls refuse arguments that are too long or contain NUL before they start a program', async () => {
  const long = 'x'.repeat(200_000);
  await refused(() => loose().grep(space.root, { pattern: long }), 'pattern');
  await refused(() => loose().grep(space.root, { pattern: 'known', exclude: [long] }), 'exclude');
  await refused(() => loose().grep(space.root, { pattern: 'known', exclude: ['a\0b'] }), 'exclude with NUL');
  await refused(() => loose().search(space.root, { query: 'known', ref: long }), 'ref');
});

test('the index is unchanged after all invalid calls', async () => {
  const { pending, faults, fileCount } = await space.engine.verify(space.root);
  assert.deepEqual([pending, faults, fileCount], [[], [], 1]);
});
