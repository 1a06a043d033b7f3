// Runs a one-file program of dist/ with the bytecode that V8 compiled in an earlier run. CommonJS (see package.json
// beside it).
'use strict';
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

/**
 * Compiling from source takes a third of a cold search (Node 20). The cache is beside the program, so a user who can
 * change it can also change the program. Its name contains the V8 version and flags, and the program's time and size,
 * because V8 itself compares only the length.
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

/**
 * Written to a temporary file and renamed, so that no process reads a partial file. In a read-only folder there is no
 * cache.
 */
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
