/**
 * Nothing of what a subject may not see shows in any answer: whatever is asked, the answer is the same as if it were
 * not there.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { askTool, FREELY, indexByBinary, serveFleet } from '../fleet-node.ts';
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
        const all = { path, query: word, name: word, pattern: word, symbol: word, file: 'acme/beta/src/ledger3.ts' };
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

function withoutTimes(text: string): string {
  return text
    .replace(/\d+ (?:s|min) old/g, 'N old')
    .replace(/("[a-z_]*(?:_ms|_at|seconds|age|indexed)[a-z_]*\\?":) ?"?[\d.:TZ-]+"?/g, '$1N');
}

test('every answer to a subject is the same with and without a repository that it may not see', async (t) => {
  const under = await fleetFor(t);
  const alpha = under.repository('alpha', ALPHA);
  await under.fleet.add({ name: 'acme/alpha', url: alpha, ref: null, groups: ['a'] });
  await indexByBinary(under);
  const node = await serveFleet(t, under, { ann: ['a'], bob: ['b'] }, FREELY);
  const ann = await node.client('ann');
  // Files that lie on the node's disk are linked: they lie there from now on.
  await askTool(ann, 'search_code', { path: 'acme/alpha', query: 'ledger' });
  const before = await askEverything(ann);
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

  const after = await askEverything(ann);
  for (const [asked, text] of before) assert.equal(after.get(asked), text, asked);
});
