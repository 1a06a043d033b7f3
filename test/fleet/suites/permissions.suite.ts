/**
 * Nothing of what a subject may not see shows in any answer: whatever is asked, the answer is the same as if it were
 * not there.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { ANSWERS, CHANGES } from '../../../src/web/api/routes.ts';
import { askTool, FREELY, indexByBinary, type NodeUnderTest, serveFleet } from '../fleet-node.ts';
import { fleetFor, until } from '../fleet-under-test.ts';

const ALPHA = {
  'README.md': '# Alpha\n\nThe ledger posts payments and retries them.\n',
  'src/ledger.ts': 'export function postLedger(amount: number) {\n  return retry(() => amount * 2);\n}\n',
  'src/retry.ts': 'export function retry(work: () => number) {\n  return work();\n}\n',
};
/** The same words, many times over, and names of its own. */
const BETA = {
  'README.md': '# Beta\n\nThe ledger posts payments, retries payments, retries ledgers.\n',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `src/ledger${i}.ts`,
      `import { retry } from './retry';\nexport function postLedger(amount: number) {\n  return retry(() => hiddenVault${i}(amount));\n}\nexport function hiddenVault${i}(x: number) {\n  return x;\n}\n`,
    ]),
  ),
};

const PATHS = [undefined, '.', 'acme', 'acme/alpha', 'acme/alpha/src', 'acme/beta', 'acme/beta/src', '../acme/beta'];
const WORDS = [
  'postLedger',
  'how are payments retried',
  'hiddenVault3',
  'src/ledger3.ts',
  '"hiddenVault"',
  'hidenVault3',
];

/** Every tool with every path and word that it takes, and lists of repositories. */
async function askEverything(client: Client): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    const known = Object.keys((inputSchema.properties ?? {}) as object);
    for (const path of PATHS)
      for (const word of WORDS) {
        const all = { path, query: word, name: word, pattern: word, target: word, file: 'acme/beta/src/ledger3.ts' };
        const args = Object.fromEntries(
          Object.entries(all).filter(([key, value]) => known.includes(key) && value !== undefined),
        );
        const asked = [
          args,
          { ...args, path: undefined, repos: ['acme/beta'] },
          { ...args, path: undefined, repos: ['beta', 'alpha'] },
        ];
        // Lists of repositories are the same for every path.
        for (const one of path === undefined ? asked : asked.slice(0, 1)) {
          const plain = JSON.parse(JSON.stringify(one)) as Record<string, unknown>;
          const { isError, text } = await askTool(client, name, plain);
          answers.set(`${name} ${JSON.stringify(plain)}`, `${isError} ${withoutTimes(text)}`);
        }
      }
  }
  return answers;
}

type Answers = Map<string, string>;

/** Resources, completions and prompts: what a client sees beside tools. */
async function askResources(client: Client): Promise<Answers> {
  const answers: Answers = new Map();
  const note = async (asked: string, answer: Promise<unknown>) => {
    const told = await answer.then(JSON.stringify, (error: Error) => `error ${error.message}`);
    answers.set(asked, withoutTimes(String(told)));
  };
  await note('resources', client.listResources());
  await note('templates', client.listResourceTemplates());
  await note('prompts', client.listPrompts());
  const { resources } = await client.listResources();
  const files = [
    'acme/alpha/src/ledger.ts',
    'acme/beta/src/ledger3.ts',
    'acme/beta/README.md',
    '../acme/beta/README.md',
  ];
  const names = ['postLedger', 'hiddenVault3', 'hidden', 'ledger', 'acme/be', ''];
  for (const uri of [...resources.map((one) => one.uri), ...files.map((file) => `sextant://file/${file}`)])
    await note(`read ${uri}`, client.readResource({ uri }));
  for (const name of names) await note(`symbol ${name}`, client.readResource({ uri: `sextant://symbol/${name}` }));
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  for (const value of names) {
    for (const { uriTemplate: uri } of resourceTemplates)
      for (const [, name] of uri.matchAll(/\{\+?(\w+)\}/g))
        await note(
          `complete ${uri} ${value}`,
          client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: name!, value } }),
        );
    for (const { name: prompt, arguments: all = [] } of prompts) {
      const ref = { type: 'ref/prompt', name: prompt } as const;
      for (const { name } of all) {
        await note(`complete ${prompt} ${value}`, client.complete({ ref, argument: { name, value } }));
        await note(`prompt ${prompt} ${value}`, client.getPrompt({ name: prompt, arguments: { [name]: value } }));
      }
    }
  }
  return answers;
}

