/**
 * What people do with memory, by the shipped command: edit, forget, carry over, share with the team; and two that
 * record at once.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SAMPLE, sandbox, worked } from './sextant.ts';

const box = sandbox();
box.write({
  'src/price.ts':
    'export function price(item: string): number {\n  // HACK: free until the shop opens again\n  return item.length;\n}\n',
  'CONTRIBUTING.md': '# Contributing\n\nNever keep a price as a float.\n',
});
const json = (...args: string[]) => JSON.parse(worked(box.run([...args, '--format', 'json'])));
worked(box.run(['index']));

test('an entry is edited, shown with its file, exported, forgotten and taken back', () => {
  const { discovery } = json('remember', '--type', 'rule', 'Prices are kept in cents');
  const edited = json('memory', 'edit', discovery.id, 'Prices are kept in cents, as integers', '--module', 'src');
  assert.deepEqual(
    [edited.id, edited.content, edited.module],
    [discovery.id, 'Prices are kept in cents, as integers', 'src'],
  );
  const shown = json('memory', 'show', discovery.id);
  assert.match(readFileSync(shown.file, 'utf8'), /as integers\n$/);
  worked(box.run(['memory', 'export', '--output', 'memory.json']));
  const exported = JSON.parse(readFileSync(box.path('memory.json'), 'utf8'));
  assert.deepEqual(
    exported.discoveries.map(({ id }: { id: string }) => id),
    [discovery.id],
  );
  worked(box.run(['memory', 'forget', discovery.id]));
  assert.equal(box.run(['memory', 'show', discovery.id]).code, 3);
  assert.deepEqual(json('memory', 'import', 'memory.json'), { created: 1, updated: 0, unchanged: 0, refused: [] });
  assert.deepEqual(json('memory', 'import', 'memory.json'), { created: 0, updated: 0, unchanged: 1, refused: [] });
  assert.equal(json('memory', 'show', discovery.id).content, 'Prices are kept in cents, as integers');
});

test('refused: nothing to change, secrets, files that are no export; a broken entry by itself', () => {
  const { discovery } = json('remember', 'Orders are never deleted');
  assert.equal(box.run(['memory', 'edit', discovery.id]).code, 2);
  const secret = box.run(['memory', 'edit', discovery.id, 'password = hunter2hunter2']);
  assert.notEqual(secret.code, 0);
  assert.ok(!secret.stderr.includes('hunter2'), secret.stderr);
  assert.equal(box.run(['memory', 'import', 'src/price.ts']).code, 2);
  assert.notEqual(box.run(['memory', 'import', 'no-such-file.json']).code, 0);
  const entry = { ...discovery, id: 'decision-other', content: 'Returns are taken back for a year', date_ms: 5 };
  const text = JSON.stringify({
    sextant_memory: 1,
    discoveries: [
      entry,
      { id: '../x', type: 'rule' },
      { ...entry, id: 'decision-mail', content: 'Ask jane.doe@corp.org' },
    ],
  });
  const { stdout } = box.run(['memory', 'import', '-', '--format', 'json'], { input: text });
  const report = JSON.parse(stdout);
  assert.equal(report.created, 1);
  assert.deepEqual(
    report.refused.map(({ id }: { id: string }) => id),
    ['../x', 'decision-mail'],
  );
});

test('memory export names a full disk as the reason', { skip: process.platform !== 'linux' }, () => {
  const { code, stderr } = box.run(['memory', 'export', '--output', '/dev/full']);
  assert.equal(code, 5);
  assert.match(stderr, /^error: The disk is full; .*\nfix: {3}Free some space and try again/);
});

test('a list that is cut says how many more there are', () => {
  const { total, notices, discoveries } = json('memory', 'list', '--limit', '1');
  assert.deepEqual([discoveries.length, notices], [1, []]);
  assert.ok(total > 1);
  assert.match(box.run(['memory', 'list', '--limit', '1']).stdout, new RegExp(`… and ${total - 1} more`));
  assert.match(box.run(['memory', 'list', '--type', 'pattern']).stdout, /^Nothing of that kind is remembered\.$/m);
});

test('mined entries: listed, edited into recorded ones, forgotten for good', () => {
  const { discoveries } = json('memory', 'list');
  const hack = discoveries.find(({ content }: { content: string }) => content.startsWith('HACK'));
  const rule = discoveries.find(({ origin }: { origin: string }) => origin === 'guide');
  assert.equal(rule.content, 'Contributing: Never keep a price as a float.');
  worked(box.run(['memory', 'forget', hack.id]));
  const { discoveries: rest } = json('memory', 'list');
  assert.ok(!rest.some(({ id }: { id: string }) => id === hack.id), 'forgotten');
  assert.equal(json('memory', 'edit', rule.id, '--type', 'decision').origin, 'person');
  assert.ok(
    json('memory', 'list', '--recorded').discoveries.some(({ id }: { id: string }) => id === rule.id),
    'recorded now',
  );
});

test('several that record at once: nothing is lost, one thought is kept once', async () => {
  const before = json('memory', 'list', '--recorded').discoveries.length;
  const said = [
    'alpha bravo charlie',
    'delta echo foxtrot',
    'golf hotel india',
    'the same thought by two',
    'the same thought by two',
  ];
  const codes = await Promise.all(
    said.map(async (text, i) => {
      const child = box.start(['remember', '--type', 'pattern', text, '--evidence', `src/price.ts:${i + 1}`]);
      child.stdin.end();
      child.stdout.resume();
      const [code] = await once(child, 'exit');
      return code;
    }),
  );
  assert.deepEqual(codes, [0, 0, 0, 0, 0]);
  const { discoveries } = json('memory', 'list', '--recorded');
  assert.equal(discoveries.length, before + 4);
  const shared = discoveries.find(({ content }: { content: string }) => content === 'the same thought by two');
  assert.deepEqual(shared.evidence.map(({ start_line }: { start_line: number }) => start_line).sort(), [4, 5]);
});

test('a broken file is named and skipped, whatever is in it', () => {
  const { file } = json('memory', 'show', json('memory', 'list', '--recorded').discoveries[0].id);
  const broken = `${file.slice(0, file.lastIndexOf('/'))}/broken.md`;
  writeFileSync(broken, Buffer.from([0, 255, 1, 2]));
  const { code, stderr, stdout } = box.run(['memory', 'list', '--recorded']);
  assert.equal(code, 0);
  assert.ok(stderr.includes(broken), stderr);
  assert.ok(stdout.length > 0 && existsSync(broken), 'the others are listed, the file is left');
  const { checks } = json('doctor');
  assert.ok(
    checks.some(
      ({ name, status, detail }: Record<string, string>) =>
        name === 'memory' && status === 'warn' && detail!.includes(broken),
    ),
    JSON.stringify(checks),
  );
});

test('discoveries with --team are files of the repository, one each', () => {
  worked(box.run(['init', '--team']));
  worked(box.run(['remember', '--type', 'rule', 'Every refund needs two people']));
  const [name] = readdirSync(box.path('.sextant/memory')).filter((each) => each.endsWith('.md'));
  const text = readFileSync(box.path('.sextant/memory', name!), 'utf8');
  assert.match(text, /^id: rule-\w+\ntype: rule\n[\s\S]*\n\nEvery refund needs two people\n$/);
  writeFileSync(box.path('.sextant/memory', name!), text.replace('two people', 'three people'));
  const { results } = json('memory', 'search', 'who must agree to a refund');
  assert.equal(results[0].content, 'Every refund needs three people');
});

test('damaged mined files change no answer; doctor and index mend them', () => {
  const box = sandbox();
  box.write({
    ...SAMPLE,
    'docs/adr/0001-cents.md': '# 1. Prices are in cents\n\n## Decision\n\nWe keep prices in cents.\n',
  });
  const asked = () => worked(box.run(['memory', 'search', 'are prices kept in cents']));
  worked(box.run(['index', '--quiet']));
  const answer = asked();
  assert.match(answer, /cents/);
  const mined = readdirSync(box.home, { recursive: true })
    .map((name) => join(box.home, String(name)))
    .filter((name) => /mined.*\.(?:json|bin)$/.test(name));
  assert.ok(mined.length >= 2, mined.join());
  const damage = () => {
    for (const file of mined) {
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(file, bytes);
    }
  };
  damage();
  assert.equal(asked(), answer);
  damage();
  const { checks } = JSON.parse(box.run(['doctor', '--format', 'json']).stdout);
  const check = checks.find(({ name }: { name: string }) => name === 'mined notes');
  assert.match(check?.detail ?? JSON.stringify(checks), /contents\.json/);
  assert.ok(!mined.some((file) => existsSync(file)), 'the doctor has mended them');
  assert.equal(asked(), answer);
  damage();
  worked(box.run(['index', '--quiet']));
  assert.ok(!mined.some((file) => existsSync(file)), 'so has index');
  assert.equal(asked(), answer);
});
