// Runs a one-file program of dist/ with the bytecode that V8 made of it in an earlier run. CommonJS (see package.json
// beside it).
'use strict';
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

/**
 * Compiling from source takes a third of a cold search (Node 20). The cache lies beside the program, so a user who can
 * change it can change the program too. Its name has the V8 build with its flags, and the program's time and size: V8
 * itself compares no more than the length.
 */
function loadCached(filename, use) {
  const { mtimeMs, size } = statSync(filename);
  const fit = [cachedDataVersionTag(), Math.round(mtimeMs), size].map((n) => n.toString(36)).join('-');
  const cache = `${filename.replace(/\.cjs$/, '')}-${use}-${fit}.cache`;
  const cachedData = readIfThere(cache);
  // The program is ASCII: reading it as such takes half the time and memory.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
  if (!cachedData || script.cachedDataRejected) process.once('exit', (code) => code === 0 && save(cache, script));
  return script.runInThisContext()(createRequire(filename), filename, dirname(filename));
}

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Written aside and renamed, so that nobody reads half of it. A folder that may not be written to goes without. */
function save(cache, script) {
  try {
    const draft = `${cache}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, cache);
  } catch {
    // The next run compiles again.
  }
}

module.exports = { loadCached };
