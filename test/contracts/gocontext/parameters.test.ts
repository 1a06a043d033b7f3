/** gocontext: parameters and paths that are refused. */
import assert from 'node:assert/strict';
import { join, parse } from 'node:path';
import { before, test } from 'node:test';
import { type Arguments, box, call, refused } from './setup.ts';

before(async () => {
  await call('index_codebase', { path: box.project });
});

test('wrong parameters: -32602 with the parameter and the reason (GC-11, GC-13, GC-19, GC-20, GC-36, GC-52)', async () => {
  const wrong: [string, Arguments, string][] = [
    ['index_codebase', {}, 'path'],
    ['index_codebase', { path: 5 }, 'path'],
    ['index_codebase', { path: 'shop' }, 'path'],
    ['index_codebase', { path: box.project, force_reindex: 'yes' }, 'force_reindex'],
    ['index_codebase', { path: parse(box.project).root }, 'path'],
    ['search_code', { path: box.project, query: 'x', filters: { symbol_type: ['struct'] } }, 'filters'],
    ['search_code', { path: box.project }, 'query'],
    ['search_code', { query: 'x' }, 'path'],
    ['search_code', { path: './shop', query: 'x' }, 'path'],
    ['search_code', { path: box.project, query: 'x'.repeat(1001) }, 'query'],
    ['search_code', { path: box.project, query: 'x', limit: 0 }, 'limit'],
    ['search_code', { path: box.project, query: 'x', limit: 101 }, 'limit'],
    ['search_code', { path: box.project, query: 'x', limit: 1.5 }, 'limit'],
    ['search_code', { path: box.project, query: 'x', limit: '10' }, 'limit'],
    ['search_code', { path: box.project, query: 'x', search_mode: 'fuzzy' }, 'search_mode'],
    ['search_code', { path: box.project, query: 'x', filters: { symbol_types: ['gadget'] } }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: { ddd_patterns: ['factory'] } }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: { min_relevance: 2 } }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: 'auth' }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: [] }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: { file_pattern: '[' } }, 'filters.file_pattern'],
    ['search_code', { path: box.project, query: 'x', filters: { file_pattern: 'a{b' } }, 'filters.file_pattern'],
    ['get_status', {}, 'path'],
    ['get_status', { path: 'relative' }, 'path'],
    ['get_status', { path: `${box.project}\0` }, 'path'],
  ];
  for (const [name, args, param] of wrong)
    assert.equal((await refused(name, args, -32602, 'Invalid params')).param, param, JSON.stringify(args));
  // A thousand characters, however many units of a string they take.
  await call('search_code', { path: box.project, query: '😀'.repeat(1000) });
});

test('paths that are not there, no folder, or nothing to index (GC-12, GC-14, GC-15)', async () => {
  const missing = join(box.folder, 'nowhere');
  for (const [name, more] of [
    ['index_codebase', {}],
    ['search_code', { query: 'x' }],
    ['get_status', {}],
  ] as const) {
    const data = await refused(name, { path: missing, ...more }, -32602, 'Invalid params');
    assert.deepEqual([data.param, data.reason], ['path', 'Path does not exist or is not accessible']);
    const file = await refused(name, { path: join(box.project, 'go.mod'), ...more }, -32602, 'Invalid params');
    assert.equal(file.reason, 'Path is not a directory');
  }
  await refused('index_codebase', { path: join(box.folder, 'empty') }, -32001, 'Project not found');
  box.write('prose/notes.txt', 'Buy milk.\n');
  box.write('prose/README.md', '# Notes\n');
  await refused('index_codebase', { path: join(box.folder, 'prose') }, -32001, 'Project not found');
  assert.equal((await call('get_status', { path: join(box.folder, 'prose') })).indexed, false);
});

test('an empty query is its own error, even for a project that is not indexed (GC-18)', async () => {
  for (const query of ['', '   ', '\n\t'])
    for (const path of [box.project, box.bare]) await refused('search_code', { path, query }, -32004, 'Empty query');
});
