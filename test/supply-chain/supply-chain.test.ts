/**
 * What the package is made of: pinned sums, licences, bill of materials, provenance, and nothing that runs at
 * installation.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../src/engine/index.ts';
import { LANGUAGES } from '../../src/languages/index.ts';
import { engineConfig } from '../engine-config.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Pin {
  readonly sha256: string;
  readonly built_from: string;
  readonly licence: string;
  readonly licence_file: string;
}
const pins = json('supply-chain/pins.json') as {
  readonly grammars: Readonly<Record<string, Pin>>;
  readonly models: Readonly<Record<string, string>>;
};
const lock = json('package-lock.json').packages as Record<string, Record<string, unknown>>;
/** Packages that come with an installation. */
const installed = Object.entries(lock).filter(
  ([path, { dev, devOptional, peer, optional }]) => path !== '' && !dev && !devOptional && !(peer && optional),
);

test('every grammar in use is pinned, built as pinned, and has the licence of its authors in the package', () => {
  const inUse = new Set(LANGUAGES.flatMap(({ grammar }) => grammar ?? []));
  assert.deepEqual(Object.keys(pins.grammars), [...inUse].sort());
  for (const [name, pin] of Object.entries(pins.grammars)) {
    assert.equal(sha256(join(root, `dist/grammars/${name}.wasm`)), pin.sha256, name);
    const licence = readFileSync(join(root, `dist/licences/${pin.licence_file}.txt`), 'utf8');
    assert.match(
      licence,
      pin.licence === 'MIT' ? /Copyright \(c\)[\s\S]+Permission is hereby granted/ : /Apache License/,
    );
    assert.match(pin.built_from, /^\S+ (?:[\^\d.]+|[0-9a-f]{40})$/);
  }
});

test('every package whose code is in the bundles has its licence in the package', () => {
  const kept = new Set(readdirSync(join(root, 'dist/licences')));
  for (const [path] of installed) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 13);
    const isThere = existsSync(join(root, path));
    const hasOwn = isThere && readdirSync(join(root, path)).some((file) => /^(?:licen[cs]e|copying)/i.test(file));
    if (hasOwn) assert.ok(kept.has(`${name.replace('/', '+')}.txt`), name);
  }
});

test('models are the pinned ones, and the build refuses others', async () => {
  const { checkPinned } = await import('../../scripts/supply-chain.mjs');
  for (const [name, sum] of Object.entries(pins.models)) assert.equal(sha256(join(root, 'models', name)), sum, name);
  assert.throws(() => checkPinned('The grammar go', Buffer.from('other'), pins.grammars.go!.sha256), /npm run pin/);
  assert.throws(() => checkPinned('The grammar new', Buffer.from('other'), undefined), /has no pinned sum/);
});

test('the doctor notices a grammar that was changed and still loads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-grammars-'));
  const grammarFolder = join(folder, 'grammars');
  cpSync(join(root, 'dist/grammars'), grammarFolder, { recursive: true });
  // A custom section of WebAssembly: nobody reads it.
  appendFileSync(join(grammarFolder, 'lua.wasm'), Buffer.from([0, 2, 1, 0x78]));
  const engine = createEngine(engineConfig(join(folder, 'home'), { grammarFolder }));
  try {
    const results = await engine.doctor(null);
    const broken = results.filter(({ name, status }) => name.startsWith('grammar ') && status === 'fail');
    assert.deepEqual(
      broken.map(({ name, detail }) => [name, detail]),
      [['grammar lua', 'lua.wasm is not the one that was built']],
    );
    assert.match(broken[0]!.fix!, /npm run build/);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the bill of materials has every package, grammar and model, each with a hash and a licence', () => {
  const sbom = json('dist/sbom.cdx.json');
  assert.deepEqual([sbom.bomFormat, sbom.specVersion, sbom.version], ['CycloneDX', '1.5', 1]);
  assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const components = sbom.components as Record<string, unknown>[];
  const refs = components.map((component) => component['bom-ref']);
  assert.equal(new Set(refs).size, refs.length);
  assert.deepEqual(sbom.dependencies, [{ ref: sbom.metadata.component['bom-ref'], dependsOn: refs }]);
  for (const component of components) {
    assert.ok((component.hashes as unknown[]).length > 0, String(component.name));
    assert.ok((component.licenses as unknown[]).length > 0, String(component.name));
  }
  const expected = [
    ...installed.map(([path, { version }]) => `${path}@${version}`),
    ...Object.keys(pins.grammars).map((name) => `grammar:${name}`),
    ...Object.keys(pins.models).map((name) => `model:${name}`),
  ];
  assert.deepEqual([...refs].sort(), expected.sort());
});

test('the provenance names the lockfile and every file of the build, with their sums', () => {
  const { subject, predicate } = json('dist/provenance.json');
  const { resolvedDependencies } = predicate.buildDefinition;
  const lockfile = resolvedDependencies.find(({ name }: { name: string }) => name === 'package-lock.json');
  assert.equal(lockfile.digest.sha256, sha256(join(root, 'package-lock.json')));
  // Bytecode caches (bin/load-cached.js) are made when the program runs, not by the build.
  const files = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'provenance.json' && !/\.cache(?:\.\d+)?$/.test(entry.name),
  );
  assert.equal(subject.length, files.length);
  for (const { name, digest } of subject) assert.equal(sha256(join(root, 'dist', name)), digest.sha256, name);
});

test('no package of an installation needs a script: what has one comes prebuilt', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  // Each of these looks for its prebuilt binary first; test:package installs without scripts and uses them all.
  assert.deepEqual(scripted, ['node_modules/@parcel/watcher', 'node_modules/@photostructure/sqlite']);
  assert.equal(json('package.json').scripts.postinstall, undefined);
  assert.equal(json('package.json').scripts.install, undefined);
});
