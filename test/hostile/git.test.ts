/**
 * Repositories that set traps for git, with every command of the real binary that a person or an agent would use on a
 * fresh clone.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Sandbox, sandbox } from '../cli/sextant.ts';
import { agent } from '../faults/agent.ts';

/** Many starts of the binary: not part of `npm test`, which tries the same traps on the room that starts git. */
const OPTIONS = { skip: process.env.HOSTILE !== 'full' || process.platform === 'win32' };

const CODE = 'export function nextDelay(attempt: number) {\n  return 100 * attempt;\n}\n';

interface Trap {
  readonly box: Sandbox;
  readonly program: string;
  readonly sprung: () => string | null;
}

function setTrap(): Trap {
  const box = sandbox();
  const mark = join(box.folder, 'executed');
  const program = join(box.folder, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\nexit 1\n`);
  chmodSync(program, 0o755);
  box.git('init', '-q');
  box.write({ 'delay.ts': CODE, 'README.md': '# Delays\n\nWe double the delay after each attempt.\n' });
  box.git('add', '-A');
  box.git('commit', '-q', '-m', 'Decide to double the delay\n\nBecause servers recover slowly.');
  return { box, program, sprung: () => (existsSync(mark) ? readFileSync(mark, 'utf8') : null) };
}

function configure({ box, program }: Trap): void {
  const settings: [string, string][] = [
    ['filter.x.clean', program],
    ['filter.x.process', program],
    ['core.fsmonitor', program],
    ['core.sshCommand', program],
    ['core.pager', program],
    ['diff.external', program],
    ['gpg.program', program],
    ['log.showSignature', 'true'],
    ['core.hooksPath', box.path('hooks')],
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::${program}`],
    ['protocol.ext.allow', 'always'],
  ];
  for (const [name, value] of settings) box.git('config', name, value);
  box.write({ '.git/info/attributes': '* filter=x text=auto\n' });
  mkdirSync(box.path('hooks'));
  for (const name of ['post-index-change', 'reference-transaction']) cpSync(program, box.path('hooks', name));
  // Changed by its time only, so that git compares contents.
  utimesSync(box.path('delay.ts'), 1, 1);
}

const COMMANDS: readonly string[][] = [
  ['search', 'next delay', '--yes'],
  ['index'],
  ['sync'],
  ['status', '--skipped'],
  ['grep', 'nextDelay'],
  ['read', 'delay.ts'],
  ['index', '--ref', 'main'],
  ['memory', 'search', 'why is the delay doubled'],
  ['map'],
  ['verify'],
  ['doctor'],
  ['refs', 'gc'],
];

async function useEverything(box: Sandbox, cwd: string): Promise<void> {
  for (const command of COMMANDS) box.run(command, { cwd });
  const client = await agent(box, { workspace: cwd, cwd });
  for (const [tool, args] of [
    ['index_codebase', {}],
    ['search_code', { query: 'next delay' }],
    ['grep_codebase', { pattern: 'nextDelay' }],
    ['read_file', { path: 'delay.ts' }],
    ['context_search', { query: 'why is the delay doubled' }],
    ['get_status', {}],
  ] as const)
    await client.call(tool, args).catch(() => undefined);
  await client.leave();
}

test('no program that a repository’s configuration names is executed', OPTIONS, async () => {
  const trap = setTrap();
  configure(trap);
  const { box, sprung } = trap;
  await useEverything(box, box.path());
  assert.equal(sprung(), null);
  assert.match(box.run(['search', 'next delay']).stdout, /delay\.ts/);
  assert.match(box.run(['grep', 'nextDelay']).stdout, /delay\.ts/);
  spawnSync('git', ['ls-files', '-m'], { cwd: box.path(), env: box.environment() });
  assert.notEqual(sprung(), null, 'git itself executes it');
});

test('a clone with a bare repository inside executes nothing, from any of its folders', OPTIONS, async () => {
  const { box, program, sprung } = setTrap();
  const source = join(box.folder, 'source');
  box.git('clone', '-q', '.', source);
  const inner = join(source, 'sub');
  cpSync(join(source, '.git'), inner, { recursive: true });
  rmSync(join(inner, 'hooks'), { recursive: true, force: true });
  // Its branch lacks a file, which a remote promises.
  const bare = (input: string, ...args: string[]) =>
    execFileSync('git', ['--git-dir', inner, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      env: box.environment(),
      encoding: 'utf8',
      input,
    }).trim();
  const tree = bare(`100644 blob ${'1'.repeat(40)}\tmissing.ts\n`, 'mktree', '--missing');
  bare('', 'update-ref', 'refs/heads/main', bare('', 'commit-tree', '-m', 'lacks a file', tree));
  const config = `[core]
\trepositoryformatversion = 1
\tbare = false
\tworktree = wt
\tfsmonitor = ${program}
[extensions]
\tpartialClone = origin
[remote "origin"]
\tpromisor = true
\turl = ext::${program}
[protocol "ext"]
\tallow = always
[filter "x"]
\tclean = ${program}
`;
  writeFileSync(join(inner, 'config'), config);
  for (const path of ['refs/keep', 'objects/info/keep', 'wt/delay.ts', 'delay.ts']) {
    mkdirSync(dirname(join(inner, path)), { recursive: true });
    writeFileSync(join(inner, path), CODE);
  }
  writeFileSync(join(inner, 'wt/.gitattributes'), '* filter=x\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', source, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      env: box.environment(),
      stdio: 'ignore',
    });
  git('add', '-A');
  git('commit', '-q', '-m', 'with another inside');
  const clone = join(box.folder, 'clone');
  box.git('clone', '-q', source, clone);
  execFileSync('git', ['ls-files', '-m'], { cwd: join(clone, 'sub'), env: box.environment(), stdio: 'ignore' });
  assert.notEqual(sprung(), null, 'git itself executes it');
  rmSync(join(box.folder, 'executed'));
  for (const folder of ['sub', 'sub/wt']) await useEverything(box, join(clone, folder));
  assert.equal(sprung(), null);
  assert.match(box.run(['search', 'next delay'], { cwd: join(clone, 'sub') }).stdout, /delay\.ts/);
});

test('programs inside the project are not started', OPTIONS, () => {
  const { box, program, sprung } = setTrap();
  for (const folder of ['bin', 'node_modules/.bin']) {
    mkdirSync(box.path(folder), { recursive: true });
    for (const name of ['git', 'rg', 'sh', 'node']) cpSync(program, box.path(folder, name));
  }
  const env = { PATH: `.:${box.path('bin')}:${box.path('node_modules/.bin')}:${process.env.PATH}` };
  for (const command of [['index'], ['grep', 'nextDelay'], ['doctor'], ['index', '--ref', 'main']])
    box.run(command, { env, cwd: box.path('bin') });
  assert.match(box.run(['grep', 'nextDelay'], { env }).stdout, /delay\.ts/);
  assert.equal(sprung(), null);
});
