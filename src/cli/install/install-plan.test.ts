/** Installing and taking it off again, for every agent, in a home of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { AGENT_NAMES } from '../commands/setup/install-flags.ts';
import { type Machine, placesOf, type Reach, type Scope } from './agent.ts';
import { AGENTS } from './agents.ts';
import { findAgents, targetOf } from './find-agents.ts';
import { applyChange, planInstall, planUninstall, type Target } from './install-plan.ts';
import { blockFormat } from './instructions.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-install-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const store = join(folder, 'store');
let homes = 0;

function newMachine(): Machine {
  const home = join(folder, `home-${homes++}`);
  mkdirSync(home);
  return { home, platform: 'linux', environment: { PATH: join(home, 'bin') }, node: '/usr/bin/node' };
}

const STDIO: Reach = { kind: 'stdio', command: '/usr/bin/node', args: ['/opt/sextant', 'serve-mcp'] };
const HTTP: Reach = { kind: 'http', url: 'http://127.0.0.1:7420/mcp', headers: { Authorization: 'Bearer x' } };
const SAMPLES: Readonly<Record<string, string>> = {
  json: '{\n\t// mine\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // keep\n\t},\n}\n',
  toml: '# mine\r\nmodel = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n',
  yaml: '# mine\nGOOSE_MODEL: x\nextensions:\n    developer:\n        enabled: true # keep\n\nGOOSE_MODE: auto\n',
};

function sampleFor(file: string): string {
  return SAMPLES[/\.toml$/.test(file) ? 'toml' : /\.ya?ml$/.test(file) ? 'yaml' : 'json']!;
}

function targetsIn(machine: Machine, reach: Reach): Target[] {
  const scopes: readonly Scope[] = ['user', 'project'];
  return AGENTS.flatMap((agent) =>
    scopes.flatMap((scope) => targetOf(agent, { scope, machine, project: join(machine.home, 'project'), reach }) ?? []),
  );
}

function install(target: Target): void {
  applyChange(planInstall(target), store);
}

function uninstall(target: Target): void {
  applyChange(planUninstall(target, store), store);
}

test('the agents are those that help names, each with a file for the user', () => {
  assert.deepEqual(
    AGENTS.map(({ id }) => id),
    [...AGENT_NAMES],
  );
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const agent of AGENTS) {
      const machine = { ...newMachine(), platform, home: platform === 'win32' ? 'C:\\Users\\u' : '/home/u' };
      const [file] = agent.user!(placesOf(machine));
      assert.ok(file!.startsWith(machine.home), `${agent.id}: ${file}`);
      if (platform === 'win32') assert.doesNotMatch(file!, /\//, agent.id);
    }
});

test('of several candidate files, the first existing one is used, else the first with an existing folder', () => {
  const machine = newMachine();
  const kilo = AGENTS.find(({ id }) => id === 'kilo-code')!;
  const fileOf = () => targetOf(kilo, { scope: 'project', machine, project: machine.home, reach: STDIO })!.file;
  assert.equal(fileOf(), join(machine.home, 'kilo.jsonc'));
  mkdirSync(join(machine.home, '.kilo'));
  assert.equal(fileOf(), join(machine.home, '.kilo/kilo.jsonc'));
  writeFileSync(join(machine.home, 'kilo.json'), '{}');
  assert.equal(fileOf(), join(machine.home, 'kilo.json'));
});

for (const reach of [STDIO, HTTP])
  test(`every agent is connected over ${reach.kind} and gets its file back byte for byte`, () => {
    for (const target of targetsIn(newMachine(), reach)) {
      const before = sampleFor(target.file);
      mkdirSync(dirname(target.file), { recursive: true });
      writeFileSync(target.file, before);
      install(target);
      const text = readFileSync(target.file, 'utf8');
      assert.notEqual(text, before, target.title);
      assert.equal(planInstall(target).action, 'none', `${target.title}: a second run changes nothing`);
      uninstall(target);
      assert.equal(readFileSync(target.file, 'utf8'), before, target.title);
    }
  });

test("an existing entry is updated and keeps its user's settings", () => {
  for (const old of targetsIn(newMachine(), HTTP)) {
    mkdirSync(dirname(old.file), { recursive: true });
    const ownEntry = {
      ...(old.value as Record<string, never>),
      enabled: false,
      startup_timeout_sec: 20,
      env: { A: 'b' },
    };
    const before = old.format.set('', old.path, ownEntry);
    writeFileSync(old.file, before);
    const agent = AGENTS.find(({ title }) => title === old.title)!;
    const value = agent.entry(STDIO) as Record<string, unknown>;
    install({ ...old, value: value as never });
    const held = old.format.parse(readFileSync(old.file, 'utf8'));
    const entry = old.path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], held);
    const kept = { enabled: false, startup_timeout_sec: 20, env: { A: 'b' } };
    assert.deepEqual(JSON.parse(JSON.stringify(entry)), { ...value, ...kept }, old.title);
    assert.equal(planInstall({ ...old, value: value as never }).action, 'none', old.title);
    uninstall({ ...old, value: value as never });
    assert.equal(readFileSync(old.file, 'utf8'), before, old.title);
  }
});

test('a list of servers that is null becomes one, and is null again', () => {
  const machine = newMachine();
  const target = targetOf(AGENTS[0]!, { scope: 'user', machine, project: machine.home, reach: STDIO })!;
  const before = '{\n  "a": 1, // first\n  "mcpServers": null\n}\n';
  writeFileSync(target.file, before);
  install(target);
  assert.match(readFileSync(target.file, 'utf8'), /"a": 1, \/\/ first\n {2}"mcpServers": \{\n {4}"sextant"/);
  uninstall(target);
  assert.equal(readFileSync(target.file, 'utf8'), before);
});

test('uninstall deletes a file that install created, and its folders', () => {
  const machine = newMachine();
  const targets = targetsIn(machine, STDIO);
  for (const target of targets) install(target);
  for (const target of [...targets].reverse()) uninstall(target);
  assert.deepEqual(readdirSync(machine.home), []);
});

test('uninstall removes only the entry from a file that its user has edited since', () => {
  for (const target of targetsIn(newMachine(), STDIO)) {
    const before = sampleFor(target.file);
    mkdirSync(dirname(target.file), { recursive: true });
    writeFileSync(target.file, before);
    install(target);
    const marker = /\.(?:toml|ya?ml)$/.test(target.file) ? '# new\n' : '// new\n';
    writeFileSync(target.file, marker + readFileSync(target.file, 'utf8'));
    assert.equal(planUninstall(target, store).action, 'remove');
    uninstall(target);
    assert.equal(readFileSync(target.file, 'utf8'), marker + before, target.title);
  }
});

test('an invalid configuration file is refused with a message and stays unchanged', () => {
  for (const target of targetsIn(newMachine(), STDIO)) {
    mkdirSync(dirname(target.file), { recursive: true });
    writeFileSync(target.file, '{ "a": [');
    assert.throws(() => planInstall(target), /is not valid .*the file was not changed/, target.title);
    assert.equal(readFileSync(target.file, 'utf8'), '{ "a": [');
  }
});

test('a link stays a link, and a read-only file stays unchanged', () => {
  const machine = newMachine();
  const target = targetOf(AGENTS[0]!, { scope: 'user', machine, project: machine.home, reach: STDIO })!;
  const kept = join(machine.home, 'dotfiles.json');
  writeFileSync(kept, '{}\n', { mode: 0o640 });
  symlinkSync(kept, target.file);
  install(target);
  assert.ok(lstatSync(target.file).isSymbolicLink());
  assert.match(readFileSync(kept, 'utf8'), /"sextant"/);
  assert.equal(lstatSync(kept).mode & 0o777, 0o640);
  uninstall(target);
  assert.equal(readFileSync(kept, 'utf8'), '{}\n');
  chmodSync(kept, 0o440);
  assert.throws(() => install(target), /is read-only; the file was not changed/);
  assert.equal(readFileSync(kept, 'utf8'), '{}\n');
});

test('a link that leads nowhere and a file that is not UTF-8 are refused in words and stay as they are', () => {
  const machine = newMachine();
  const target = targetOf(AGENTS[0]!, { scope: 'user', machine, project: machine.home, reach: STDIO })!;
  symlinkSync(join(machine.home, 'nowhere.json'), target.file);
  assert.throws(() => planInstall(target), /is a link that leads nowhere; the file was not changed/);
  assert.ok(lstatSync(target.file).isSymbolicLink());
  rmSync(target.file);
  const latin1 = Buffer.from([0x22, 0xe9, 0x22]);
  writeFileSync(target.file, latin1);
  assert.throws(() => planInstall(target), /is not UTF-8; the file was not changed/);
  assert.deepEqual(readFileSync(target.file), latin1);
});

test('Cline’s command line and its extension have a file each; folders that variables name are looked in', () => {
  const machine = newMachine();
  mkdirSync(join(machine.home, '.cline'));
  assert.deepEqual(
    findAgents(machine).map(({ id }) => id),
    ['cline-cli'],
  );
  const environment = { CODEX_HOME: join(machine.home, 'elsewhere') };
  const codex = AGENTS.find(({ id }) => id === 'codex')!;
  const moved = { ...machine, environment: { ...machine.environment, ...environment } };
  const target = targetOf(codex, { scope: 'user', machine: moved, project: machine.home, reach: STDIO })!;
  assert.equal(target.file, join(environment.CODEX_HOME, 'config.toml'));
});

test('a file that changed after its plan was shown is not written', () => {
  const machine = newMachine();
  const target = targetOf(AGENTS[0]!, { scope: 'user', machine, project: machine.home, reach: STDIO })!;
  const change = planInstall(target);
  writeFileSync(target.file, '{ "new": 1 }\n');
  assert.throws(() => applyChange(change, store), /has changed since it was read/);
});

test('agents are found by their folder, or by their command', () => {
  const machine = newMachine();
  assert.deepEqual(findAgents(machine), []);
  mkdirSync(join(machine.home, '.cursor'));
  mkdirSync(join(machine.home, 'bin'));
  writeFileSync(join(machine.home, 'bin', 'goose'), '');
  assert.deepEqual(
    findAgents(machine).map(({ id }) => id),
    ['cursor', 'goose'],
  );
});

test("opencode's entry has the form of its file, which is restored byte for byte", () => {
  const machine = newMachine();
  const opencode = AGENTS.find(({ id }) => id === 'opencode')!;
  const target = targetOf(opencode, { scope: 'user', machine, project: machine.home, reach: STDIO })!;
  mkdirSync(dirname(target.file), { recursive: true });
  const second = '{\n  // release 2\n  "mcp": { "servers": { "other": { "type": "local", "command": ["x"] } } }\n}\n';
  const command = ['/usr/bin/node', '/opt/sextant', 'serve-mcp'];
  writeFileSync(target.file, second);
  const { after: text } = planInstall(target);
  const written = target.format.parse(text!) as { mcp: { servers: Record<string, unknown> } };
  assert.deepEqual(written.mcp.servers.sextant, { type: 'local', command });
  assert.ok(!('sextant' in written.mcp));
  install(target);
  assert.equal(planInstall(target).action, 'none');
  uninstall(target);
  assert.equal(readFileSync(target.file, 'utf8'), second);

  writeFileSync(target.file, '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }\n');
  const first = target.format.parse(planInstall(target).after!) as { mcp: Record<string, unknown> };
  assert.deepEqual(first.mcp.sextant, { type: 'local', command, enabled: true });
});

test('files of a project that lead out of it, pipes and devices are left alone', {
  skip: process.platform === 'win32',
}, () => {
  const project = join(folder, 'hostile');
  const outside = join(folder, 'outside');
  mkdirSync(join(project, '.cursor'), { recursive: true });
  mkdirSync(outside);
  const profile = join(outside, 'profile');
  writeFileSync(profile, 'export PATH\n');
  const block = (file: string): Target => ({
    title: 'Instructions',
    file: join(project, file),
    project,
    format: blockFormat,
    path: ['block'],
    value: true,
  });
  symlinkSync(profile, join(project, 'AGENTS.md'));
  symlinkSync('/dev/zero', join(project, 'CLAUDE.md'));
  symlinkSync(outside, join(project, '.cursor/rules'));
  execFileSync('mkfifo', [join(project, 'PIPE.md')]);
  for (const file of ['AGENTS.md', 'CLAUDE.md', 'PIPE.md', '.cursor/rules/sextant.mdc'])
    assert.throws(() => install(block(file)), { code: 'invalid_input' }, file);
  assert.equal(readFileSync(profile, 'utf8'), 'export PATH\n');
  assert.deepEqual(readdirSync(outside), ['profile']);
  // The draft of a change is no link either; a link inside of the project is one that its authors want.
  writeFileSync(join(project, 'OWN.md'), 'ours\n');
  symlinkSync(profile, join(project, `OWN.md.sextant-${process.pid}`));
  symlinkSync('OWN.md', join(project, 'LINKED.md'));
  install(block('LINKED.md'));
  assert.match(readFileSync(join(project, 'OWN.md'), 'utf8'), /sextant:begin/);
  assert.equal(readFileSync(profile, 'utf8'), 'export PATH\n');
});
