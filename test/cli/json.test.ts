/** Every field that `--format json` prints is documented, and the documented top-level fields are printed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { SAMPLE, sandbox } from './sextant.ts';

const box = sandbox();
box.write({
  ...SAMPLE,
  'questions.yml': '- query: NextDelay\n  expect: retry/policy.go\n',
  'memory.json': JSON.stringify({ sextant_memory: 1, discoveries: [] }),
});

const LINES: Readonly<Record<string, readonly string[]>> = {
  index: ['index'],
  sync: ['sync'],
  search: ['search', 'delay', '--explain', '--expand', '--synthesize'],
  locate: ['locate', 'NextDelay', '--detail'],
  grep: ['grep', 'Policy', '--context', '1'],
  read: ['read', 'retry/policy.go'],
  research: ['research', 'how is the delay computed'],
  map: ['map'],
  eval: ['eval', 'questions.yml'],
  remember: ['remember', 'Retries', 'belong', 'to', 'the', 'client', '--evidence', 'retry/policy.go:8-10'],
  'memory list': ['memory', 'list'],
  'memory search': ['memory', 'search', 'who retries'],
  'memory show': ['memory', 'show', 'ID'],
  'memory edit': ['memory', 'edit', 'ID', 'Retries', 'belong', 'to', 'the', 'HTTP', 'client'],
  'memory sessions': ['memory', 'sessions'],
  'memory import': ['memory', 'import', 'memory.json'],
  status: ['status', '--skipped', '--metrics'],
  verify: ['verify'],
  'refs list': ['refs', 'list'],
  'workspace create': ['workspace', 'create', 'shop', '.'],
  'workspace add': ['workspace', 'add', 'shop', '.'],
  'workspace list': ['workspace', 'list'],
  'workspace show': ['workspace', 'show', 'shop'],
  'workspace remove': ['workspace', 'remove', 'shop'],
  'projects add': ['projects', 'add', '.', '--name', 'shop'],
  'projects list': ['projects', 'list'],
  'projects remove': ['projects', 'remove', 'shop'],
  savings: ['savings'],
  export: ['export', '--cortex', '../chunks'],
  install: ['install', '--agent', 'cursor', '--scope', 'project', '--dry-run'],
  uninstall: ['uninstall', '--agent', 'cursor', '--scope', 'project', '--dry-run'],
  impact: ['impact', 'NextDelay'],
  init: ['init'],
  doctor: ['doctor'],
  'refs gc': ['refs', 'gc'],
  'refs drop': ['refs', 'drop', 'live'],
  // The last: from now on the project is a git repository.
  history: ['history', 'NextDelay'],
};

function commitAll(): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: box.path(), stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  box.run(['index']);
}

test('every command with a JSON answer is tried here', () => {
  // The fleet's answers need a cluster: test/fleet tries them.
  const described = COMMANDS.filter(({ json, name }) => json && !name.startsWith('fleet')).map(({ name }) => name);
  assert.deepEqual(described.sort(), Object.keys(LINES).sort());
});

for (const [name, args] of Object.entries(LINES))
  test(`sextant ${name} --format json`, () => {
    if (name === 'history') commitAll();
    const words = args.map((word) => (word === 'ID' ? firstRemembered() : word));
    const { code, stdout, stderr } = box.run([...words, '--format', 'json']);
    assert.equal(code, 0, stderr);
    const documented = new Set(COMMANDS.find((command) => command.name === name)!.json!.map(({ field }) => field));
    const printed = fieldsOf(JSON.parse(stdout));
    const covers = (field: string) =>
      [...documented].some(
        (known) =>
          field === known ||
          known.startsWith(`${field}.`) ||
          field.startsWith(`${known}.`) ||
          field.startsWith(`${known}[`),
      );
    assert.deepEqual(
      printed.filter((field) => !covers(field)),
      [],
    );
    const top = (field: string) => field.split(/[.[]/)[0]!;
    const printedTop = new Set(printed.map(top));
    assert.deepEqual(
      [...new Set([...documented].map(top))].filter((field) => !printedTop.has(field)),
      [],
    );
  });

function firstRemembered(): string {
  return JSON.parse(box.run(['memory', 'list', '--format', 'json']).stdout).discoveries[0].id;
}

function fieldsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value))
    return value.length === 0 ? [`${prefix}[]`] : [...new Set(value.flatMap((item) => fieldsOf(item, `${prefix}[]`)))];
  if (value !== null && typeof value === 'object' && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, below]) => fieldsOf(below, prefix ? `${prefix}.${key}` : key));
  return [prefix.replace(/\[\]$/, '[]')];
}
