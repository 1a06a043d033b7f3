/** context-tool: the imports that read_file gives beside a file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { connectProcess } from '../real-engine.ts';
import { box, call, client, put, refused } from './setup.ts';

test('includeDeps adds what the file imports, maxDepth 0 does not (CT-12, CT-37)', async (t) => {
  const { dependencies } = await box.engine.readFile(box.project, { path: 'web/cart.ts', includeDependencies: true });
  if (dependencies.length === 0) return t.skip('this part of the engine is not built yet');
  const answer = await call('read_file', { path: 'web/cart.ts', includeDeps: true });
  assert.deepEqual(answer.dependencies, [
    { path: 'web/price.ts', type: 'import', level: 1, content: box.read('shop/web/price.ts') },
  ]);
  assert.deepEqual((await call('read_file', { path: 'web/cart.ts', includeDeps: true, maxDepth: 0 })).dependencies, []);
  const {
    dependencies: left,
    external,
    warnings,
  } = await call('read_file', { path: 'web/bulk.ts', includeDeps: true });
  assert.deepEqual(left, [{ path: 'web/huge.ts', type: 'import', level: 1 }]);
  assert.deepEqual(external, ['./nowhere', 'left-pad']);
  assert.match(warnings[0], /^web\/huge\.ts is named without content/);
});

test('imports have a budget: contents while they fit, then outlines, then names (CT-40)', async () => {
  const parts = [...Array(40).keys()];
  const body = (i: number) =>
    `/** ${'words '.repeat(200)} */\nexport function part${i}(): number {\n  return ${i};\n}\n`;
  for (const i of parts) put(`web/parts/part${i}.ts`, body(i).repeat(i === 39 ? 1 : 2));
  put('web/parts/all.ts', parts.map((i) => `import './part${i}.ts';\n`).join(''));
  await box.engine.index(box.project);
  const result = (await client.callTool({
    name: 'read_file',
    arguments: { path: 'web/parts/all.ts', includeDeps: true },
  })) as Message;
  const { dependencies, warnings } = result.structuredContent;
  assert.ok(Buffer.byteLength(result.content[0].text) < 64_000);
  assert.equal(dependencies.length, parts.length, 'every import is named');
  const shown = dependencies.filter(({ content }: Message) => content);
  const outlined = dependencies.filter(({ outline }: Message) => outline);
  assert.ok(shown.length > 5 && outlined.length > 5 && shown.length + outlined.length === parts.length);
  assert.match(outlined[0].outline[0], /^\d+-\d+ .*part\d+\(\)/);
  assert.match(warnings[0], /and \d+ more are shown by outline/);
});

test('a file whose imports cannot be parsed is refused with the line (CT-14)', async () => {
  assert.match((await call('read_file', { path: 'web/broken.ts' })).file.content, /import/);
  const refusal = await refused('read_file', { path: 'web/broken.ts', includeDeps: true });
  assert.deepEqual([refusal.error, refusal.path], ['Failed to parse imports', 'web/broken.ts']);
  assert.match(refusal.details, /^Syntax error at line \d+$/);
});

test('imports are those of the content that is shown, however new it is (CT-12, CT-14)', async () => {
  // A slow machine may not be done within the wait, and says so.
  const imports = async (path: string) => {
    let answer = await read(path);
    for (let i = 0; i < 20 && answer.warnings; i++) answer = await read(path);
    return answer.dependencies?.map((dependency: Message) => dependency.path) ?? answer.error;
  };
  const read = async (path: string) =>
    (await client.callTool({ name: 'read_file', arguments: { path, includeDeps: true } })).structuredContent as Message;
  put('web/fresh.ts', "import { price } from './price.ts';\n\nexport const one = price('one');\n");
  assert.deepEqual(await imports('web/fresh.ts'), ['web/price.ts']);
  put('web/fresh.ts', "import { cartTotal } from './cart.ts';\n\nexport const none = cartTotal([]);\n");
  assert.deepEqual(await imports('web/fresh.ts'), ['web/cart.ts']);
  put('web/fresh.ts', 'import { from ;;; "\nexport function {{{ (\n');
  assert.equal(await imports('web/fresh.ts'), 'Failed to parse imports');
  const ignored = await read('ignored.log');
  assert.deepEqual(ignored.dependencies, []);
  assert.match(ignored.warnings[0], /not indexed/);
});

test('the first call in a new project waits for its index (CT-12)', async () => {
  box.write('new/main.ts', "import { b } from './b.ts';\n\nexport const a = b;\n");
  box.write('new/b.ts', 'export const b = 1;\n');
  const fresh = await connectProcess(box, ['--profile', 'context-tool', '--workspace', join(box.folder, 'new')]);
  try {
    const { dependencies, warnings } = await call('read_file', { path: 'main.ts', includeDeps: true }, fresh);
    if (warnings) assert.match(warnings[0], /not indexed/);
    else assert.equal(dependencies[0]?.path, 'b.ts');
  } finally {
    await fresh.close();
  }
});

test('read_file reports imports that cannot be read, in every language: an error, or a warning beside the content (CT-14, CT-48)', async () => {
  const broken: Record<string, string> = {
    'app.py': 'import os\n\ndef total(:\n    return = = 1\n',
    'app.go': 'package web\n\nimport "fmt"\n\nfunc total( {\n\treturn }}\n',
    'app.rs': 'use std::fmt;\n\nfn total( { let = ; }\n',
    'App.java': 'import java.util.List;\n\nclass App { void total( { int = ; }\n',
    'app.rb': "require 'json'\n\ndef total(\n  1 = = 2\nend end end\n",
    'app.c': '#include <stdio.h>\n\nint total( { return = ; }}\n',
    'App.swift': 'import Foundation\n\nfunc total( { let = ; }}\n',
    'app.php': '<?php\nuse App\\Cart;\n\nfunction total( { return = ; }}\n',
    'App.kt': 'import java.util.Date\n\nfun total( { val = ; }}\n',
  };
  for (const [name, text] of Object.entries(broken)) put(`web/broken/${name}`, text);
  await box.engine.index(box.project);
  for (const name of Object.keys(broken)) {
    const path = `web/broken/${name}`;
    const result = (await client.callTool({ name: 'read_file', arguments: { path, includeDeps: true } })) as Message;
    const { error, details, warnings, file } = result.structuredContent;
    if (result.isError)
      assert.match(`${error}: ${details}`, /^Failed to parse imports: Syntax error at line \d+$/, name);
    else {
      assert.equal(file.content, broken[name]);
      assert.match(warnings?.[0] ?? '', /^Syntax error at line \d+: imports may be incomplete$/, name);
    }
  }
});
