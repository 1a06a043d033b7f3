/** What an operator types, by the built binary: settings by file and environment, repositories by every way to add. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runSextant } from '../fleet-node.ts';
import { type FleetUnderTest, fleetFor, theCluster, until } from '../fleet-under-test.ts';
import { startGitHost } from '../git-host.ts';
import { PASSWORD, startSecureFront, USER } from '../secure-front.ts';

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

async function run(
  under: FleetUnderTest,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = runSextant(under, join(under.folder, 'operator'), ['fleet', ...args], environment);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (piece) => (output += piece));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function mustRun(under: FleetUnderTest, ...args: string[]): Promise<string> {
  const { code, output } = await run(under, args);
  assert.equal(code, 0, output);
  return output;
}

interface Status {
  readonly contents: number;
  readonly repositories: readonly {
    readonly name: string;
    readonly url: string;
    readonly groups: readonly string[];
    readonly files: number;
    readonly commit: string | null;
    readonly waiting_since_ms: number | null;
    readonly failure: string | null;
  }[];
}

async function statusOf(under: FleetUnderTest): Promise<Status> {
  return JSON.parse(await mustRun(under, 'status', '--format', 'json')) as Status;
}

test('TLS by an authority of its own, a password and a client certificate lead to OpenSearch, and nothing less does', async (t) => {
  const under = await fleetFor(t, { setUp: false });
  const front = await startSecureFront(t, under.folder, theCluster().urls[0]!);
  const home = join(under.folder, 'operator');
  mkdirSync(home, { recursive: true });
  const lines = [
    `url: [${front.url}]`,
    `prefix: ${under.prefix}`,
    `user: ${USER}`,
    'password_env: FLEET_PASSWORD',
    `ca_file: ${front.caFile}`,
    `certificate_file: ${front.certificateFile}`,
    `key_file: ${front.keyFile}`,
  ];
  const fileOf = (settings: readonly string[]) => `fleet:\n${settings.map((line) => `  ${line}\n`).join('')}`;
  writeFileSync(join(home, 'config.yml'), fileOf(lines));
  const by = { SEXTANT_FLEET_URL: front.url, FLEET_PASSWORD: PASSWORD };
  const ready = await run(under, ['init'], by);
  assert.deepEqual([ready.code, /The fleet is ready/.test(ready.output)], [0, true], ready.output);
  assert.equal((await run(under, ['status'], by)).code, 0);

  const refused = async (change: Readonly<Record<string, string>>, reason: RegExp, flags: readonly string[] = []) => {
    const { code, output } = await run(under, ['status', ...flags], { ...by, ...change });
    assert.notEqual(code, 0, String(reason));
    assert.match(output, reason);
    assert.ok(!output.includes(PASSWORD));
  };
  await refused({ FLEET_PASSWORD: 'a wrong one' }, /The fleet refused the request: OpenSearch answered 401/);
  await refused({ SEXTANT_FLEET_PASSWORD_ENV: 'NOT_THERE' }, /NOT_THERE.*fleet\.password_env/s);
  await refused({ SEXTANT_FLEET_CA_FILE: front.otherCaFile }, /The fleet refused the request: .*certificate/);
  await refused({ SEXTANT_FLEET_CA_FILE: join(home, 'missing.pem') }, /fleet\.ca_file.*missing\.pem/s);
  const noPem = join(home, 'no.pem');
  writeFileSync(noPem, 'not a certificate\n');
  for (const name of ['ca_file', 'certificate_file', 'key_file'])
    await refused({ [`SEXTANT_FLEET_${name.toUpperCase()}`]: noPem }, new RegExp(`fleet\\.${name} names holds no`));
  await refused({ SEXTANT_FLEET_URL: theCluster().urls[0]!.replace('http:', 'https:') }, /https:.*speaks no TLS/);
  await refused({ SEXTANT_FLEET_URL: '127.0.0.1:9200' }, /"127\.0\.0\.1:9200" is no address of OpenSearch/);
  await refused({ SEXTANT_FLEET_PREFIX: 'Upper' }, /fleet\.prefix is "Upper"/);
  const without = join(home, 'without-certificate.yml');
  writeFileSync(without, fileOf(lines.slice(0, 5)));
  await refused({}, /certificate required/, ['--config', without]);
  const keyless = join(home, 'without-key.yml');
  writeFileSync(keyless, fileOf(lines.slice(0, 6)));
  await refused({}, /needs its key.*fleet\.key_file/, ['--config', keyless]);
});

test('repositories are added by address, file, organisation and group, indexed, shown, removed and cleaned up after', async (t) => {
  const under = await fleetFor(t, { setUp: false });
  assert.match(await mustRun(under, 'init'), /The fleet is ready/);
  const remote = (name: string) => under.repository(name, { [`${name}.ts`]: `export const ${name} = 1;\n` });
  const list = join(under.folder, 'list.txt');
  writeFileSync(list, `# ours\n${remote('listed')} payments,web # by file\n\n`);
  await mustRun(under, 'add', remote('single'), '--name', 'acme/single', '--groups', 'payments');
  await mustRun(under, 'add', '--from-file', list);
  const github = await startGitHost(t, dirname(remote('hub')), 'clone_url', ['hub']);
  await mustRun(under, 'add', '--github-org', 'acme', '--api-url', github);
  const gitlab = await startGitHost(t, dirname(remote('lab')), 'http_url_to_repo', ['lab']);
  await mustRun(under, 'add', '--gitlab-group', 'acme/back', '--api-url', gitlab);
  const added = await statusOf(under);
  assert.deepEqual(added.repositories.map(({ name, groups }) => [name.replace(/^.*\//, ''), groups]).sort(), [
    ['hub', []],
    ['lab', []],
    ['listed', ['payments', 'web']],
    ['single', ['payments']],
  ]);
  assert.ok(added.repositories.every(({ waiting_since_ms }) => waiting_since_ms !== null));

  assert.match(await mustRun(under, 'status'), /Queue: 4 waiting for a worker, 0 being indexed, 0 failed/);
  await mustRun(under, 'index');
  const indexed = await statusOf(under);
  assert.deepEqual(
    indexed.repositories.map(({ files, commit, failure }) => [files, commit?.length, failure]),
    Array.from({ length: 4 }, () => [1, 40, null]),
  );
  assert.match(await mustRun(under, 'status'), /acme\/single/);
  assert.match(await mustRun(under, 'remove', 'acme/single'), /acme\/single removed/);
  assert.match((await run(under, ['remove', 'acme/single'])).output, /no repository "acme\/single"/);
  assert.match(await mustRun(under, 'clean'), /1 content /);
  await until(async () => (await statusOf(under)).contents === 3);
});
