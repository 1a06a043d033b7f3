import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingDependencies } from './page/graph/closing-dependencies.ts';
import { layoutMap } from './page/graph/map-layout.ts';

const tie = (from: string, to: string, count = 1) => ({ from, to, count, path: 'x.ts', line: 1 });
const told = (ties: Iterable<{ from: string; to: string }>) => [...ties].map(({ from, to }) => `${from} ${to}`);

test('the lightest dependency against the order closes a cycle, however the map lists them', () => {
  const ties = [tie('app', 'core', 30), tie('core', 'util', 20), tie('util', 'app', 1), tie('app', 'util', 5)];
  const names = ['app', 'core', 'util'];
  assert.deepEqual(told(closingDependencies(ties, [names])), ['util app']);
  assert.deepEqual(told(closingDependencies([...ties].reverse(), [[...names].reverse()])), ['util app']);
  assert.deepEqual(told(closingDependencies(ties, [])), []);
});

test('without closing dependencies, modules that all depend on each other are ordered one way', () => {
  const names = Array.from({ length: 40 }, (_, i) => `m${i}`);
  const ties = names.flatMap((from, i) =>
    names.flatMap((to, j) => ((i * 7 + j * 13) % 5 < 2 ? [tie(from, to, 1 + ((i * j) % 9))] : [])),
  );
  const closing = closingDependencies(ties, [names]);
  const onward = ties.filter((each) => each.from !== each.to && !closing.has(each));
  const left = new Set(names);
  for (;;) {
    const free = [...left].filter((name) => !onward.some(({ from, to }) => to === name && left.has(from)));
    if (free.length === 0) break;
    for (const name of free) left.delete(name);
  }
  assert.equal(left.size, 0);
  assert.ok(closing.size < onward.length);
});

test('a cycle that the map does not list is drawn, too', () => {
  const module = (name: string) => ({ name, files: 1, lines: 10, rank: 0.5, topFile: `${name}.ts`, folder: name });
  const layout = layoutMap({
    title: 'shop',
    modules: [module('a'), module('b')],
    moreModules: 0,
    dependencies: [tie('a', 'b'), tie('b', 'a'), tie('a', 'a')],
    cycles: [],
    entryPoints: [],
    centralFiles: [],
    partial: false,
  });
  assert.equal(layout.modules.length, 2);
});
