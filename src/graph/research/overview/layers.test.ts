import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../../test/workspace.ts';
import { findLayers } from './layers.ts';

const dependency = (text: string, count = 1) => {
  const [from, to] = text.split(' ') as [string, string];
  return { from, to, count };
};

test('a layer is above all layers that it depends on', () => {
  const dependencies = [
    dependency('app web'),
    dependency('web model'),
    dependency('app model'),
    dependency('web store'),
    dependency('store model'),
  ];
  assert.deepEqual(findLayers(dependencies), [['app'], ['web'], ['store'], ['model']]);
});

test('of two modules that depend on each other, the one with more references is above', () => {
  assert.deepEqual(findLayers([dependency('web model', 9), dependency('model web', 2)]), [['web'], ['model']]);
});

test('a cycle of several modules is one layer', () => {
  assert.deepEqual(
    findLayers([dependency('a b'), dependency('b c'), dependency('c a'), dependency('c base'), dependency('top a')]),
    [['top'], ['a', 'b', 'c'], ['base']],
  );
});

const overview = async (files: Readonly<Record<string, string>>) => {
  const space = workspace(files);
  try {
    await space.engine.index(space.root);
    return (await space.engine.research(space.root, { query: 'architecture overview' })).summary;
  } finally {
    await space.close();
  }
};

test('an overview names the layers', async () => {
  const summary = await overview({
    'packages/app/package.json': '{ "name": "@shop/app", "main": "app.ts" }\n',
    'packages/app/app.ts': "import { serve } from '@shop/web';\nexport const run = () => serve();\n",
    'packages/web/package.json': '{ "name": "@shop/web", "main": "web.ts" }\n',
    'packages/web/web.ts': "import { open } from '@shop/store';\nexport const serve = () => open();\n",
    'packages/store/package.json': '{ "name": "@shop/store", "main": "store.ts" }\n',
    'packages/store/store.ts': 'export const open = () => 1;\n',
  });
  assert.match(
    summary,
    /\nLayers, .*:\n- \S*app, shown at packages\/app\/app\.ts:1\n- \S*web, shown at .*\n- \S*store, used at .*web\.ts:1\n/,
  );
});

test('an overview names the calls of main whose callees make most calls', async () => {
  const summary = await overview({
    'go.mod': 'module example.com/shop\n',
    'cmd/shop/main.go':
      'package main\n\nimport (\n\t"example.com/shop/web"\n\t"example.com/shop/store"\n)\n\nfunc main() {\n' +
      '\tbanner()\n\ts := store.Open()\n\tweb.Serve(s)\n}\n\nfunc banner() {}\n',
    'web/web.go':
      'package web\n\nimport "example.com/shop/store"\n\nfunc Serve(s *store.Store) {\n\troute()\n\ts.Get()\n}\n\n' +
      'func route() {}\n',
    'store/store.go':
      'package store\n\ntype Store struct{}\n\nfunc Open() *Store {\n\treturn load()\n}\n\n' +
      'func load() *Store { return nil }\n\nfunc (s *Store) Get() {}\n',
  });
  assert.match(
    summary,
    /- main \(cmd\/shop\/main\.go:8\) calls Open \(cmd\/shop\/main\.go:10\), Serve \(cmd\/shop\/main\.go:11\)\n/,
  );
});
