/** `sextant install` and `uninstall` on the real binary, in a home of their own. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { refused, sandbox, worked } from './sextant.ts';

function home() {
  const box = sandbox();
  const env = { HOME: box.folder, XDG_CONFIG_HOME: '', PATH: '/usr/bin:/bin', APPDATA: '', USERPROFILE: box.folder };
  mkdirSync(join(box.folder, '.cursor'));
  return { box, run: (...args: string[]) => box.run(args, { env }), cursor: join(box.folder, '.cursor', 'mcp.json') };
}

test('install shows what it would write, writes it with --yes, and uninstall takes it off', () => {
  const { box, run, cursor } = home();
  const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
  writeFileSync(cursor, before);
  assert.match(
    worked(run('install', '--dry-run')),
    /Cursor {2}.*mcp\.json {2}connect\n {2}- .*other.*\n {2}\+ .*sextant/,
  );
  refused(run('install'), 2, /Nothing was written/);
  assert.equal(readFileSync(cursor, 'utf8'), before);
  assert.match(run('install', '--yes').stderr, /^Connected\./);
  const { mcpServers } = JSON.parse(readFileSync(cursor, 'utf8').replace('// mine', ''));
  assert.equal(mcpServers.sextant.args.at(-1), 'serve-mcp');
  // Not every agent hands the variables of its user on.
  assert.deepEqual(mcpServers.sextant.env, { SEXTANT_HOME: box.home });
  assert.ok(existsSync(mcpServers.sextant.command) && existsSync(mcpServers.sextant.args[0]));
  assert.match(worked(run('install')), /nothing to do/);
  assert.match(run('uninstall', '--yes').stderr, /^Disconnected\./);
  assert.equal(readFileSync(cursor, 'utf8'), before);
  assert.match(run('uninstall', '--yes').stderr, /^No agent is connected\./);
});

test('a file for everyone who works on a project starts the published package, not this machine’s', () => {
  const { box, run } = home();
  worked(run('install', '--agent', 'vscode', '--scope', 'project', '--yes'));
  const { servers } = JSON.parse(readFileSync(box.path('.vscode/mcp.json'), 'utf8'));
  assert.deepEqual(servers.sextant.args.slice(-3), ['-y', 'sextant-mcp', 'serve-mcp']);
  refused(run('install', '--agent', 'windsurf', '--scope', 'project'), 2, /Windsurf has no project configuration/);
});

test('install names an agent whose file is not valid and connects the others', () => {
  const { box, run, cursor } = home();
  mkdirSync(join(box.folder, '.codex'));
  writeFileSync(cursor, '{ "mcpServers": ');
  const result = run('install', '--yes');
  assert.equal(result.code, 1);
  assert.match(result.stdout, /Cursor .*cannot be edited\n.*is not valid/);
  assert.equal(readFileSync(cursor, 'utf8'), '{ "mcpServers": ');
  assert.match(readFileSync(join(box.folder, '.codex', 'config.toml'), 'utf8'), /\[mcp_servers\.sextant\]\ncommand = /);
});

test('--print prints the entry and looks at no file', () => {
  const { run } = home();
  assert.match(worked(run('install', '--print', '--agent', 'goose')), /extensions:\n {2}sextant:\n/);
});

test('--instructions adds a block that teaches the command line, too', () => {
  const { box, run } = home();
  writeFileSync(box.path('CLAUDE.md'), '# Mine\n');
  worked(run('install', '--agent', 'cursor', '--instructions', '--yes'));
  assert.match(readFileSync(box.path('CLAUDE.md'), 'utf8'), /^# Mine\n\n<!-- sextant:begin -->[\s\S]*sextant search/);
  worked(run('uninstall', '--instructions', '--yes'));
  assert.equal(readFileSync(box.path('CLAUDE.md'), 'utf8'), '# Mine\n');
});
