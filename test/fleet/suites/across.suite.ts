/**
 * Questions across repositories: the same order as one index of all of them, and nothing of what a subject may not see.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asSubject } from '../../../src/fleet/serving/subjects.ts';
import type { LocateAnswer, SearchAnswer, SearchRequest } from '../../../src/model/records/query.ts';
import { crossOf } from '../cross-under-test.ts';
import { type FleetUnderTest, fleetFor } from '../fleet-under-test.ts';
import { openSharedNode } from '../fleet-workspace.ts';

/** A repository for each of some languages: our own fixtures. */
const LANGUAGES = ['go', 'haskell', 'python', 'rust', 'script', 'swift', 'sql'];

function fixtureRepositories(): Record<string, Record<string, string>> {
  const languages = join(import.meta.dirname, '../../../src/languages');
  const repositories: Record<string, Record<string, string>> = {};
  for (const language of LANGUAGES) {
    let names: string[] = [];
    try {
      names = readdirSync(join(languages, language, 'fixture'));
    } catch {
      continue;
    }
    const sources = names.filter((name) => !/\.(?:snap|json)$/.test(name));
    const files = sources.map((name) => [
      `src/${name}`,
      readFileSync(join(languages, language, 'fixture', name), 'utf8'),
    ]);
    if (files.length > 0)
      repositories[language] = { ...Object.fromEntries(files), 'README.md': `# ${language}\n\nShop in ${language}.\n` };
  }
  return repositories;
}

async function indexed(under: FleetUnderTest): Promise<string[]> {
  const names: string[] = [];
  for (const [name, files] of Object.entries(fixtureRepositories())) {
    const remote = under.repository(name, files);
    await under.fleet.add({ name, url: remote, ref: null, groups: [] });
    names.push(name);
  }
  await under.work();
  return names;
}

const QUESTIONS = [
  'how is the total of an order computed',
  'Shop',
  'cart',
  'parse configuration',
  'retry with backoff',
  'README',
  'where is the price rounded',
  'error when payment is refused',
  'src/main',
  'interface of a repository',
];

test('files of many repositories are ranked as one index of all of them ranks them', async (t) => {
  const under = await fleetFor(t);
  const names = await indexed(under);
  const across = await crossOf(under);
  const local = under.engine(join(under.folder, 'laptop'));
  const roots = names.map((name) => join(under.folder, 'remotes', name));
  for (const root of roots) await local.index(root);
  await local.addToWorkspace('all', roots);
  const told = ({ hits }: SearchAnswer) =>
    hits.map(({ path, startLine, score }) => `${path}:${startLine} ${score.toFixed(3)}`);
  for (const query of QUESTIONS) {
    const request = { query, limit: 10, stateless: true };
    const [fleet, one] = [await across.search(request), await local.search('workspace:all', request)];
    assert.deepEqual(told(fleet), told(one), query);
  }
  // A name in the middle of another is found in one repository only: all names of a fleet are too many to look into.
  const places = ({ symbols }: LocateAnswer) =>
    symbols
      .filter(({ match }) => match === 'exact' || match === 'prefix')
      .map(({ path, startLine, score }) => `${path}:${startLine} ${score.toFixed(3)}`);
  for (const name of ['Shop', 'Cart', 'total', 'Order']) {
    const [fleet, one] = [await across.locate({ name }), await local.locate('workspace:all', { name })];
    assert.deepEqual(places(fleet), places(one), name);
  }
});

test('exact text is found in every repository that has it, and a pattern without a word is refused in words', async (t) => {
  const under = await fleetFor(t);
  for (const [name, text] of [
    ['one', 'export const limit = retryLimit(5);\n'],
    ['two', 'const a = 1;\nconst b = retryLimit(7);\n'],
    ['three', 'const other = retry(limit);\n'],
  ] as const) {
    const remote = under.repository(name, { 'src/a.ts': text });
    await under.fleet.add({ name, url: remote, ref: null, groups: [] });
  }
  await under.work();
  const across = await crossOf(under);
  const { matches, totalMatches } = await across.grep({ pattern: 'retryLimit(', literal: true });
  assert.deepEqual(
    matches.map(({ path, line }) => `${path}:${line}`),
    ['one/src/a.ts:1', 'two/src/a.ts:2'],
  );
  assert.equal(totalMatches, 2);
  const byExpression = await across.grep({ pattern: 'retryLimit\\(\\d+\\)' });
  assert.equal(byExpression.totalMatches, 2);
  await assert.rejects(across.grep({ pattern: '\\d+' }), /needs a whole word/);
});

