// Loads dist/command.cjs with the compiled code that the build kept for it. CommonJS (see package.json beside it).
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** Parts of Node that a search has no use for, loaded by whoever has: some milliseconds. */
const LATER = new Set(['node:crypto', 'node:fs/promises', 'node:stream/promises', 'node:timers/promises', 'node:readline']);

function lazily(require) {
  return (name) => (LATER.has(name) ? new Proxy({}, { get: (_, key) => require(name)[key] }) : require(name));
}

/** What a search runs and what an index runs are kept apart: neither waits for the other's. */
const cacheFor = (argv) => (argv.includes('search') ? 'search.cache' : 'index.cache');

/** A script in one file, with the code that was kept for it. */
function loadKept(filename, cache) {
  // The file is ASCII: read as such it takes half the time and memory.
  const source = readFileSync(filename, 'latin1');
  let cachedData;
  try {
    cachedData = readFileSync(cache);
  } catch {
    // Not kept yet: V8 compiles what it runs.
  }
  return new Script(source, { filename, cachedData });
}

/**
 * New objects soon get all the room they need, and nothing is collected ahead of time: a command ends before it would have to be, and what it
 * collected in small steps, and then in one large one, was a tenth of its time. Compiled code is taken back only under the settings it was kept
 * under (AS_A_WORKER in src/indexing/worker-pool.ts).
 */
const SETTINGS = ['--semi-space-growth-factor=8', '--no-minor-gc-task', '--no-incremental-marking'];

function loadCommand(dist, argv) {
  for (const flag of SETTINGS) setFlagsFromString(flag);
  const filename = join(dist, 'command.cjs');
  const cache = join(dist, cacheFor(argv));
  const script = loadKept(filename, cache);
  return { script, cache, run: () => script.runInThisContext()(lazily(createRequire(filename)), filename, dist) };
}

module.exports = { loadCommand, loadKept, SETTINGS };
