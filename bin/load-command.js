// Loads dist/command.cjs with the compiled code that the build kept for it. CommonJS (see package.json beside it).
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

function loadCommand(dist) {
  const filename = join(dist, 'command.cjs');
  // The file is ASCII: read as such it takes half the time and memory.
  const source = readFileSync(filename, 'latin1');
  let cachedData;
  try {
    cachedData = readFileSync(join(dist, 'command.cache'));
  } catch {
    // Not kept yet: V8 compiles what it runs.
  }
  const script = new Script(source, { filename, cachedData });
  return { script, run: () => script.runInThisContext()(createRequire(filename), filename) };
}

module.exports = { loadCommand };
