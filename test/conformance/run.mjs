// `npm run test:conformance`: suites and clients that others wrote, against our transports. Installs them on demand
// into this folder.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../scripts/prepare.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
function install() {
  const marker = join(here, 'node_modules/.package-lock.json');
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs) return;
  console.log('Installing the suites (npm ci) …');
  // The npm package `node` fetches its binary in a script of its own.
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false'], {
    cwd: here,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The suites use functions of Node 22. */
function modernNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const packaged = join(here, 'node_modules/node/bin/node');
  if (existsSync(packaged)) return packaged;
  console.error('The suites need Node 22 or newer, and the npm package `node` brought none.');
  return process.exit(1);
}

function serve() {
  const server = spawn(process.execPath, ['--import', 'tsx', join(here, 'serve.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    server.stderr.on('data', (chunk) => {
      output += chunk;
      const url = /http:\/\/\S+\/mcp/.exec(output)?.[0];
      if (url) resolve({ server, url });
    });
    server.on('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
}

function suite(node, name, args, url) {
  const { stdout, status } = spawnSync(
    node,
    [join(here, `node_modules/${name}/dist/index.js`), 'server', '--url', url, ...args],
    { cwd: here, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const failed = status !== 0 || /^✗/m.test(stdout) || / [1-9]\d* failed/.test(stdout);
  const scenarios = stdout.match(/^✓ /gm)?.length;
  const checks = /(?:Total: (\d+) passed|Passed: (\d+)\/)/.exec(stdout)?.slice(1).find(Boolean) ?? '?';
  const skipped = /SKIPPED\S*\s+(.*)/.exec(stdout)?.[1];
  console.log(
    `${failed ? '✗' : '✓'} ${name} ${args.join(' ')}: ${scenarios ? `${scenarios} scenarios, ` : ''}${checks} checks passed${skipped ? `; skipped by the suite: ${skipped}` : ''}`,
  );
  if (failed) console.log(stdout);
  return !failed;
}

/** Every scenario of the tasks extension that the suite knows: they are not part of `--suite all`. */
function taskScenarios(node) {
  const { stdout } = spawnSync(node, [join(here, 'node_modules/conformance-next/dist/index.js'), 'list'], {
    cwd: here,
    encoding: 'utf8',
  });
  const names = [...stdout.matchAll(/^\s*- (tasks-\S+)/gm)].map(([, name]) => name);
  if (names.length === 0) throw new Error(`The suite lists no task scenarios:\n${stdout}`);
  return names;
}

await prepare((line) => console.log(line));
install();
const node = modernNode();
const { server, url } = await serve();
let ok = true;
try {
  ok = suite(node, 'conformance-stable', ['--suite', 'all'], url) && ok;
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])
    ok = suite(node, 'conformance-next', ['--suite', 'all', '--spec-version', version], url) && ok;
  for (const scenario of taskScenarios(node)) ok = suite(node, 'conformance-next', ['--scenario', scenario], url) && ok;
} finally {
  server.kill();
}
const clients = spawnSync(process.execPath, ['--import', 'tsx', '--test', join(here, 'clients.conformance.mjs')], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(ok && clients.status === 0 ? 0 : 1);
