// Records the build's materials: pinned checksums, licences, a bill of materials (CycloneDX) and a provenance statement
// (in-toto).

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');
const folder = join(root, 'supply-chain');

export async function readPins() {
  return JSON.parse(await readFile(join(folder, 'pins.json'), 'utf8'));
}

export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Throws if a file is not the pinned one. */
export function checkPinned(what, bytes, pinned) {
  if (sha256(bytes) === pinned) return;
  const why = pinned === undefined ? 'has no pinned sum' : 'is not the pinned one';
  throw new Error(`${what} ${why}: if that is meant, run \`npm run pin\` and review supply-chain/pins.json.`);
}

export async function checkModels(pins) {
  const models = join(root, 'models');
  for (const name of await modelFiles())
    checkPinned(`models/${name}`, await readFile(join(models, name)), pins.models[name]);
  for (const name of Object.keys(pins.models))
    if (!(await modelFiles()).includes(name)) throw new Error(`models/${name} is pinned and not there.`);
}

/** The files that training made; the build derives the others. */
export async function modelFiles() {
  const made = ['README.md', 'sha256.json', 'static.words'];
  return (await readdir(join(root, 'models'))).filter((name) => !made.includes(name)).sort();
}

/** Packages that are installed with Sextant, by their place in the lockfile. */
async function installedPackages() {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(
      ([path, { dev, peer, optional, devOptional }]) => path !== '' && !dev && !devOptional && !(peer && optional),
    )
    .map(([path, entry]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...entry }));
}

/** Licences of the grammars' authors and of the packages whose code is in the bundles. */
export async function copyLicences(dist) {
  const out = join(dist, 'licences');
  await mkdir(out, { recursive: true });
  for (const name of await readdir(join(folder, 'licences')))
    await copyFile(join(folder, 'licences', name), join(out, name));
  for (const { path, name } of await installedPackages()) {
    const names = await readdir(join(root, path)).catch(() => []);
    const licence = names.find((each) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(each));
    if (licence) await copyFile(join(root, path, licence), join(out, `${name.replace('/', '+')}.txt`));
  }
}

export async function writeSbom(dist, pins) {
  const { name, version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const hash = (content) => [{ alg: 'SHA-256', content }];
  const licences = (id) =>
    id ? { licenses: [/ (?:OR|AND) /.test(id) ? { expression: id } : { license: { id } }] } : {};
  const packages = (await installedPackages()).map((each) => ({
    type: 'library',
    'bom-ref': `${each.path}@${each.version}`,
    name: each.name,
    version: each.version,
    purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
    ...(each.optional ? { scope: 'optional' } : {}),
    ...(each.integrity ? { hashes: [integrityHash(each.integrity)] } : {}),
    ...licences(each.license),
  }));
  const grammars = Object.entries(pins.grammars).map(([grammar, pin]) => ({
    type: 'library',
    'bom-ref': `grammar:${grammar}`,
    name: `tree-sitter grammar ${grammar}`,
    version: pin.built_from.split(' ')[1],
    description: `WebAssembly, built from ${pin.built_from}`,
    hashes: hash(pin.sha256),
    ...licences(pin.licence),
  }));
  const models = Object.entries(pins.models).map(([file, sum]) => ({
    type: 'data',
    'bom-ref': `model:${file}`,
    name: `models/${file}`,
    version,
    hashes: hash(sum),
    ...licences(license),
  }));
  const components = [...packages, ...grammars, ...models];
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version, ...licences(license) } },
    components,
    dependencies: [{ ref: name, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  await writeFile(join(dist, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}

function integrityHash(integrity) {
  const [algorithm, base64] = integrity.split(' ')[0].split('-');
  const alg = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256', sha1: 'SHA-1' }[algorithm];
  return { alg, content: Buffer.from(base64, 'base64').toString('hex') };
}

/** A UUID derived from content: equal for equal content. */
function uuidOf(text) {
  const hex = sha256(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Provenance: an in-toto statement with SLSA's predicate, unsigned. Every file of dist/ is a subject. */
export async function writeProvenance(dist, pins) {
  const lockfile = sha256(await readFile(join(root, 'package-lock.json')));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: await digestsBelow(dist),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run build',
        externalParameters: {},
        internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          ...sourceCommit(),
          { name: 'package-lock.json', digest: { sha256: lockfile } },
          ...Object.entries(pins.grammars).map(([name, pin]) => ({
            name: `grammar ${name}`,
            digest: { sha256: pin.sha256 },
          })),
          ...Object.entries(pins.models).map(([name, sum]) => ({ name: `models/${name}`, digest: { sha256: sum } })),
        ],
      },
      runDetails: { builder: { id: 'scripts/build.mjs' } },
    },
  };
  await writeFile(join(dist, 'provenance.json'), `${JSON.stringify(statement, null, 2)}\n`);
}

/** The commit, and whether the work tree differs from it; nothing outside of a repository. */
function sourceCommit() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const commit = git('rev-parse', 'HEAD').trim();
    const isChanged = git('status', '--porcelain', '--untracked-files=no').trim() !== '';
    return [{ name: 'source', digest: { gitCommit: commit }, annotations: { modified: isChanged } }];
  } catch {
    return [];
  }
}

async function digestsBelow(dist) {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'provenance.json');
  const subjects = await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return { name: relative(dist, path).split(sep).join('/'), digest: { sha256: sha256(await readFile(path)) } };
    }),
  );
  return subjects.sort((a, b) => (a.name < b.name ? -1 : 1));
}
