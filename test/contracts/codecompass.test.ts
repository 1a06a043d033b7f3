/** The codecompass contract, by a real client over HTTP, with the real engine. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { parseLine } from '../../src/cli/parsing/parse-arguments.ts';
import { createProfile } from '../../src/contracts/codecompass/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type HttpHandle, serveHttp } from '../../src/transports/index.ts';
import { type Message, rawClient } from './raw-client.ts';
import { connectHttp, connectProcess, MODERN, otherIndexer, processEnv, root, sandbox } from './real-engine.ts';

const box = sandbox(/^(?!Sources|vendor)/);
const opened: { client: Client; http: HttpHandle }[] = [];
let client: Client;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
    cwd: box.project,
    stdio: 'pipe',
  });

before(async () => {
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  client = await open(box.project);
});
after(async () => {
  for (const { client: one, http } of opened) {
    await one.close();
    await http.close();
  }
  await box.close();
});

/** A server for another workspace, or in debug mode. */
async function open(workspace: string, debug = false): Promise<Client> {
  const options = { engine: box.engine, workspace, debug, host: '127.0.0.1', port: 0, version: '9.9.9', log: () => {} };
  const http = await serveHttp({ ...options, profiles: ['codecompass'] });
  const made = await connectHttp(`${http.url}/mcp`);
  opened.push({ client: made, http });
  return made;
}

type Arguments = Record<string, unknown>;
const STATES: Readonly<Record<string, readonly string[]>> = {
  freshness_status: ['fresh', 'stale', 'syncing'],
  indexing_status: ['not_indexed', 'indexing', 'ready', 'failed'],
  result_completeness: ['complete', 'partial', 'truncated'],
  schema_status: ['compatible', 'not_indexed', 'reindex_required', 'corrupt_manifest'],
};

