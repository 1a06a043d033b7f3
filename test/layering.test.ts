/** The arrows of docs/architecture.md, re-derived from the import statements. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');

/** Which rooms a room may import (type-only imports of a port count too). */
const ALLOWED: Record<string, readonly string[]> = {
  model: [],
  // The conventions of paths (`paths.ts` of a language) are applied by the walk.
  walk: ['model', 'languages'],
  languages: ['model'],
  chunk: ['model'],
  embed: ['model'],
  store: ['model'],
  indexing: ['model', 'walk', 'languages', 'chunk', 'embed', 'store'],
  search: ['model', 'walk', 'languages', 'chunk', 'embed', 'store'],
  graph: ['model', 'walk', 'languages', 'chunk', 'embed', 'store'],
  memory: ['model', 'walk', 'languages', 'chunk', 'embed', 'store'],
  engine: ['model', 'walk', 'languages', 'chunk', 'embed', 'store', 'indexing', 'search', 'graph', 'memory'],
  fleet: ['model', 'walk', 'languages', 'store', 'indexing', 'search', 'graph', 'engine'],
  contracts: ['model', 'engine'],
  transports: ['model', 'engine', 'contracts'],
  cli: ['model', 'engine', 'contracts', 'fleet'],
  web: ['model', 'engine', 'contracts'],
};

/** Packages that belong to one room. */
const OWNERS: Record<string, readonly string[]> = {
  '@photostructure/sqlite': ['store'],
  'web-tree-sitter': ['languages'],
  '@parcel/watcher': ['indexing'],
  '@vscode/ripgrep': ['walk'],
  'oxc-resolver': ['languages'],
  '@opensearch-project/opensearch': ['fleet'],
  jose: ['fleet'],
};

function sources(): { room: string; file: string; imports: string[]; text: string }[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter(
      (e) =>
        e.isFile() &&
        /\.tsx?$/.test(e.name) &&
        !/\.(?:test|fixture)\.tsx?$/.test(e.name) &&
        !/\bfixture$/.test(e.parentPath ?? e.path),
    )
    .map((e) => {
      const file = join(e.parentPath ?? e.path, e.name);
      const text = readFileSync(file, 'utf8');
      const imports = [...text.matchAll(/(?:from|import\(|\.resolve\()\s*'([^']+)'/g)].map((m) => m[1]!);
      return { room: relative(src, file).split(sep)[0]!, file, imports, text };
    });
}

test('imports point along the arrows', () => {
  const wrong: string[] = [];
  for (const { room, file, imports } of sources()) {
    if (room.endsWith('.ts')) continue;
    for (const target of imports.filter((i) => i.startsWith('.'))) {
      const other = relative(src, normalize(join(dirname(file), target))).split(sep)[0]!;
      if (other !== room && !ALLOWED[room]!.includes(other)) wrong.push(`${relative(src, file)} imports ${other}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('a package that belongs to one room is imported nowhere else', () => {
  const wrong = sources().flatMap(({ room, file, imports }) =>
    imports.filter((i) => OWNERS[i] && !OWNERS[i]!.includes(room)).map((i) => `${relative(src, file)} imports ${i}`),
  );
  assert.deepEqual(wrong, []);
});

test('profiles do not know one another', () => {
  const wrong: string[] = [];
  for (const { room, file, imports } of sources().filter((s) => s.room === 'contracts')) {
    const [, profile] = relative(src, file).split(sep);
    for (const target of imports.filter((i) => i.startsWith('.'))) {
      const [otherRoom, other] = relative(src, normalize(join(dirname(file), target))).split(sep);
      const isProfile = (name?: string) => name && !name.endsWith('.ts') && name !== 'kit';
      if (otherRoom === room && isProfile(profile) && isProfile(other) && other !== profile)
        wrong.push(`${relative(src, file)} imports ${other}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** What git is started with is made of the environment, wherever git is started from. */
const READS_ENVIRONMENT = ['main.ts', 'package-entry.ts', join('walk', 'git', 'process', 'git-settings.ts')];

test('only the composition roots read environment and arguments', () => {
  const wrong = sources()
    .filter(({ file }) => !READS_ENVIRONMENT.includes(relative(src, file)))
    .filter(({ text }) => /process\.(env|argv)\b/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
    .map(({ file }) => relative(src, file));
  assert.deepEqual(wrong, []);
});

test('the embedded path loads nothing of the fleet: others know its types, the composition root loads it on demand', () => {
  const wrong = sources()
    .filter(({ room }) => room !== 'fleet')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^(?:import|export)(?! type\b)[^;]*?from\s+'(\.[^']*)'/gm)]
        .filter(([, target]) => relative(src, normalize(join(dirname(file), target!))).split(sep)[0] === 'fleet')
        .map(([line]) => `${relative(src, file)}: ${line}`),
    );
  assert.deepEqual(wrong, []);
  const naming = sources().filter(({ imports }) => imports.includes('@opensearch-project/opensearch'));
  assert.deepEqual(
    naming.map(({ file }) => relative(src, file)),
    [join('fleet', 'opensearch', 'search-cluster.ts')],
  );
});

/** The modules that loading this one loads, too: values that it imports, and so on. */
function loadedWith(entry: string): string[] {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    const text = readFileSync(join(src, file), 'utf8');
    for (const [, names, target] of text.matchAll(/^(?:import|export) ([^;']*?from )?'(\.[^']+\.ts)'/gm))
      if (!isTypeOnly(names ?? ''))
        loaded.add(
          relative(src, join(src, dirname(file), target!))
            .split(sep)
            .join('/'),
        );
  }
  return [...loaded];
}

/** `type { … } from`, or a list in which each name is a type. */
function isTypeOnly(names: string): boolean {
  const list = /^\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return names.startsWith('type ') || (list?.every((name) => name === '' || name.startsWith('type ')) ?? false);
}

/** A cold search is mostly start-up: each of these costs milliseconds, and the first call that needs it loads it. */
test('the engine of a search starts without memory, graph, parser and recogniser of instructions', () => {
  const loaded = loadedWith('engine/index.ts');
  assert.ok(loaded.includes('search/search.ts'), 'the imports are followed');
  const late =
    /^(?:memory\/(?:index|mining\/)|graph\/|languages\/(?:index|runtime\/grammar\/)|model\/untrusted\/instruction)/;
  assert.deepEqual(
    loaded.filter((file) => late.test(file)),
    [],
  );
});
