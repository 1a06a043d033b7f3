// `npm run test:package [-- --quick]`: the package as people get it. Packs it, installs it without any script into an
// empty folder, and uses it with every Node that it promises to run on; then its manifests against what is published
// for them. --quick: the Node at hand, no manifests.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeManifests } from '../../scripts/manifests.mjs';
import { checkManifests } from './published-schemas.mjs';
import { check, installInto, npm } from './scratch-npm.mjs';
import { usePackage } from './use-package.mjs';

/** What package.json's `engines` allow, by release; `latest` is the newest that npm's `node` package carries. */
const NODES = ['20', '22', '24', 'latest'];
const NEEDED = [
  'dist/api.js',
  'dist/api.d.ts',
  'dist/sbom.cdx.json',
  'dist/provenance.json',
  'dist/licences/tree-sitter-go.txt',
  'LICENSE',
  'SECURITY.md',
];

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const isQuick = process.argv.includes('--quick');
const folder = mkdtempSync(join(tmpdir(), 'sextant-package-'));

function packAndInstall(place) {
  const pack = ['pack', '--json', '--silent', '--pack-destination', folder];
  const [{ filename, files, size, unpackedSize }] = JSON.parse(npm(pack, root));
  const paths = files.map(({ path }) => path);
  for (const path of NEEDED) check(paths.includes(path), `the package has ${path}`);
  check(!paths.some((path) => /(?:^|\/)\.(?:env|npmrc|git)|\.(?:pem|key)$/.test(path)), 'it has no settings or keys');
  const started = Date.now();
  installInto(place, [join(folder, filename)]);
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${megabytes(size)} MB packed, ${megabytes(unpackedSize)} MB unpacked, installed in ${seconds} s`);
  for (const command of ['sextant', 'sextant-mcp'])
    check(existsSync(join(place, 'node_modules/.bin', command)), `it brings the command ${command}`);
}

/** The program of a release of Node: the one that runs this where it is of that release, else npm's `node` package. */
function findNode(release) {
  if (process.versions.node.split('.')[0] === release) return process.execPath;
  const at = join(folder, `node-${release}`);
  // Its script brings the program.
  installInto(at, [`node@${release}`], { isScriptFree: false });
  return join(at, 'node_modules/node/bin/node');
}

function checkSums(installed) {
  const sumOf = (path) =>
    existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'missing';
  const { subject } = JSON.parse(readFileSync(join(installed, 'provenance.json'), 'utf8'));
  const wrong = subject.filter(({ name, digest }) => sumOf(join(installed, name)) !== digest.sha256);
  check(wrong.length === 0, `what is installed is what was built ${wrong.map(({ name }) => name).join(', ')}`);
}

try {
  const place = join(folder, 'place');
  packAndInstall(place);
  for (const release of isQuick ? [process.versions.node.split('.')[0]] : NODES) {
    const own = join(folder, `with-node-${release}`);
    mkdirSync(own);
    const node = findNode(release);
    const label = `Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`;
    await usePackage({ place, folder: own, node, label });
  }
  checkSums(join(place, 'node_modules/sextant-mcp/dist'));
  if (!isQuick) {
    const bundle = join(folder, 'manifests/mcpb');
    await writeManifests(join(folder, 'manifests'), [process.platform]);
    renameSync(join(place, 'node_modules'), join(bundle, 'node_modules'));
    const manifests = join(bundle, 'node_modules/sextant-mcp/dist/manifests');
    await checkManifests({ manifests, bundle, folder });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