/** Every route of the page, and what the server answers beside it. */
async function askPage({ url }: NodeUnderTest, subject: string): Promise<Answers> {
  const answers: Answers = new Map();
  const headers = { Authorization: `Bearer token-of-${subject}-for-tests`, 'Content-Type': 'application/json' };
  const note = async (path: string, init: { method?: string; body?: string } = {}) => {
    const reply = await fetch(`${url}${path}`, { headers, ...init });
    answers.set(`${path} ${init.body ?? ''}`, `${reply.status} ${withoutTimes(await reply.text())}`);
  };
  for (const project of ['', 'acme/alpha', 'acme/beta', 'acme']) {
    for (const route of Object.keys(ANSWERS).filter((name) => !COUNTING.has(name)))
      for (const word of ['postLedger', 'hiddenVault3']) {
        const file = project === 'acme' ? 'acme/beta/src/ledger3.ts' : 'src/ledger3.ts';
        const query = { q: word, words: word, name: word, id: word, path: file, from: '1', to: '2', target: word };
        await note(`/api/${route}?${new URLSearchParams({ ...(project && { project }), ...query })}`);
      }
    for (const route of Object.keys(CHANGES).filter((name) => name !== 'remember' || project === 'acme/beta')) {
      const body = JSON.stringify({ type: 'rule', content: 'Vaults stay shut.', id: 'none', module: '', ref: '' });
      await note(`/api/${route}?${new URLSearchParams(project && { project })}`, { method: 'POST', body });
    }
  }
  for (const path of ['/healthz', '/readyz', '/none', '/p/acme/beta/mcp', '/fleet/none']) await note(path);
  return answers;
}

/** Calls of the subject itself are counted there. */
const COUNTING: ReadonlySet<string> = new Set(['metrics', 'recent']);

/** Nor whether the subject itself asked the same before. */
function withoutTimes(text: string): string {
  return text
    .replace(/"cacheHit":(?:true|false)/g, '')
    .replace(/\d+ (?:s|min) old/g, 'N old')
    .replace(/("[a-z_]*(?:_ms|_at|seconds|age|indexed)[a-z_]*\\?":) ?"?[\d.:TZ-]+"?/g, '$1N')
    .replace(/("[A-Za-z]*(?:Ms|At|Seconds|Age)\\?":) ?[\d.]+/g, '$1N');
}

test('every answer to a subject is the same with and without a repository that it may not see', async (t) => {
  const under = await fleetFor(t);
  const alpha = under.repository('alpha', ALPHA);
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['a'] });
  await indexByBinary(under);
  const node = await serveFleet(under, { ann: ['a'], bob: ['b'] }, FREELY);
  const ann = await node.client('ann');
  // Files that lie on the node's disk are linked: they lie there from now on.
  await askTool(ann, 'search_code', { path: 'acme/alpha', query: 'ledger' });
  const askAll = async () =>
    new Map([...(await askEverything(ann)), ...(await askResources(ann)), ...(await askPage(node, 'ann'))]);
  const before = await askAll();
  assert.ok(
    [...before.values()].some((text) => /acme\/alpha\/src\/ledger\.ts/.test(text)),
    'the fleet answers across repositories',
  );

  const beta = under.repository('beta', BETA);
  await under.fleet.add({ name: 'acme/beta', url: beta, ref: null, groups: ['b'] });
  await indexByBinary(under);
  const bob = await node.client('bob');
  let found = '';
  await until(async () => {
    found = (await askTool(bob, 'search_code', { query: 'hiddenVault3' })).text;
    return /ledger3\.ts/.test(found);
  });
  assert.match(found, /acme\/beta\/src\/ledger3\.ts/);

  const after = await askAll();
  for (const [asked, text] of before) assert.equal(after.get(asked), text, asked);
  const metrics = await fetch(`${node.url}/metrics`, { headers: { Authorization: 'Bearer token-of-ann-for-tests' } });
  assert.doesNotMatch(await metrics.text(), /beta|hidden|ledger|alpha/i);
});
