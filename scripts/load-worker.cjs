// Starts a worker process: parser.cjs, with the compiled code that the build kept for it. The build copies this file to dist/worker.cjs.
'use strict';
const { join } = require('node:path');
const { loadKept } = require('../bin/load-command.js');

const filename = join(__dirname, 'parser.cjs');
const cache = join(__dirname, 'parser.cache');
const script = loadKept(filename, cache);
module.exports = { script, cache };
script.runInThisContext()(require, filename, __dirname);
