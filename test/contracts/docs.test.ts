/** docs/mcp.md names what is served. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadProfile, SERVED_PROFILES } from '../../src/contracts/index.ts';
import { PENDING } from './requirements.ts';

const page = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../docs/mcp.md'), 'utf8');
const options = {
  workspace: null,
  version: '1',
  log: () => {},
  engine: () => Promise.reject(new Error('no engine')),
};

test('every tool of every finished profile is in its row, in order', async () => {
  for (const name of SERVED_PROFILES.filter((profile) => !PENDING.includes(profile))) {
    const profile = await loadProfile(name, options);
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row, `no row for ${name}`);
    const tools = profile.tools.list().map((tool) => `\`${tool.name}\``);
    assert.equal(row.split('|')[2]!.trim(), tools.join(', '));
  }
});

test('resources and prompts of the default profile are named', async () => {
  const { resources, prompts } = await loadProfile('sextant', options);
  for (const { uriTemplate } of resources!.templates) assert.ok(page.includes(`\`${uriTemplate}\``), uriTemplate);
  for (const { name } of prompts!) assert.ok(page.includes(`\`${name}\``), name);
});
