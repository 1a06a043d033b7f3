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

test('help goes to standard output', () => {
  const help = box.run(['help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /sextant COMMAND/);
  assert.equal(box.run(['--help']).stdout, help.stdout);
  assert.match(box.run(['search', '--help']).stdout, /Usage: sextant search QUERY… \[FLAGS\][\s\S]*Examples/);
  assert.equal(box.run(['help', 'search']).stdout, box.run(['search', '-h']).stdout);
  assert.match(box.run(['help', 'configuration']).stdout, /search\.limit/);
  const unknown = box.run(['help', 'serch']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Did you mean `sextant search`\?/);
});

test('without a word and without a terminal it is the server that an agent has started', () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
  const { code, stdout } = box.run([], { input });
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout.split('\n')[0]!).result.serverInfo.name, 'sextant');
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

test('an error with --verbose shows where it came from', () => {
  const { code, stderr } = box.run(['serch', '--verbose']);
  assert.equal(code, 2);
  assert.match(stderr, /\n {4}at /);
});

const DETAIL = /^(?:configuration|project|index|phases|left out|query|time): /m;

test('a command with --verbose says what it works with, on standard error only', () => {
  const own = sandbox('told');
  own.write({
    'a.ts': 'export const one = 1;\n',
    'b.bin': Buffer.from([0, 1, 2, 0]),
    'sextant.yml': 'search:\n  limit: 3\n',
  });
  const config = own.path('sextant.yml');
  for (const [args, more] of [
    [['init'], []],
    [
      ['index', '--config', config],
      [/^phases: walk .+, publish /m, /^left out: 1 binary$/m],
    ],
    [['sync'], [/^phases: walk /m, /^left out: 1 binary$/m]],
    [['search', 'one', '--format', 'json'], [/^query: symbol, hybrid, 1 candidate, index fresh, /m]],
    [['doctor'], []],
  ] as const) {
    const plain = own.run(args);
    const { code, stdout, stderr } = own.run([...args, '-v']);
    assert.equal(code, 0, stderr);
    for (const text of [stdout, plain.stdout, plain.stderr, own.run([...args, '-v', '-q']).stderr])
      assert.doesNotMatch(text, DETAIL, args[0]);
    const file = args.includes(config as never) ? config : 'no file, the defaults and the environment';
    const { store_folder } = JSON.parse(own.run(['status', '--format', 'json']).stdout).project;
    for (const line of [`configuration: ${file}`, `project: ${own.path()} (no git)`, `index: ${store_folder}`])
      assert.ok(stderr.split('\n').includes(line), `${args[0]}: ${line} in ${stderr}`);
    for (const line of [...more, /^time: .+ m?s$/m]) assert.match(stderr, line, args[0]);
  }
});

test('an error with --format json is JSON on standard output as well', () => {
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

test('output has colours only where they are wanted', () => {
  assert.doesNotMatch(box.run(['help']).stdout, /\u001b/);
  assert.match(box.run(['help'], { env: { FORCE_COLOR: '1' } }).stdout, /\u001b\[/);
  assert.doesNotMatch(box.run(['help', '--no-color'], { env: { FORCE_COLOR: '1' } }).stdout, /\u001b/);
  assert.match(box.run(['--color', 'help']).stdout, /\u001b\[/);
});

test('doctor names a provider that cannot work, and checks the rest', () => {
  const env = { SEXTANT_EMBEDDING_PROVIDER: 'openai', SEXTANT_EMBEDDING_MODEL: 'unheard-of' };
  const { code, stdout } = box.run(['doctor', '--format', 'json'], { env });
  assert.equal(code, 1);
  const checks: { name: string; status: string; detail: string }[] = JSON.parse(stdout).checks;
  const failed = checks.filter(({ status }) => status === 'fail');
  assert.deepEqual(
    failed.map(({ name }) => name),
    ['embedding provider'],
  );
  assert.match(failed[0]!.detail, /embedding\.dims/);
  assert.ok(checks.some(({ name }) => name === 'sqlite'));
});

test('doctor passes on this machine', () => {
  const { code, stdout, stderr } = box.run(['doctor']);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /sqlite/i);
});

test('the programs that are read as bytes hold ASCII only: typographic marks in patterns are escaped', () => {
  for (const name of ['command.cjs', 'parser.cjs'])
    assert.doesNotMatch(readFileSync(new URL(`../../dist/${name}`, import.meta.url), 'latin1'), /[^\x00-\x7f]/, name);
});
