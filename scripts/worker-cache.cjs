// `scripts/worker-cache.cjs DIST`, started like a worker process: is one, and when it ends keeps the code that V8 compiled for it.
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

// Code is kept together with V8's settings, and taken back only under the same ones: those that a worker makes for itself come later.
require('node:v8').setFlagsFromString = () => {};
const { script, cache } = require(join(process.argv[2], 'worker.cjs'));
process.on('exit', () => writeFileSync(cache, script.createCachedData()));
