import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readManifest } from './manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-manifest-'));
after(() => rmSync(folder, { recursive: true }));

const CASES: readonly [file: string, text: string, name: string, version: string][] = [
  ['go.mod', 'module github.com/dev/project\n\ngo 1.21\n', 'github.com/dev/project', 'go 1.21'],
  ['package.json', '{\n  "name": "@acme/shop",\n  "engines": { "node": ">=20" }\n}\n', '@acme/shop', 'node >=20'],
  [
    'Cargo.toml',
    '[workspace]\nmembers = []\n\n[package]\nname = "tokio"\nrust-version = "1.70"\n',
    'tokio',
    'rust 1.70',
  ],
  ['pyproject.toml', '[project]\nname = "httpx"\nrequires-python = ">=3.9"\n', 'httpx', 'python >=3.9'],
  ['Package.swift', '// swift-tools-version:5.9\nlet package = Package(\n    name: "vapor",\n', 'vapor', 'swift 5.9'],
  [
    'pom.xml',
    '<project><parent><artifactId>boss</artifactId></parent><artifactId>gson</artifactId><properties><java.version>17</java.version></properties></project>',
    'gson',
    'java 17',
  ],
  ['composer.json', '{"name": "laravel/framework", "require": {"php": "^8.2"}}', 'laravel/framework', 'php ^8.2'],
  ['rails.gemspec', 's.name = "rails"\ns.required_ruby_version = ">= 3.2.0"\n', 'rails', 'ruby >= 3.2.0'],
  ['mix.exs', 'app: :ecto,\nelixir: "~> 1.14",\n', 'ecto', 'elixir ~> 1.14'],
  [
    'App.csproj',
    '<Project><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>',
    'App',
    'dotnet net8.0',
  ],
  ['notes.txt', 'name: nothing', 'notes.txt-project', ''],
];

for (const [file, text, name, version] of CASES)
  test(`${file} names the project ${name}`, async () => {
    const root = join(folder, `${file}-project`);
    mkdirSync(root);
    writeFileSync(join(root, file), text);
    assert.deepEqual(await readManifest(root), { name, version });
  });

test('a broken manifest leaves the folder name', async () => {
  const root = join(folder, 'broken');
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), '{');
  assert.deepEqual(await readManifest(root), { name: 'broken', version: '' });
});