test('facets count what is asked and nothing else, and documentation is found beside code', async (t) => {
  const { under, node } = await openSharedNode(t);
  const code = (name: string) => `export function ${name}() {}\nexport class Ledger {}\n`;
  const add = async (name: string, files: Readonly<Record<string, string>>, groups: readonly string[]) => {
    const url = under.repository(name, files);
    await under.fleet.add({ name: `acme/${name}`, url, ref: null, groups });
  };
  await add('one', { 'a.ts': code('openLedger'), 'README.md': '# Books\n\nHow a ledger is opened.\n' }, []);
  await add('two', { 'b.py': 'def close_ledger():\n    pass\n' }, []);
  await add('hidden', { 'c.go': 'package c\n\nfunc HiddenLedger() {}\n' }, ['others']);
  await under.work();
  const ask = (request: SearchRequest) =>
    asSubject({ name: 'ann', groups: new Set() }, () => node.engine.search(node.folder, request));
  const { notices } = await ask({ query: 'ledger' });
  const facet = (name: string) => notices.find((notice) => notice.startsWith(`${name}: `)) ?? '';
  assert.match(facet('repositories'), /^repositories: acme\/one \d+, acme\/two \d+$/);
  assert.match(facet('languages'), /typescript \d+/);
  assert.match(facet('languages'), /python \d+/);
  assert.match(facet('kinds'), /function \d+/);
  assert.doesNotMatch(notices.join('\n'), /hidden|\bgo\b/i);
  const filtered = await ask({ query: 'ledger', filters: { languages: ['python'] } });
  assert.ok(filtered.notices.some((notice) => /^repositories: acme\/two \d+$/.test(notice)));
  const { hits } = await ask({ query: 'how is a ledger opened', filters: { chunkTypes: ['documentation'] } });
  assert.deepEqual(
    hits.map(({ path }) => path),
    ['acme/one/README.md'],
  );
});

test('documents follow the snapshot: a file that is gone, renamed or changed is found as it is now', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('moving', {
    'old.ts': 'export function vanishingName() {}\n',
    'kept.ts': 'export const kept = 1;\n',
  });
  await under.fleet.add({ name: 'moving', url: remote, ref: null, groups: [] });
  await under.work();
  const across = await crossOf(under);
  const paths = async (query: string) => (await across.search({ query })).hits.map(({ path }) => path);
  assert.equal((await paths('vanishingName'))[0], 'moving/old.ts');
  under.commit(remote, { 'old.ts': null, 'new.ts': 'export function arrivedName() {}\n' });
  await under.fleet.add({ name: 'moving', url: remote, ref: null, groups: [] });
  await under.work();
  assert.equal((await paths('arrivedName'))[0], 'moving/new.ts');
  assert.ok(!(await paths('vanishingName')).includes('moving/old.ts'));
  const { snapshot } = (await across.search({ query: 'arrivedName' })).freshness;
  assert.match(snapshot ?? '', /^moving main [0-9a-f]{12}, \d+ s old$/);
  // What a killed worker leaves: documents of a file that no snapshot names.
  const body = {
    kind: 'chunk',
    file: 'f'.repeat(32),
    repository: 'moving',
    path: 'moving/ghost.ts',
    names: 'ghostli',
    body: 'ghostli',
  };
  await under.connection.ask({
    method: 'PUT',
    path: `/${under.prefix}-chunks/_doc/ghost`,
    query: { refresh: 'true' },
    body,
  });
  assert.deepEqual(
    (await paths('ghostli')).filter((path) => path.includes('ghost')),
    [],
  );
  // Of the same commit: the next look at the repository puts it right.
  await under.fleet.add({ name: 'moving', url: remote, ref: null, groups: [] });
  await under.work();
  const ghost = { method: 'GET', path: `/${under.prefix}-chunks/_doc/ghost`, expected: [404] } as const;
  assert.equal((await under.connection.ask(ghost)).status, 404);
  await under.fleet.remove('moving');
  assert.deepEqual(await paths('arrivedName'), []);
});
