// Starts a worker process: parser.cjs, with the compiled code that the build kept for it. The build copies this file to dist/worker.cjs.
'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'parser.cjs');
const cache = join(__dirname, 'parser.cache');
// The file is ASCII: read as such it takes half the time and memory.
const source = readFileSync(filename, 'latin1');
let cachedData;
try {
  cachedData = readFileSync(cache);
} catch {
  // Not kept yet: V8 compiles what it runs.
}
const script = new Script(source, { filename, cachedData });
module.exports = { script, cache };
script.runInThisContext()(require, filename, __dirname);
