/** The default profile: answers stay short and say what was left out. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Message, rawClient } from '../raw-client.ts';
import { type Arguments, box, call, client, indexProject } from './setup.ts';

before(indexProject);

test('answers fit the budget and say what is missing (SX-07)', async () => {
  for (const max_tokens of [200, 500, 1000, 4000]) {
    const result = await client.callTool({
      name: 'search_code',
      arguments: { query: 'token user cart', max_tokens, limit: 20 },
    });
    const bytes = Buffer.byteLength((result.content as { text: string }[])[0]!.text);
    assert.ok(bytes <= max_tokens * 4, `${bytes} bytes for ${max_tokens} tokens`);
    assert.ok((result.structuredContent as Message).results.length > 0);
  }
  const small = await call('search_code', { query: 'token user cart', max_tokens: 200, limit: 20 });
  assert.ok(small.omitted > 0 || small.shortened);
  const file = await call('read_file', { path: 'internal/auth/service.go', max_tokens: 200 });
  assert.match(file.next, /start_line: \d+/);
  const rest = await call('read_file', {
    path: 'internal/auth/service.go',
    start_line: Number(/\d+/.exec(file.next)![0]),
  });
  assert.equal(`${file.content}\n${rest.content}`, box.read('shop/internal/auth/service.go').trimEnd());
});

/** A type with many members, uses, subtypes and tests, a line that does not end, and a file that many import. */
function writeCrowd(): string {
  const each = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('');
  const doc = ` * It does one thing, and says at length how, for readers who have the time.\n`.repeat(30);
  const methods = each(
    80,
    (i) => `\n  /** Member ${i}. */\n  member${i}(): number {\n    return this.peek() + ${i};\n  }\n`,
  );
  box.write(
    'crowd/src/reader.ts',
    `/**\n${doc} */\nexport class Reader {\n  peek(): number {\n    return 1;\n  }\n${methods}}\n`,
  );
  const imported = "import { Reader } from '../src/reader.ts';\n";
  for (let i = 0; i < 40; i++) {
    const uses = each(
      3,
      (n) => `\nexport function use${n}Of${i}(reader: Reader): number {\n  return reader.peek();\n}\n`,
    );
    box.write(`crowd/uses/use-${i}.ts`, `${imported}\nexport class Reader${i} extends Reader {}\n${uses}`);
  }
  box.write(
    'crowd/test/reader.test.ts',
    `${imported}\nexport function testPeek() {\n  return new Reader().peek();\n}\n`,
  );
  box.write('crowd/src/table.ts', `export const table = [${'12345, '.repeat(20_000)}];\n`);
  return `${box.folder}/crowd`;
}

test('every answer keeps max_tokens, and says how much is missing (SX-07)', async () => {
  const path = writeCrowd();
  await call('index_codebase', { path });
  const asked: [string, Arguments][] = [
    ['search_code', { query: 'peek', path, synthesize: true, filters: { explain: true } }],
    ['search_code', { query: 'table', path }],
    ['locate_symbol', { name: 'Reader', path }],
    ['locate_symbol', { name: 'Reader', path, detail: true, references: true }],
    ['code_research', { query: 'who calls Reader.peek', path }],
    ['code_research', { query: 'module structure', path, focus: 'architecture' }],
    ['read_file', { path: 'src/reader.ts', project: path, outline: true }],
    ['read_file', { path: 'src/reader.ts', project: path, dependants: true }],
    ['read_file', { path: 'uses/use-1.ts', project: path, dependency_content: true }],
    ['read_file', { path: 'src/table.ts', project: path }],
    ['grep_codebase', { pattern: 'peek|12345', path, context_lines: 5 }],
    ['locate_symbol', { name: 'n'.repeat(1000), path }],
    ['grep_codebase', { pattern: 'peek', path, file_pattern: `${'n'.repeat(900)}/*.ts` }],
  ];
  for (const [name, args] of asked) {
    for (const max_tokens of [200, 1000, 4000]) {
      const answer = await call(name, { ...args, max_tokens });
      const tokens = Buffer.byteLength(JSON.stringify(answer)) / 3.5;
      assert.ok(tokens <= max_tokens, `${name} ${JSON.stringify(args)}: ${tokens} for ${max_tokens}`);
    }
  }
  const small = await call('locate_symbol', {
    name: 'Reader.peek',
    path,
    detail: true,
    references: true,
    max_tokens: 400,
  });
  assert.equal(small.results[0].name, 'Reader.peek');
  assert.ok(small.references.length > 0 && small.detail.source.length > 0);
  const whole = await call('locate_symbol', {
    name: 'Reader.peek',
    path,
    detail: true,
    references: true,
    max_tokens: 100_000,
  });
  assert.deepEqual(
    [whole.references.length, whole.more_references, whole.detail.callers.length, whole.detail.more_callers],
    [200, undefined, 201, undefined],
  );
  assert.equal(whole.references_in_tests.count, 1);
  assert.equal(small.references.length + small.more_references, 200);
  assert.equal(small.detail.callers.length + small.detail.more_callers, 201);
  const dependants = await call('read_file', {
    path: 'src/reader.ts',
    project: path,
    dependants: true,
    max_tokens: 300,
  });
  assert.equal(dependants.dependants.length + dependants.more_dependants, 41);
  const endless = await call('read_file', { path: 'src/table.ts', project: path, max_tokens: 200 });
  assert.match(endless.content, /^export const table = .*… \d+ more characters$/);
  assert.equal(endless.next, undefined);
});

