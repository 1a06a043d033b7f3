// `npm run test:package`: the package as people get it. Packs it, installs it without any script into an empty folder,
// and uses it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(join(tmpdir(), 'sextant-package-'));
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const sumOf = (path) => (existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'missing');
const check = (isTrue, what) => {
  console.log(`${isTrue ? 'ok' : 'FAILED'}  ${what}`);
  if (!isTrue) process.exitCode = 1;
};

try {
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    npm(['pack', '--json', '--silent', '--pack-destination', folder], root),
  );
  const paths = files.map(({ path }) => path);
  for (const path of [
    'dist/api.js',
    'dist/api.d.ts',
    'dist/sbom.cdx.json',
    'dist/provenance.json',
    'dist/licences/tree-sitter-go.txt',
    'LICENSE',
    'SECURITY.md',
  ])
    check(paths.includes(path), `the package has ${path}`);
  check(!paths.some((path) => /(?:^|\/)\.(?:env|npmrc|git)|\.(?:pem|key)$/.test(path)), 'it has no settings or keys');

  const place = join(folder, 'place');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const started = Date.now();
  npm(
    [
      'install',
      '--ignore-scripts',
      '--omit=dev',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      join(folder, filename),
    ],
    place,
  );
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${megabytes(size)} MB packed, ${megabytes(unpackedSize)} MB unpacked, installed in ${seconds} s`);
  for (const command of ['sextant', 'sextant-mcp'])
    check(existsSync(join(place, 'node_modules/.bin', command)), `it brings the command ${command}`);
  const env = { PATH: process.env.PATH, HOME: folder, SEXTANT_HOME: join(folder, 'home') };
  const sextant = (...args) =>
    execFileSync(process.execPath, [join(place, 'node_modules/sextant-mcp/bin/sextant'), ...args], {
      cwd: place,
      env,
      encoding: 'utf8',
    });
  const doctor = JSON.parse(sextant('doctor', '--format', 'json'));
  const failed = doctor.checks
    .filter(({ status }) => status === 'fail')
    .map(({ name, detail }) => `${name}: ${detail}`);
  check(failed.length === 0, `installed without scripts, the doctor finds no fault ${failed.join('; ')}`);

  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const greeted = execFileSync(process.execPath, [join(place, 'node_modules/sextant-mcp/bin/sextant')], {
    cwd: place,
    env,
    encoding: 'utf8',
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
  });
  check(
    JSON.parse(greeted.split('\n')[0]).result.serverInfo.name === 'sextant',
    'without arguments it serves an agent',
  );

  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'shop.ts'), '/** Adds up a cart. */\nexport function cartTotal() {\n  return 0;\n}\n');
  const found = JSON.parse(sextant('search', 'cartTotal', '--path', project, '--yes', '--format', 'json'));
  check(found.hits[0]?.symbol?.name === 'cartTotal', 'it indexes and finds');

  // The server of docs/api.md as its reader would have it: its code from the page, the package as it was packed.
  const page = readFileSync(join(place, 'node_modules/sextant-mcp/docs/api.md'), 'utf8');
  writeFileSync(join(place, 'server.mjs'), /```js server\.mjs\n([\s\S]+?)```/.exec(page)[1]);
  const client = new Client({ name: 't', version: '1' });
  const args = [join(place, 'server.mjs'), project];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: place, env }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  check(names.join() === 'search_code,read_file,today', 'imported, its tools are served beside others');
  const answer = await client.callTool({ name: 'search_code', arguments: { query: 'cartTotal' } });
  check(JSON.stringify(answer.structuredContent).includes('shop.ts'), 'imported, it answers');
  await client.close();

  // An installation with the bundle's manifest beside it is what an .mcpb holds.
  const manifest = JSON.parse(
    readFileSync(join(place, 'node_modules/sextant-mcp/dist/manifests/mcpb/manifest.json'), 'utf8'),
  );
  check(existsSync(join(place, manifest.server.entry_point)), "the bundle's entry point is there");
  const given = { '${__dirname}': place, '${user_config.project}': project };
  const filled = manifest.server.mcp_config.args.map((word) => word.replace(/\$\{[^}]+\}/g, (name) => given[name]));
  const host = new Client({ name: 't', version: '1' });
  await host.connect(new StdioClientTransport({ command: process.execPath, args: filled, cwd: folder, env }));
  const served = await host.callTool({ name: 'search_code', arguments: { query: 'cartTotal' } });
  check(JSON.stringify(served.structuredContent).includes('shop.ts'), 'started as the bundle says, it answers');
  await host.close();

  const installed = join(place, 'node_modules/sextant-mcp/dist');
  const { subject } = JSON.parse(readFileSync(join(installed, 'provenance.json'), 'utf8'));
  const wrong = subject.filter(({ name, digest }) => sumOf(join(installed, name)) !== digest.sha256);
  check(wrong.length === 0, `what is installed is what was built ${wrong.map(({ name }) => name).join(', ')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
