/** The codecompass contract: refs by any of their names, rebuilding under questions, languages and exact names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { answerOf, connectHttp, sandbox, serveProfiles } from '../real-engine.ts';

const box = sandbox(/^(?:internal|go\.mod)/);
let close = async () => {};
let call: (name: string, args?: Record<string, unknown>) => ReturnType<typeof answerOf>;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
    cwd: box.project,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

async function finished(jobId: string): Promise<void> {
  for (;;) {
    const { recent_jobs } = await call('index_status');
    const job = recent_jobs.find(({ job_id }: { job_id: string }) => job_id === jobId);
    if (job && job.status !== 'running' && job.status !== 'queued') return assert.equal(job.status, 'published');
    await new Promise((done) => setTimeout(done, 20));
  }
}
const index = async (args: Record<string, unknown> = {}) => finished((await call('index_repo', args)).job_id);

before(async () => {
  box.write('shop/web/Cart.tsx', 'export function CartView() {\n  return <b>cart</b>;\n}\n');
  box.write('shop/web/cart.ts', 'export function cartTotal() {\n  return 1;\n}\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const http = await serveProfiles(box, ['codecompass'], box.project);
  await box.engine.register(box.project);
  const client = await connectHttp(`${http.url}/mcp`);
  call = (name, args = {}) => answerOf(client, name, args);
  close = async () => {
    await client.close();
    await http.close();
  };
  await index();
});
after(async () => {
  await close();
  await box.close();
});

test('questions go on while index_repo rebuilds the index by force (CC-28)', async () => {
  for (let round = 0; round < 3; round++) {
    const job = call('index_repo', { force: true });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        call(i % 2 ? 'search_code' : 'locate_symbol', i % 2 ? { query: 'user name' } : { name: 'User' }),
      ),
    );
    for (const { results, metadata } of answers) assert.ok(results.length > 0 || metadata.indexing_status !== 'ready');
    await finished((await job).job_id);
  }
});

test('a branch is the same by its whole name, stays when another is checked out, and a commit is the tag at it (CC-29)', async () => {
  const names = async (ref: string) =>
    (await call('locate_symbol', { name: 'User', ref })).results.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('refs/heads/main'), ['User']);
  git('tag', 'v1');
  await index({ ref: 'v1' });
  assert.deepEqual(await names('refs/tags/v1'), ['User']);
  assert.deepEqual(await names(git('rev-parse', 'v1')), ['User']);
  git('checkout', '-qb', 'other');
  box.write('shop/internal/auth/service.go', 'package auth\n\n// Guest replaces everybody.\ntype Guest struct{}\n');
  git('commit', '-qam', 'second');
  await index();
  assert.ok(!(await names('other')).includes('User'));
  assert.deepEqual(await names('main'), ['User']);
});

test('TypeScript includes TSX; names that are only similar answer only where none is exact (CC-30, CC-36)', async () => {
  const locate = async (args: Record<string, unknown>) =>
    (await call('locate_symbol', args)).results.map(({ name }: { name: string }) => name);
  assert.deepEqual(await locate({ name: 'CartView', language: 'typescript' }), ['CartView']);
  assert.deepEqual(await locate({ name: 'CartView', language: 'go' }), []);
  box.write('shop/web/more.ts', 'export function cart() {}\nexport function cartSize() {}\n');
  await index();
  assert.deepEqual(await locate({ name: 'cart' }), ['cart']);
  assert.ok((await locate({ name: 'cartSiz' })).includes('cartSize'));
  // Another case and another scope are only similar, too.
  box.write(
    'shop/web/lock.ts',
    'export class Lock {\n  lock = 1;\n  open() {}\n}\nexport class Door {\n  open() {}\n}\n',
  );
  await index();
  assert.deepEqual(await locate({ name: 'Lock' }), ['Lock']);
  assert.deepEqual(await locate({ name: 'LOCK' }), ['Lock', 'lock']);
  const { results } = await call('locate_symbol', { name: 'Door.open' });
  assert.deepEqual(
    results.map(({ qualified_name }: { qualified_name: string }) => qualified_name),
    ['Door.open'],
  );
});

test('a symbol keeps its symbol_id when another part of its file changes (CC-07, CC-31)', async () => {
  const path = 'shop/internal/auth/keys.go';
  const ids = async () => {
    const found = ['Alpha', 'Beta'].map((name) => call('locate_symbol', { name }));
    return (await Promise.all(found)).map(({ results }) => results[0]!.symbol_id as string);
  };
  box.write(path, 'package auth\n\nfunc Alpha() int { return 1 }\n\nfunc Beta() int { return 2 }\n');
  await index();
  const before = await ids();
  box.write(path, 'package auth\n\nvar first = 0\n\nfunc Alpha() int { return 9 }\n\nfunc Beta() int { return 2 }\n');
  await index();
  assert.deepEqual(await ids(), before);
  const { results } = await call('locate_symbol', { name: before[1] });
  assert.deepEqual([results[0]!.name, results[0]!.line_start], ['Beta', 7]);
});

test('of definitions with one name those that are used come first (CC-13, CC-33, CC-36)', async () => {
  box.write('shop/web/a-unused.ts', 'export function settle() {\n  return 0;\n}\n');
  box.write('shop/web/b-used.ts', 'export function settle() {\n  return 1;\n}\n');
  box.write('shop/web/c-user.ts', "import { settle } from './b-used.ts';\n\nexport const settled = settle();\n");
  await index();
  const { results } = await call('locate_symbol', { name: 'settle' });
  assert.deepEqual(
    results.map(({ path }: { path: string }) => path),
    ['web/b-used.ts', 'web/a-unused.ts'],
  );
  // What was read lately decides only among those that are used alike.
  await box.engine.readFile(box.project, { path: 'web/a-unused.ts', session: 'earlier' });
  assert.equal((await call('locate_symbol', { name: 'settle' })).results[0]!.path, 'web/b-used.ts');
  // An extension is used by the name of its type, and defines none.
  box.write(
    'shop/Sources/Vault.swift',
    'class Vault {}\n\nextension Vault {\n  func seal() {}\n}\n\nlet vault = Vault()\n',
  );
  box.write('shop/Tests/Vault.swift', 'struct Vault {}\n');
  box.write('shop/Old/Vault.swift', 'struct Vault {}\n');
  await index();
  const vaults = (await call('locate_symbol', { name: 'Vault' })).results;
  assert.deepEqual(
    vaults.slice(0, 3).map(({ kind, path }: { kind: string; path: string }) => `${kind} ${path}`),
    ['class Sources/Vault.swift', 'struct Old/Vault.swift', 'extension Sources/Vault.swift'],
  );
});