test('without max_tokens an answer is short: it stops where the answers stop and says nothing twice (SX-07)', async () => {
  const path = `${box.folder}/crowd`;
  const short = await call('search_code', { query: 'peek', path });
  const quoted = short.results.filter(({ content }: Message) => content !== undefined);
  assert.ok(quoted.length >= 1 && quoted.length <= 3 && quoted.length === short.results.length);
  assert.ok(
    (short.also ?? []).every((line: string) => /^\S+:\d+(-\d+)? \S+/.test(line)),
    JSON.stringify(short.also),
  );
  const listed = await call('search_code', { query: 'peek', path, limit: 10 });
  assert.equal(listed.results.length, 10);
  assert.ok(listed.results.filter(({ content }: Message) => content).length <= 3);
  const roomy = await call('search_code', { query: 'peek', path, max_tokens: 4000 });
  assert.ok(roomy.results.filter(({ content }: Message) => content).length > 3);

  const asked: [string, Arguments][] = [
    ['search_code', { query: 'peek', path }],
    ['locate_symbol', { name: 'Reader', path, detail: true, references: true }],
    ['code_research', { query: 'who calls Reader.peek', path }],
    ['grep_codebase', { pattern: 'peek', path }],
  ];
  for (const [name, args] of asked) {
    const tokens = JSON.stringify(await call(name, args)).length / 3.5;
    assert.ok(tokens <= 2000, `${name}: ${tokens}`);
  }
  const research = await call('code_research', { query: 'who calls Reader.peek', path });
  assert.deepEqual([research.edges, research.mermaid, research.evidence.length], [undefined, undefined, 3]);
  const { results, detail } = await call('locate_symbol', { name: 'Reader.peek', path, detail: true });
  assert.deepEqual([results[0].signature, detail.name, detail.signature], [undefined, undefined, undefined]);
  assert.match(detail.source, /peek\(\): number/);
});

test('a snippet that is cut is cut around what matched, and keeps the declaration (SX-07)', async () => {
  const steps = (from: number) => Array.from({ length: 30 }, (_, i) => `  step${from + i}();\n`).join('');
  box.write('deep/main.ts', `export function settle() {\n${steps(0)}  refundOverpaidInvoice();\n${steps(30)}}\n`);
  const path = `${box.folder}/deep`;
  await call('index_codebase', { path });
  const [first] = (await call('search_code', { query: 'refund an overpaid invoice', path })).results;
  assert.match(first.content, /refundOverpaidInvoice/);
  assert.ok(first.content.split('\n').length < 25, first.content);
  assert.match(first.content, /settle/);
});

test('the text is the same answer in short; older clients, which know no structured answers, get all of it (SX-07)', async () => {
  const asked = { name: 'search_code', arguments: { query: 'add up the cart' } };
  const { content, structuredContent } = (await client.callTool(asked)) as Message;
  const [first] = structuredContent.results;
  assert.ok(content[0].text.startsWith(`${first.path}:${first.lines} ${first.name} ${first.kind}`), content[0].text);
  const old = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await old.initialize('2025-03-26');
  const { result } = await old.request('tools/call', asked);
  await old.close();
  assert.equal(result.structuredContent, undefined);
  assert.deepEqual(JSON.parse(result.content[0].text).results, structuredContent.results);
  const file = (await client.callTool({ name: 'read_file', arguments: { path: 'web/cart.ts' } })) as Message;
  assert.ok(file.content[0].text.includes(box.read('shop/web/cart.ts').trimEnd()));
});
