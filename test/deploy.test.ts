import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { parseLine } from '../src/cli/parsing/parse-arguments.ts';

const deploy = join(import.meta.dirname, '../deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        readonly networks?: readonly string[];
        readonly volumes?: readonly string[];
        readonly secrets?: readonly string[];
        readonly ports?: readonly string[];
        readonly depends_on?: Readonly<Record<string, unknown>>;
      }
    >
  >;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: object;
  readonly secrets: object;
}

test('the compose file names only what it defines, and every command line is one of ours', () => {
  const { services, networks, volumes, secrets } = parse(read('compose.yml')) as Compose;
  for (const [name, service] of Object.entries(services)) {
    for (const network of service.networks ?? []) assert.ok(network in networks, `${name}: ${network}`);
    for (const volume of service.volumes ?? []) assert.ok(volume.split(':')[0]! in volumes, `${name}: ${volume}`);
    for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name}: ${secret}`);
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in services, `${name}: ${other}`);
    if (service.command) assert.match(parseLine(service.command, COMMANDS).command?.name ?? '', /^fleet /);
    // What is reached from outside of the machine is put there on purpose.
    for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/);
  }
  assert.deepEqual(services.search?.networks, ['fleet']);
  assert.equal(networks.fleet?.internal, true);
});

test('the systemd units are accepted by systemd, and start commands of ours', (t) => {
  const units = readdirSync(deploy).filter((name) => name.endsWith('.service'));
  assert.equal(units.length, 2);
  for (const unit of units) {
    const line = /^ExecStart=\/usr\/bin\/env sextant (.*)$/m.exec(read(unit))?.[1];
    assert.match(parseLine(line!.split(' '), COMMANDS).command?.name ?? '', /^fleet /);
  }
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return t.diagnostic('systemd-analyze is not here');
  const folder = mkdtempSync(join(tmpdir(), 'sextant-units-'));
  try {
    for (const unit of units) {
      cpSync(join(deploy, unit), join(folder, unit));
      // A user that this machine may not have.
      writeFileSync(join(folder, unit), read(unit).replace(/^User=.*$/m, 'User=root'));
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, unit)], {
        encoding: 'utf8',
      });
      const ours = stderr.split('\n').filter((text) => text.includes(unit));
      assert.deepEqual(ours, [], unit);
      assert.ok(status === 0 || ours.length === 0);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