/** Every answer passes here: the metadata block is checked on each. */
async function send(name: string, args: Arguments, by: Client): Promise<Message> {
  const result = (await by.callTool({ name, arguments: args })) as Message;
  const payload = result.structuredContent as Message;
  assert.deepEqual(JSON.parse(result.content[0].text), payload);
  assert.deepEqual(Object.keys(payload.metadata), [
    'codecompass_protocol_version',
    'freshness_status',
    'indexing_status',
    'result_completeness',
    'ref',
    'schema_status',
  ]);
  assert.equal(payload.metadata.codecompass_protocol_version, '1.0');
  for (const [field, known] of Object.entries(STATES)) assert.ok(known.includes(payload.metadata[field]), field);
  assert.equal(result.isError ?? false, 'error' in payload, JSON.stringify(payload));
  return payload;
}
async function call(name: string, args: Arguments = {}, by = client): Promise<Message> {
  const payload = await send(name, args, by);
  assert.equal(payload.error, undefined, JSON.stringify(payload.error));
  return payload;
}
async function refused(name: string, args: Arguments, code: string, by = client): Promise<Message> {
  const { error, metadata } = await send(name, args, by);
  assert.equal(error?.code, code, JSON.stringify(error));
  assert.ok(error.message.length > 0);
  return { ...error, metadata };
}
async function jobEnds(by = client, ref?: string): Promise<Message> {
  for (;;) {
    const status = await call('index_status', ref ? { ref } : {}, by);
    if (status.active_job === null && status.index_status !== 'indexing') return status;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
const search = (query: string, more: Arguments = {}) => call('search_code', { query, ...more });

test('tools, order and inputs are those of the contract (CC-08, CC-10, CC-11, CC-15, CC-24, CC-25)', async () => {
  const raw = rawClient({ profile: 'codecompass', engine: box.engine, workspace: box.project });
  const { result } = await raw.initialize();
  assert.ok(Buffer.byteLength(result.instructions) < 2048);
  const tools = (await raw.request('tools/list')).result.tools as Message[];
  await raw.close();
  const inputs = tools.map(({ name, inputSchema }) => [
    name,
    Object.entries(inputSchema.properties).map(([key, schema]) => {
      const { type, default: value } = schema as Message;
      return value === undefined ? `${key}: ${type}` : `${key}: ${type} = ${value}`;
    }),
    inputSchema.required ?? [],
  ]);
  assert.deepEqual(inputs, [
    ['index_repo', ['force: boolean = false', 'ref: string'], []],
    ['sync_repo', ['force: boolean = false', 'ref: string'], []],
    [
      'locate_symbol',
      ['name: string', 'kind: string', 'language: string', 'ref: string', 'limit: integer = 10'],
      ['name'],
    ],
    ['search_code', ['query: string', 'ref: string', 'language: string', 'limit: integer = 10'], ['query']],
    ['index_status', ['ref: string'], []],
  ]);
  for (const { title, icons, outputSchema, annotations, name } of tools) {
    assert.ok(title && icons.length > 0 && outputSchema.required.includes('metadata'), name);
    assert.equal(annotations.readOnlyHint, !['index_repo', 'sync_repo'].includes(name));
  }
});

test('the command lines of the contract (CC-27)', () => {
  const lines = [
    'init',
    'doctor',
    'index --force --path shop --ref main',
    'sync --force --workspace shop',
    'search QUERY --ref main --lang go',
    'serve-mcp --workspace shop',
  ];
  for (const line of lines)
    for (const more of ['', ' --verbose', ' -v', ' --config sextant.yml']) {
      const { command } = parseLine(`${line}${more}`.split(' '), COMMANDS);
      assert.equal(command?.name, line.split(' ')[0], line + more);
    }
});

test('before init every tool says project_not_found, and nothing is indexed by asking (CC-23, CC-09, CC-14, CC-19)', async () => {
  const calls: [string, Arguments][] = [
    ['index_repo', {}],
    ['sync_repo', {}],
    ['locate_symbol', { name: 'x' }],
    ['search_code', { query: 'x' }],
    ['index_status', {}],
  ];
  for (const [name, args] of calls) {
    const { fix, metadata } = await refused(name, args, 'project_not_found');
    assert.match(fix, /sextant init/);
    assert.deepEqual([metadata.indexing_status, metadata.schema_status], ['not_indexed', 'not_indexed'], name);
  }
  assert.equal((await box.engine.project(box.project)).registered, false);
});

test('a server without a workspace says what it lacks (CC-24, CC-01)', async () => {
  const raw = rawClient({ profile: 'codecompass', engine: box.engine });
  await raw.initialize();
  const { result } = await raw.request('tools/call', { name: 'index_status', arguments: {} });
  const { error, metadata } = result.structuredContent;
  assert.deepEqual([error.code, metadata.ref, metadata.indexing_status], ['invalid_input', 'live', 'not_indexed']);
  assert.match(error.message, /Which project\?.*--workspace/);
  await raw.close();
});

test('the shipped command leaves the first index to index_repo, before and after init (CC-23, CC-26)', async () => {
  const own = await connectProcess(box, ['--profile', 'codecompass', '--workspace', box.bare]);
  try {
    const ask = async (name: string) => (await own.callTool({ name, arguments: {} })).structuredContent as Message;
    assert.equal((await ask('index_status')).error.code, 'project_not_found');
    execFileSync(process.execPath, [join(root, 'dist/main.js'), 'init', box.bare], {
      env: processEnv(box),
      stdio: 'pipe',
    });
    const { index_status, recent_jobs, metadata } = await ask('index_status');
    assert.deepEqual([index_status, recent_jobs, metadata.indexing_status], ['not_indexed', [], 'not_indexed']);
    const started = await ask('index_repo');
    assert.deepEqual([started.status, started.mode, started.file_count], ['running', 'full', null]);
    assert.equal(started.metadata.indexing_status, 'indexing');
    let status: Message;
    do status = await ask('index_status');
    while (status.index_status === 'indexing');
    assert.deepEqual([status.index_status, status.file_count, status.recent_jobs[0].status], ['ready', 1, 'published']);
    assert.equal(status.recent_jobs[0].job_id, started.job_id);
  } finally {
    await own.close();
  }
});

test('registered and not indexed: said, with the way on (CC-02, CC-03, CC-04, CC-05, CC-26)', async () => {
  await box.engine.register(box.project);
  const status = await call('index_status');
  assert.deepEqual(
    [status.index_status, status.schema_status, status.last_indexed_at, status.recent_jobs],
    ['not_indexed', 'not_indexed', null, []],
  );
  const searched = await search('where is the price');
  assert.equal(searched.query_intent, 'natural_language');
  assert.equal((await search('internal/auth')).query_intent, 'path');
  const debugging = await open(box.project, true);
  const debugged = await call('search_code', { query: 'price' }, debugging);
  assert.deepEqual([debugged.query_intent, debugged.debug], ['symbol', { join_status: { hits: 0, misses: 0 } }]);
  for (const answer of [searched, await call('locate_symbol', { name: 'price' })]) {
    assert.deepEqual([answer.results, answer.total_candidates], [[], 0]);
    assert.match(answer.message, /index_repo/);
    assert.deepEqual(answer.suggested_next_actions, [{ tool: 'index_repo', ref: 'main' }]);
    const { metadata } = answer;
    assert.deepEqual(
      [metadata.indexing_status, metadata.result_completeness, metadata.freshness_status],
      ['not_indexed', 'partial', 'stale'],
    );
  }
});

test('index_repo starts a job and answers at once; index_status follows it (CC-08, CC-21, CC-22, CC-01)', async () => {
  const answer = await call('index_repo');
  assert.deepEqual(Object.keys(answer), ['job_id', 'status', 'mode', 'file_count', 'metadata']);
  assert.deepEqual([answer.status, answer.mode, answer.file_count], ['running', 'full', null]);
  assert.deepEqual(
    [answer.metadata.indexing_status, answer.metadata.freshness_status, answer.metadata.ref],
    ['indexing', 'syncing', 'main'],
  );
  // Who follows the job must not find none and take it for done.
  const begun = await call('index_status');
  assert.deepEqual(
    [begun.active_job?.job_id, begun.active_job?.status, begun.active_job?.ref],
    [answer.job_id, 'running', 'main'],
  );
  const status = await jobEnds();
  assert.deepEqual(Object.keys(status), [
    'project_id',
    'repo_root',
    'index_status',
    'schema_status',
    'current_schema_version',
    'required_schema_version',
    'last_indexed_at',
    'ref',
    'file_count',
    'symbol_count',
    'active_job',
    'recent_jobs',
    'metadata',
  ]);
  assert.match(status.project_id, /^[0-9a-f]{16}$/);
  assert.deepEqual(
    [status.repo_root, status.index_status, status.schema_status, status.ref, status.file_count],
    [box.project, 'ready', 'compatible', 'main', 8],
  );
  assert.equal(status.current_schema_version, status.required_schema_version);
  assert.ok(status.symbol_count > 8);
  assert.equal(new Date(status.last_indexed_at).toISOString(), status.last_indexed_at);
  const [job] = status.recent_jobs;
  assert.deepEqual(Object.keys(job), ['job_id', 'ref', 'mode', 'status', 'changed_files', 'duration_ms', 'created_at']);
  assert.deepEqual(
    [job.job_id, job.ref, job.mode, job.status, job.changed_files],
    [answer.job_id, 'main', 'full', 'published', 8],
  );
  assert.equal(status.metadata.freshness_status, 'fresh');
  assert.equal(status.metadata.schema_status, 'compatible');
});

test('a located symbol has every field; definitions come first (CC-12, CC-13, CC-06)', async () => {
  const answer = await call('locate_symbol', { name: 'AuthenticateUser' });
  assert.deepEqual(Object.keys(answer).slice(0, 2), ['results', 'total_candidates']);
  const [first] = answer.results;
  assert.deepEqual(Object.keys(first), [
    'symbol_id',
    'symbol_stable_id',
    'path',
    'line_start',
    'line_end',
    'kind',
    'name',
    'qualified_name',
    'signature',
    'language',
    'score',
  ]);
  assert.match(first.symbol_id, /^sym_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(first.symbol_stable_id, /^b3:[0-9a-f]{64}$/);
  assert.deepEqual(
    [first.path, first.line_start, first.line_end, first.kind, first.qualified_name, first.language],
    ['internal/auth/service.go', 16, 21, 'fn', 'auth.AuthenticateUser', 'go'],
  );
  assert.match(first.signature, /^func AuthenticateUser\(username, password string\)/);
  // The test calls it four times; none of the calls stands before, or in place of, the definition.
  assert.ok(answer.results.every(({ path, name }: Message) => name !== 'AuthenticateUser' || !path.includes('_test')));
  const narrowed = await call('locate_symbol', { name: 'User', kind: 'struct', language: 'go', limit: 1 });
  assert.deepEqual([narrowed.results.length, narrowed.results[0].kind], [1, 'struct']);
  // `fn` and `method` are two kinds of the contract.
  const kindsOf = async (kind: string) =>
    (await call('locate_symbol', { name: 'Rename', kind })).results.map((found: Message) => found.kind);
  assert.deepEqual(await kindsOf('method'), ['method']);
  assert.ok(!(await kindsOf('fn')).includes('method'), 'a method is no fn');
  assert.equal((await call('locate_symbol', { name: 'AuthenticateUser', language: 'typescript' })).results.length, 0);
});

test('a search result has every field, and the calls to make next (CC-16, CC-06)', async () => {
  const answer = await search('verify user credentials', { limit: 3 });
  assert.deepEqual(Object.keys(answer), [
    'results',
    'query_intent',
    'total_candidates',
    'suggested_next_actions',
    'metadata',
  ]);
  const hit = answer.results.find(({ name }: Message) => name === 'AuthenticateUser');
  assert.deepEqual(Object.keys(hit), [
    'result_id',
    'symbol_id',
    'symbol_stable_id',
    'result_type',
    'path',
    'line_start',
    'line_end',
    'kind',
    'name',
    'qualified_name',
    'language',
    'score',
    'snippet',
  ]);
  assert.match(hit.snippet, /func AuthenticateUser/);
  for (const { result_id, result_type, score } of answer.results) {
    assert.match(result_id, /^(?:snip|doc)_[0-9A-Z]{26}$/);
    assert.ok(['symbol', 'snippet', 'file'].includes(result_type) && score >= 0 && score <= 1);
  }
  assert.ok(answer.total_candidates >= answer.results.length);
  for (const { tool, ...args } of answer.suggested_next_actions) {
    assert.equal(args.ref, 'main');
    assert.ok((await call(tool, args)).results.length > 0, JSON.stringify(args));
  }
  const member = (await search('Rename changes the name of a user')).suggested_next_actions;
  assert.deepEqual(
    [member[0], member.at(-1)],
    [
      { tool: 'locate_symbol', name: 'auth.User.Rename', ref: 'main' },
      { tool: 'search_code', query: 'user rename shop', ref: 'main', limit: 5 },
    ],
    'a member is named with what it belongs to, and no folder that every project has',
  );
  const tools = answer.suggested_next_actions.map(({ tool }: Message) => tool);
  assert.ok(tools.includes('locate_symbol') && tools.includes('search_code'));
  const named = await search('cartTotal');
  assert.deepEqual([named.results[0].result_type, named.results[0].name], ['symbol', 'cartTotal']);
  const guide = (await search('installation on servers unpack the archive')).results[0];
  assert.deepEqual([guide.path, guide.result_type], ['docs/guide.md', 'snippet']);
  const near = await call('locate_symbol', { name: 'zzcartTotlzz' });
  assert.deepEqual(near.results, []);
});

function goFunction(name: string): string {
  return new RegExp(`^func ${name}[^]*?^}\\n`, 'm').exec(box.read('shop/internal/auth/service.go'))![0];
}

test('handles lead back to the symbol, also after re-indexing (CC-07)', async () => {
  const [hit] = (await search('cartTotal')).results;
  const [before] = (await call('locate_symbol', { name: 'cartTotal' })).results;
  assert.deepEqual([hit.symbol_id, hit.symbol_stable_id], [before.symbol_id, before.symbol_stable_id]);
  for (const name of [hit.symbol_id, hit.symbol_stable_id, hit.result_id]) {
    const { results } = await call('locate_symbol', { name });
    assert.deepEqual([results.length, results[0].symbol_id, results[0].path], [1, before.symbol_id, 'web/cart.ts']);
  }
  await call('index_repo', { force: true });
  await jobEnds();
  assert.deepEqual((await call('locate_symbol', { name: before.symbol_id })).results[0], before);
  // In Go a module is the folder: another file of it has the same symbol. In TypeScript each file is a module.
  const [valid] = (await call('locate_symbol', { name: 'ValidateToken' })).results;
  box.write('shop/web/moved.ts', `// moved\n\n${box.read('shop/web/cart.ts')}`);
  box.write('shop/internal/auth/moved.go', `package auth\n\n${goFunction('ValidateToken')}`);
  await call('sync_repo');
  await jobEnds();
  const paths = async (name: string) =>
    (await call('locate_symbol', { name })).results.map(({ path }: Message) => path).sort();
  assert.deepEqual(await paths(before.symbol_stable_id), ['web/cart.ts']);
  assert.deepEqual(await paths(valid.symbol_stable_id), ['internal/auth/moved.go', 'internal/auth/service.go']);
});

test('an id that has nothing behind it any more is told from a name that nobody uses (CC-07)', async () => {
  for (const name of [`sym_${'0'.repeat(26)}`, `snip_${'0'.repeat(26)}`, `b3:${'0'.repeat(64)}`]) {
    const { results, message } = await call('locate_symbol', { name });
    assert.deepEqual(results, []);
    assert.match(message, /^Nothing has this id any more: .* Search again/, name);
  }
  assert.equal((await call('locate_symbol', { name: 'zzqxWibble' })).message, undefined);
});

test('nothing left by filters is told (CC-11, CC-15)', async () => {
  const narrowed = await call('locate_symbol', { name: 'cartTotal', kind: 'class', language: 'rust' });
  assert.deepEqual(
    [narrowed.results, narrowed.message],
    [[], 'Nothing matches with kind "class" and language "rust": call again without.'],
  );
  const { results, message } = await search('cart total', { language: 'rust' });
  assert.deepEqual([results, message], [[], 'Nothing matches with language "rust": call again without.']);
  assert.equal((await search('zzqx wibble')).message, undefined);
  assert.equal((await search('cart total', { language: 'typescript' })).message, undefined);
});

test('the handle of a result that is no symbol leads back to its text (CC-06, CC-07)', async () => {
  for (const query of ['how do users sign in with a token', 'docs/guide.md']) {
    const hit = (await search(query)).results.find(({ path }: Message) => path === 'docs/guide.md');
    assert.ok(!('symbol_id' in hit), query);
    const { results, total_candidates, metadata } = await call('locate_symbol', { name: hit.result_id });
    const place = ({ result_id, path, line_start, line_end, language, snippet }: Message) => [
      [path, line_start, line_end],
      [result_id, language, snippet],
    ];
    assert.deepEqual(results.map(place), [place(hit)]);
    assert.deepEqual([total_candidates, metadata.result_completeness], [1, 'complete']);
  }
  assert.deepEqual((await call('locate_symbol', { name: `doc_${'0'.repeat(26)}` })).results, []);
});

test('intents by the patterns of the contract (CC-17)', async () => {
  const intents: [string, string][] = [
    ['validate_token', 'symbol'],
    ['AuthenticateUser', 'symbol'],
    ['internal/auth/service.go', 'path'],
    ['cart.ts', 'path'],
    ['cart.ts:2', 'path'],
    ['E0308', 'error'],
    ['ECONNREFUSED', 'error'],
    ['"x"', 'error'],
    ['panic: runtime error', 'error'],
    ['"username and password required"', 'error'],
    ['panic: runtime error at service.go:42', 'error'],
    ['TypeError: x is not a function', 'error'],
    ['where is rate limiting implemented', 'natural_language'],
  ];
  for (const [query, intent] of intents) assert.equal((await search(query)).query_intent, intent, query);
  for (const [query, path] of [
    ['web/price.ts', 'web/price.ts'],
    ['price.ts:3', 'web/price.ts'],
    ['README.md', 'README.md'],
    ['guide.md', 'docs/guide.md'],
    ['auth/service.go', 'internal/auth/service.go'],
  ] as const) {
    const [first] = (await search(query)).results;
    assert.deepEqual([first.path, first.result_type], [path, 'file'], query);
    assert.notEqual(first.snippet, '', query);
  }
  assert.equal((await search('"username and password required"')).results[0].path, 'internal/auth/service.go');
});

test('limits: the rest is counted and said (CC-04, CC-11, CC-15)', async () => {
  const one = await search('user token', { limit: 1 });
  assert.deepEqual([one.results.length, one.metadata.result_completeness], [1, 'truncated']);
  const all = await call('locate_symbol', { name: 'AuthenticateUser' });
  assert.equal(all.metadata.result_completeness, all.total_candidates > all.results.length ? 'truncated' : 'complete');
  assert.equal((await call('locate_symbol', { name: 'Rename' })).metadata.result_completeness, 'complete');
  assert.ok((await search('user', { language: 'go' })).results.every(({ language }: Message) => language === 'go'));
});

test('wrong input: invalid_input by name (CC-14, CC-19, CC-01)', async () => {
  const wrong: [string, Arguments, RegExp][] = [
    ['locate_symbol', {}, /^Missing required input: name$/],
    ['locate_symbol', { name: ' ' }, /^Missing required input: name$/],
    ['locate_symbol', { name: 7 }, /name must be a string/],
    ['locate_symbol', { name: 'x', kind: 'gadget' }, /gadget/],
    ['locate_symbol', { name: 'x', language: 'klingon' }, /klingon/],
    ['search_code', {}, /^Missing required input: query$/],
    ['search_code', { query: '' }, /^Missing required input: query$/],
    ['search_code', { query: 'x', limit: 0 }, /limit must be between 1 and/],
    ['index_repo', { force: 'yes' }, /force must be a boolean/],
  ];
  for (const [name, args, words] of wrong) assert.match((await refused(name, args, 'invalid_input')).message, words);
});

test('debug.join_status in debug mode only (CC-18)', async () => {
  assert.equal('debug' in (await search('price of an item')), false);
  const debugging = await open(box.project, true);
  const answer = await call('search_code', { query: 'price of an item' }, debugging);
  const { hits, misses } = answer.debug.join_status;
  assert.equal(hits + misses, answer.results.length);
  assert.equal(hits, answer.results.filter((result: Message) => 'symbol_id' in result).length);
});

test('while an index is being made, by another process too (CC-02, CC-03, CC-09)', async () => {
  const other = await otherIndexer(box, box.project);
  try {
    for (const name of ['index_repo', 'sync_repo']) {
      const { message, fix } = await refused(name, {}, 'index_in_progress');
      assert.equal(message, 'An indexing job is already running for this project.');
      assert.match(fix, /index_status/);
    }
    const { metadata, results } = await search('cartTotal');
    assert.deepEqual([metadata.indexing_status, metadata.freshness_status], ['indexing', 'syncing']);
    assert.ok(results.length > 0, 'searches go on');
  } finally {
    await other.end();
  }
});

test('a change makes the answers stale until sync_repo has taken it over (CC-02, CC-10, CC-22)', async () => {
  box.write('shop/web/refund.ts', 'export function refundEverything() {}\n');
  let metadata: Message;
  do {
    ({ metadata } = await search('cartTotal'));
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (metadata.freshness_status === 'fresh');
  assert.equal(metadata.freshness_status, 'stale');
  const answer = await call('sync_repo');
  assert.deepEqual(Object.keys(answer), ['job_id', 'status', 'mode', 'changed_files', 'metadata']);
  assert.deepEqual([answer.status, answer.mode, answer.changed_files], ['running', 'incremental', null]);
  const status = await jobEnds();
  const job = status.recent_jobs.find(({ job_id }: Message) => job_id === answer.job_id);
  assert.deepEqual([job.mode, job.status, job.changed_files], ['incremental', 'published', 1]);
  assert.equal((await call('locate_symbol', { name: 'refundEverything' })).results[0].path, 'web/refund.ts');
  assert.equal((await search('refundEverything')).metadata.freshness_status, 'fresh');
});

test('refs: the branch by default, another one as it was indexed (CC-20)', async () => {
  git('add', '.');
  git('commit', '-qm', 'second');
  git('branch', 'old', 'HEAD~1');
  const missing = await call('locate_symbol', { name: 'cartTotal', ref: 'old' });
  assert.deepEqual([missing.results, missing.metadata.ref, missing.metadata.schema_status], [[], 'old', 'not_indexed']);
  assert.deepEqual(missing.suggested_next_actions, [{ tool: 'index_repo', ref: 'old' }]);
  await call('index_repo', { ref: 'old' });
  const status = await jobEnds(client, 'old');
  assert.deepEqual([status.ref, status.file_count], ['old', 8]);
  assert.equal((await call('index_status')).ref, 'main');
  const names = async (ref: string) =>
    (await call('locate_symbol', { name: 'refundEverything', ref })).results.map(({ name }: Message) => name);
  assert.equal((await names('old')).includes('refundEverything'), false);
  assert.equal((await names('main')).includes('refundEverything'), true);
  git('checkout', '-q', '-b', 'topic');
  const moved = await call('sync_repo');
  assert.equal(moved.metadata.ref, 'topic', 'the branch that the job is about, not the one of the index before');
  const [job] = (await jobEnds()).recent_jobs;
  assert.deepEqual([job.job_id, job.ref], [moved.job_id, 'topic']);
  git('checkout', '-q', '--detach');
  const detached = await call('sync_repo');
  await jobEnds();
  git('checkout', '-q', 'main');
  await call('sync_repo');
  const jobs = (await jobEnds()).recent_jobs.slice(0, 3);
  assert.deepEqual([detached.metadata.ref, ...jobs.map(({ ref }: Message) => ref)], ['live', 'main', 'live', 'topic']);
  await box.engine.register(box.bare);
  const bare = await open(box.bare);
  await call('index_repo', {}, bare);
  assert.equal((await jobEnds(bare)).ref, 'live');
});

test('an answer that waited for the first index tells the state it was given in (CC-01)', async () => {
  const { engine } = box;
  for (const [name, args] of [
    ['search_code', { query: 'main' }],
    ['locate_symbol', { name: 'main' }],
  ] as const) {
    box.write(`${name}/main.go`, 'package main\n\nfunc main() {}\n');
    const folder = join(box.folder, name);
    await engine.register(folder);
    const late = Object.assign(Object.create(engine) as Engine, {
      status: engine.status.bind(engine),
      search: async (...asked: Parameters<Engine['search']>) => {
        await engine.index(folder);
        return engine.search(...asked);
      },
      locate: async (...asked: Parameters<Engine['locate']>) => {
        await engine.index(folder);
        return engine.locate(...asked);
      },
    });
    const raw = rawClient({ profile: 'codecompass', engine: late, workspace: folder });
    await raw.initialize();
    const { result } = await raw.request('tools/call', { name, arguments: args });
    const { results, metadata } = result.structuredContent;
    assert.equal(results[0].path, 'main.go');
    const { freshness_status, indexing_status, schema_status } = metadata;
    assert.deepEqual([freshness_status, indexing_status, schema_status], ['fresh', 'ready', 'compatible']);
    await raw.close();
  }
});

test('a first index that fails is reported as failed (CC-03)', async () => {
  const folder = join(box.folder, 'empty');
  await box.engine.register(folder);
  const empty = await open(folder);
  await call('index_repo', {}, empty);
  const status = await jobEnds(empty);
  assert.deepEqual([status.index_status, status.metadata.indexing_status], ['failed', 'failed']);
  assert.equal(status.recent_jobs[0].status, 'failed');
  assert.match(status.recent_jobs[0].error, /no source or text file/i);
  const { message } = await call('search_code', { query: 'price' }, empty);
  assert.match(message, /^live could not be indexed: .*no source or text file.*\. Call index_repo again when/);
});

test('an index of another schema, or a damaged one: index_incompatible, and index_repo with force mends it (CC-05, CC-14, CC-19)', async () => {
  const { Database } = await import('../../src/store/sqlite/database.ts');
  const { storeFolder } = await box.engine.project(box.project);
  const file = join(storeFolder, 'index.sqlite');
  await box.engine.close();
  const schema = (version: number) => {
    const db = Database.open(file, 'write');
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
  };
  schema(99);
  for (const [name, args] of [
    ['search_code', { query: 'price' }],
    ['locate_symbol', { name: 'price' }],
  ] as const)
    assert.equal((await refused(name, args, 'index_incompatible')).metadata.schema_status, 'reindex_required');
  const status = await call('index_status');
  assert.deepEqual([status.schema_status, status.current_schema_version], ['reindex_required', 99]);
  // What a newer version wrote is nobody's to replace, by force either.
  assert.match((await refused('index_repo', { force: true }, 'index_incompatible')).fix, /Upgrade/);
  // The tables are not those of the version that the file names.
  for (const version of [1, 0]) {
    await box.engine.close();
    schema(version);
    for (const [name, args] of [
      ['locate_symbol', { name: 'price' }],
      ['search_code', { query: 'price' }],
      ['sync_repo', {}],
    ] as const) {
      const refusal = await refused(name, args, 'index_incompatible');
      assert.deepEqual([refusal.metadata.schema_status, /force/.test(refusal.fix)], ['corrupt_manifest', true], name);
    }
    assert.equal((await call('index_status')).schema_status, 'corrupt_manifest');
    await call('index_repo', { force: true });
    assert.equal((await jobEnds()).schema_status, 'compatible');
  }
  await box.engine.close();
  // Files of their own: whoever has the old ones in memory would be killed if they were cut short.
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  writeFileSync(file, 'this is no database'.repeat(1000));
  for (const suffix of ['-wal', '-shm']) writeFileSync(file + suffix, '');
  const refusal = await refused('search_code', { query: 'price' }, 'index_incompatible');
  assert.equal(refusal.metadata.schema_status, 'corrupt_manifest');
  assert.match(refusal.fix, /force/);
  assert.equal((await call('index_status')).schema_status, 'corrupt_manifest');
  await call('index_repo', { force: true });
  assert.equal((await jobEnds()).schema_status, 'compatible');
});

test('an unexpected failure is internal_error, with metadata (CC-09, CC-14, CC-19, CC-01)', async () => {
  const boom = () => Promise.reject(new TypeError('boom'));
  const broken = Object.assign(Object.create(box.engine) as Engine, {
    search: boom,
    locate: boom,
    startIndex: boom,
    status: box.engine.status.bind(box.engine),
  });
  const raw = rawClient({
    profile: createProfile({ workspace: null, version: '1', log: () => {}, engine: async () => broken }),
    engine: broken,
    workspace: box.project,
  });
  await raw.initialize();
  for (const [name, args] of [
    ['search_code', { query: 'x' }],
    ['locate_symbol', { name: 'x' }],
    ['index_repo', {}],
  ] as const) {
    const { result } = await raw.request('tools/call', { name, arguments: args });
    const { error, metadata } = JSON.parse(result.content[0].text);
    assert.deepEqual([result.isError, error.code, metadata.indexing_status], [true, 'internal_error', 'ready']);
    assert.match(error.message, /boom/);
  }
  await raw.close();
});

test('the newest protocol version gets the same answers (CC-01)', async () => {
  const modern = await connectHttp(`${opened[0]!.http.url}/mcp`, MODERN);
  assert.equal((await call('locate_symbol', { name: 'cartTotal' }, modern)).results.length > 0, true);
  await refused('search_code', {}, 'invalid_input', modern);
  await modern.close();
});
