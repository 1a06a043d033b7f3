/** Every tool of the default profile answers as its output schema says, field by field, in many shapes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { checkValue, type ObjectSchema, type Schema } from '../../../src/contracts/kit/json-schema.ts';
import * as output from '../../../src/contracts/sextant/sextant-outputs.ts';
import type { HttpHandle } from '../../../src/transports/index.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { connectHttp, sandbox, serveProfiles } from '../real-engine.ts';

const box = sandbox();
let http: HttpHandle;
let client: Client;

before(async () => {
  http = await serveProfiles(box, ['sextant'], box.project);
  client = await connectHttp(`${http.url}/mcp`);
  await client.callTool({ name: 'index_codebase', arguments: {} });
});
after(async () => {
  await client.close();
  await http.close();
  await box.close();
});

/** No field that the schema does not name; the mark of untrusted text may stand anywhere. */
function strict(schema: Schema): Schema {
  const { properties, items } = schema;
  if (items) return { ...schema, items: strict(items) };
  if (!properties) return schema;
  const named = Object.entries(properties).map(([name, child]) => [name, strict(child)] as const);
  return {
    ...schema,
    properties: { ...Object.fromEntries(named), untrusted_instruction: {} },
    additionalProperties: false,
  };
}

const CALLS: readonly (readonly [string, ObjectSchema, readonly Record<string, unknown>[]])[] = [
  [
    'search_code',
    output.HITS,
    [
      { query: 'authenticate a user' },
      { query: 'ValidateToken', limit: 5, filters: { explain: true } },
      { query: 'token', max_tokens: 3000, expand_query: true, synthesize: true },
      { query: 'zzzqqq' },
      { query: 'AuthenticateUsr' },
    ],
  ],
  ['search_docs', output.HITS, [{ query: 'shop' }, { query: 'zzzqqq' }]],
  [
    'locate_symbol',
    output.DEFINITIONS,
    [
      { name: 'AuthenticateUser', detail: true, references: true },
      { name: 'User', detail: true, max_tokens: 4000 },
      { name: 'Rename', limit: 3 },
      { name: 'Validat' },
      { name: 'nothing_like_it' },
    ],
  ],
  [
    'code_research',
    output.RESEARCH,
    [
      { query: 'what calls AuthenticateUser' },
      { query: 'what calls AuthenticateUser', max_tokens: 5000, graph: true },
      { query: 'how do the modules depend on each other', focus: 'architecture' },
    ],
  ],
  [
    'read_file',
    output.FILE,
    [
      { path: 'internal/auth/service.go' },
      { path: 'internal/auth/service.go', outline: true, dependencies: true, dependants: true },
      { path: 'internal/auth/service.go', start_line: 2, end_line: 400, max_tokens: 200 },
      { path: 'internal/auth/service.go', dependency_content: true },
    ],
  ],
  ['grep_codebase', output.MATCHES, [{ pattern: 'func', context_lines: 1, limit: 2 }, { pattern: 'zzzqqq' }]],
  ['remember', output.REMEMBERED, [{ type: 'rule', content: 'Prices are kept in cents', evidence: ['go.mod:1'] }]],
  ['context_search', output.RECALLED, [{ query: 'prices' }, { query: 'authenticate' }, { query: 'zzzqqq' }]],
  ['index_codebase', output.INDEXED, [{}, { force: true }]],
  ['get_status', output.STATUS, [{}, { path: box.bare }]],
];

for (const [name, schema, calls] of CALLS)
  test(`${name} answers what its output schema says`, async () => {
    const shapes = strict(schema);
    for (const args of calls) {
      const { structuredContent, isError } = (await client.callTool({ name, arguments: args })) as Message;
      assert.equal(isError ?? false, false, JSON.stringify(structuredContent));
      const { issues } = checkValue(shapes, structuredContent);
      assert.deepEqual(
        issues.map(({ path, reason }) => `${path} ${reason}`),
        [],
        JSON.stringify(args),
      );
    }
  });

test('a stale index is reported in fields of the schema', async () => {
  box.write('project/late.go', 'package shop\n\nfunc Late() {}\n');
  const { structuredContent } = (await client.callTool({
    name: 'search_code',
    arguments: { query: 'Late' },
  })) as Message;
  assert.deepEqual(checkValue(strict(output.HITS), structuredContent).issues, []);
});

test('initialize and server/discover carry the same instructions, and discover how long they hold', async () => {
  const raw = rawClient({ profile: 'sextant', engine: box.engine });
  const { result: greeting } = await raw.initialize();
  await raw.close();
  const { result: found } = await discover();
  assert.equal(found.instructions, greeting.instructions);
  assert.ok(greeting.instructions.length < 2048);
  assert.ok(found.ttlMs > 0);
  assert.equal(found.cacheScope, 'private');
});

async function discover(): Promise<Message> {
  const answer = await fetch(`${http.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'server/discover',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const body = await answer.text();
  return JSON.parse(body.startsWith('{') ? body : (/^data: (\{.*)$/m.exec(body)?.[1] ?? body)) as Message;
}
