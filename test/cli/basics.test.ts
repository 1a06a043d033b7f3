/** What needs no project: help, versions, wrong words, configuration. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sandbox } from './sextant.ts';

const box = sandbox();

test('the version is the package’s', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const args of [['--version'], ['version'], ['search', '--version']]) {
    const { code, stdout, stderr } = box.run(args);
    assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, '']);
  }
});

test('help goes to standard output; no command at all is wrong use', () => {
  const help = box.run(['help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /sextant COMMAND/);
  assert.equal(box.run(['--help']).stdout, help.stdout);
  assert.match(box.run(['search', '--help']).stdout, /Usage: sextant search QUERY… \[FLAGS\][\s\S]*Examples/);
  assert.equal(box.run(['help', 'search']).stdout, box.run(['search', '-h']).stdout);
  assert.match(box.run(['help', 'configuration']).stdout, /search\.limit/);
  const nothing = box.run([]);
  assert.deepEqual([nothing.code, nothing.stdout], [2, '']);
  assert.match(nothing.stderr, /sextant COMMAND/);
  const unknown = box.run(['help', 'serch']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Did you mean `sextant search`\?/);
});

test('wrong words give a sentence, a fix and exit code 2, never a stack trace', () => {
  for (const args of [
    ['serch', 'x'],
    ['search'],
    ['search', 'x', '--limt', '3'],
    ['search', 'x', '--limit', '0'],
    ['search', 'x', '--format', 'xml'],
    ['index', 'a', 'b'],
    ['completions', 'tcsh'],
    ['serve', '--port', '99999'],
    ['serve-mcp', '--profile', 'nonsense'],
    ['-Z'],
    [''],
    ['x'.repeat(100_000)],
    ['search', `--${'y'.repeat(100_000)}`],
  ]) {
    const { code, stdout, stderr } = box.run(args);
    const shown = args.join(' ').slice(0, 60);
    assert.deepEqual([code, stdout], [2, ''], shown);
    assert.match(stderr, /^error: .+\nfix: {3}.+\n$/, shown);
    assert.ok(stderr.length < 600, shown);
  }
});

test('with --verbose an error shows where it came from', () => {
  const { code, stderr } = box.run(['serch', '--verbose']);
  assert.equal(code, 2);
  assert.match(stderr, /\n {4}at /);
});

test('with --format json an error is JSON on standard output as well', () => {
  for (const args of [
    ['search', 'x', '--path', 'nowhere', '--format', 'json'],
    ['search', '--format=json', '--limit', 'x', 'y'],
  ]) {
    const { code, stdout, stderr } = box.run(args);
    assert.equal(code, 2);
    const { error } = JSON.parse(stdout);
    assert.deepEqual(Object.keys(error), ['code', 'message', 'fix', 'data']);
    assert.match(stderr, /^error: /);
  }
});

test('a broken configuration is refused with its line, and doctor still runs', () => {
  box.write({ '.sextant/config.yml': 'search:\n  limit: many\n' });
  const refused = box.run(['status']);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /search\.limit.*line 2/);
  const doctor = box.run(['doctor', '--format', 'json']);
  assert.equal(doctor.code, 1);
  const { ok, checks } = JSON.parse(doctor.stdout);
  assert.equal(ok, false);
  assert.ok(checks.length > 3);
  const broken = checks.find((check: { name: string }) => check.name === 'configuration');
  assert.equal(broken.status, 'fail');
  assert.ok(broken.fix.length > 0);
  box.write({ '.sextant/config.yml': '' });
  assert.equal(box.run(['status', '--config', 'missing.yml']).code, 2);
});

test('colours only where they are wanted', () => {
  assert.doesNotMatch(box.run(['help']).stdout, /\u001b/);
  assert.match(box.run(['help'], { env: { FORCE_COLOR: '1' } }).stdout, /\u001b\[/);
  assert.doesNotMatch(box.run(['help', '--no-color'], { env: { FORCE_COLOR: '1' } }).stdout, /\u001b/);
  assert.match(box.run(['--color', 'help']).stdout, /\u001b\[/);
});

test('doctor passes on this machine', () => {
  const { code, stdout, stderr } = box.run(['doctor']);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /sqlite/i);
});
