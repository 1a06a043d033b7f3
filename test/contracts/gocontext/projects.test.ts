/** The gocontext contract: what is a project, which paths name one, what a run reports and which packages a filter means. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answerOf, connectHttp, connectProcess, sandbox, serveProfiles } from '../real-engine.ts';

const box = sandbox(/^(?!Sources)/);
let close = async () => {};
let call: (name: string, args: Record<string, unknown>) => ReturnType<typeof answerOf>;

before(async () => {
  const http = await serveProfiles(box, ['gocontext'], null);
  const client = await connectHttp(`${http.url}/mcp`);
  call = (name, args) => answerOf(client, name, args);
  close = async () => {
    await client.close();
    await http.close();
  };
});
after(async () => {
  await close();
  await box.close();
});

const at = (folder: string) => `${box.folder}/${folder}`;
const statistics = async (folder: string) => (await call('index_codebase', { path: at(folder) })).statistics;

test('a folder without go.mod and .go files is no project; a server for any language indexes it (GC-43, GC-56)', async () => {
  box.write('pages/index.ts', 'export const page = 1;\n');
  const phases: string[] = [];
  const requireProject = { language: 'go', manifest: 'go.mod', missing: 'no Go' };
  const onProgress = ({ phase }: { phase: string }) => phases.push(phase);
  await assert.rejects(box.engine.index(at('pages'), { requireProject, onProgress }), /no Go/);
  assert.deepEqual([...new Set(phases)], ['walk'], 'nothing is parsed before it is refused');
  await assert.rejects(call('index_codebase', { path: at('pages') }), /Project not found/);
  box.write('manifest/go.mod', 'module example.com/empty\n');
  assert.equal((await call('index_codebase', { path: at('manifest') })).success, true);
  const any = await connectProcess(box, ['--profile', 'gocontext', '--any-language']);
  const indexed = await answerOf(any, 'index_codebase', { path: at('pages') });
  assert.equal(indexed.statistics.files_indexed, 1);
  await any.close();
});

test('a path that is not normalised is refused as a parameter (GC-44)', async () => {
  for (const path of [`${box.project}/../../../etc`, `${box.project}/./internal`, `${box.project}//internal`])
    for (const [name, more] of [
      ['get_status', {}],
      ['search_code', { query: 'user' }],
      ['index_codebase', {}],
    ] as const)
      await assert.rejects(call(name, { path, ...more }), /Invalid params/, `${name} ${path}`);
  assert.equal((await call('get_status', { path: `${box.project}/` })).success, true);
});

test('every file counts once: copies as files, a broken one as failed, unchanged ones as skipped (GC-45)', async () => {
  const same = 'package copies\n\nfunc Hello() int { return 1 }\n';
  for (const name of ['a', 'b']) box.write(`copies/${name}.go`, same);
  for (let i = 0; i < 250; i++) box.write(`copies/many/f${i}.go`, `package many\n\nfunc F${i}() int { return ${i} }\n`);
  box.write('copies/broken.go', 'package copies\n\nfunc Broken( {\n');
  const first = await statistics('copies');
  assert.deepEqual([first.files_indexed, first.files_skipped, first.files_failed], [252, 0, 1]);
  // At once, while the files are so new that their times prove nothing.
  const second = await statistics('copies');
  assert.deepEqual([second.files_indexed, second.files_skipped, second.files_failed], [0, 252, 1]);
  assert.deepEqual([second.symbols_extracted, second.chunks_created, second.embeddings_generated], [0, 0, 0]);
  box.write('copies/c.go', same);
  assert.equal((await statistics('copies')).files_indexed, 1);
  const { statistics: totals } = await call('get_status', { path: at('copies') });
  assert.deepEqual([totals.total_files, totals.total_symbols >= 253], [254, true]);
  assert.equal((await statistics('copies/many')).files_indexed, 250);
});

test('symbol, lines and content of a result are the same thing, and its context surrounds it (GC-24, GC-46)', async () => {
  await call('index_codebase', { path: box.project });
  const { results } = await call('search_code', { path: box.project, query: 'user name token', limit: 20 });
  const code = results.filter(({ symbol }: { symbol: unknown }) => symbol);
  assert.ok(code.length > 1);
  for (const { symbol, file, content, context_before, context_after } of code) {
    const lines = box.read(`shop/${file.path}`).split('\n');
    assert.equal(content, lines.slice(file.start_line - 1, file.end_line).join('\n'));
    assert.ok(content.includes(symbol.name), `${symbol.name}: ${content}`);
    assert.equal(context_before, lines.slice(Math.max(0, file.start_line - 6), file.start_line - 1).join('\n'));
    assert.ok(lines.slice(file.end_line).join('\n').startsWith(context_after));
  }
});

test('within one file every symbol that matches is a result (GC-28, GC-47)', async () => {
  const { results, statistics: counts } = await call('search_code', {
    path: box.project,
    query: 'user',
    limit: 100,
    filters: { file_pattern: 'internal/auth/service.go' },
  });
  const names = results.flatMap(({ symbol }: { symbol: { name: string } | null }) => symbol?.name ?? []);
  for (const name of ['User', 'UserRepository', 'AuthenticateUser', 'Rename'])
    assert.ok(names.includes(name), `${name} of ${names}`);
  assert.equal(counts.total_results, results.length);
});

test('a package is named by its name, its folder or its import path; a type is an alias or a defined type (GC-27, GC-48, GC-57)', async () => {
  const paths = async (name: string) =>
    (
      await call('search_code', { path: box.project, query: 'user invoice', filters: { packages: [name] } })
    ).results.map(({ file }: { file: { path: string } }) => file.path);
  for (const name of ['billing', 'internal/billing', 'github.com/acme/shop/internal/billing'])
    assert.deepEqual([...new Set(await paths(name))], ['internal/billing/invoice.go'], name);
  assert.deepEqual(await paths('github.com/acme/shop/other'), []);
  // An import path is one folder, and a Makefile or a page beside the code is in no package.
  box.write(
    'shop/internal/tools/billing/invoice.go',
    'package billing\n\n// Invoice of a user.\ntype Invoice struct{}\n',
  );
  box.write('shop/internal/billing/Makefile', '# Sends each user an invoice.\ninvoice:\n\tgo run .\n');
  box.write('shop/internal/billing/README.md', '# Invoice\n\nWhat a user pays by invoice.\n');
  box.write('shop/Makefile', '# Builds the invoice of each user.\ninvoice:\n\tgo build .\n');
  await call('index_codebase', { path: box.project });
  const files = async (name: string) => [...new Set(await paths(name))].sort();
  assert.deepEqual(await files('github.com/acme/shop/internal/billing'), ['internal/billing/invoice.go']);
  assert.deepEqual(await files('billing'), ['internal/billing/invoice.go', 'internal/tools/billing/invoice.go']);
  for (const name of ['github.com/acme/shop', 'shop', '.']) assert.deepEqual(await files(name), [], name);
  box.write('shop/internal/auth/kinds.go', 'package auth\n\n// UserID names a user.\ntype UserID string\n');
  await call('index_codebase', { path: box.project });
  const { results } = await call('search_code', {
    path: box.project,
    query: 'user',
    filters: { symbol_types: ['type'] },
  });
  assert.deepEqual(
    results.map(({ symbol }: { symbol: { name: string } }) => symbol.name),
    ['UserID'],
  );
});

test('a result that declares no package has none (GC-49)', async () => {
  const { results } = await call('search_code', { path: box.project, query: 'installation on servers' });
  const guide = results.find(({ file }: { file: { path: string } }) => file.path === 'docs/guide.md');
  assert.equal(guide.file.package, '');
});

test('a list is as long as its limit where more results match (GC-04, GC-55)', async () => {
  const said = (i: number) => (i < 10 ? 'The parcel is delivered' : 'A truck carries heavy boxes');
  for (let i = 0; i < 130; i++)
    box.write(
      `shelves/f${i}.go`,
      `package shelves\n\n// Shelf${i} says: ${said(i)} from shelf ${i}.\nfunc Shelf${i}() {}\n`,
    );
  await call('index_codebase', { path: at('shelves') });
  const { results, statistics: counts } = await call('search_code', {
    path: at('shelves'),
    query: 'parcel delivered',
    limit: 50,
  });
  assert.ok(counts.total_results > 50);
  assert.equal(results.length, 50);
});
