import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { makeTree } from '../temp-tree.fixture.ts';
import { projectManifest } from './manifests.ts';

const CASES: readonly (readonly [string, string, string, string])[] = [
  ['go.mod', 'module github.com/acme/shop/v2 // deprecated\n\ngo 1.22.1\n', 'github.com/acme/shop/v2', 'go 1.22.1'],
  [
    'package.json',
    '{"name":"@acme/shop","engines":{"node":">=20"},"dependencies":{"name":"x"}}',
    '@acme/shop',
    'node >=20',
  ],
  [
    'Cargo.toml',
    '[dependencies]\nname = "no"\n[package] # ours\nname = "shop"\nedition = "2021"\nrust-version = "1.75"\n',
    'shop',
    'rust 1.75',
  ],
  ['Cargo.toml', '[package]\nname = "shop"\nedition = "2021"\n', 'shop', 'rust edition 2021'],
  [
    'pyproject.toml',
    '[build-system]\nrequires = []\n[project]\nname = "shop"\nrequires-python = ">=3.10"\n',
    'shop',
    'python >=3.10',
  ],
  [
    'pyproject.toml',
    '[tool.poetry]\nname = "shop"\n[tool.poetry.dependencies]\npython = "^3.9"\n',
    'shop',
    'python ^3.9',
  ],
  ['setup.cfg', '[metadata]\nname = shop\n[options]\npython_requires = >=3.8\n', 'shop', 'python >=3.8'],
  ['setup.py', 'setup(name="shop", python_requires=">=3.7")', 'shop', 'python >=3.7'],
  [
    'pom.xml',
    '<project><parent><artifactId>up</artifactId></parent><artifactId>shop</artifactId>' +
      '<properties><java.version>17</java.version></properties></project>',
    'shop',
    'java 17',
  ],
  ['settings.gradle.kts', 'rootProject.name = "shop"', 'shop', ''],
  ['composer.json', '{"name":"acme/shop","require":{"php":"^8.2"}}', 'acme/shop', 'php ^8.2'],
  ['shop.gemspec', 's.name = "shop"\ns.required_ruby_version = ">= 3.1"', 'shop', 'ruby >= 3.1'],
  ['Package.swift', '// swift-tools-version:5.9\nlet package = Package(\n  name: "Shop",', 'Shop', 'swift 5.9'],
  ['mix.exs', 'def project do [app: :shop, elixir: "~> 1.15"] end', 'shop', 'elixir ~> 1.15'],
  ['pubspec.yaml', 'name: shop\nenvironment:\n  sdk: ">=3.0.0 <4.0.0"\n', 'shop', 'dart >=3.0.0 <4.0.0'],
  ['Shop.csproj', '<Project><TargetFramework>net8.0</TargetFramework></Project>', 'Shop', 'dotnet net8.0'],
  ['shop.cabal', 'cabal-version: 2.4\nname: shop\n', 'shop', 'cabal 2.4'],
  ['build.zig.zon', '.{ .name = .shop, .minimum_zig_version = "0.14.0" }', 'shop', 'zig 0.14.0'],
];

for (const [file, text, moduleName, languageVersion] of CASES)
  test(`${file} declares ${languageVersion || 'no language version'}`, (t) => {
    const { root } = makeTree(t, { [file]: text });
    assert.deepEqual(projectManifest(root), { moduleName, languageVersion });
  });

test('the first manifest with a name names the project; without any, the folder does', (t) => {
  const several = makeTree(t, {
    'package.json': '{"private":true}',
    'shop.gemspec': 's.name = "shop"',
    'go.mod': 'no module line',
  });
  assert.equal(projectManifest(several.root).moduleName, 'shop');
  const useless: readonly Record<string, string>[] = [
    {},
    { 'package.json': '{broken' },
    { 'package.json': '[1]' },
    { 'go.mod/x': 'a folder' },
  ];
  for (const files of useless) {
    const { root } = makeTree(t, files);
    assert.deepEqual(projectManifest(root), { moduleName: root.split('/').at(-1), languageVersion: '' });
  }
  assert.equal(projectManifest('/nonexistent/shop').moduleName, 'shop');
});

test('a manifest is read through a link inside the project, and not through one that leads out', (t) => {
  const secret = makeTree(t, { 'package.json': '{"name":"of-the-user"}' });
  const tree = makeTree(t, { 'sub/package.json': '{"name":"shop"}' });
  symlinkSync('sub/package.json', join(tree.root, 'package.json'));
  assert.equal(projectManifest(tree.root).moduleName, 'shop');
  rmSync(join(tree.root, 'package.json'));
  symlinkSync(join(secret.root, 'package.json'), join(tree.root, 'package.json'));
  assert.equal(projectManifest(tree.root).moduleName, basename(tree.root));
});
