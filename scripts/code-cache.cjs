// `node scripts/code-cache.cjs DIST COMMAND…`: runs a command of the program in DIST and keeps the code that V8 compiled for it in
// DIST/NAME.cache. bin/sextant starts with it.
'use strict';
const { writeFileSync } = require('node:fs');
const { loadCommand } = require('../bin/load-command.js');

const [dist] = process.argv.splice(2, 1);
const { script, cache, run } = loadCommand(dist, process.argv);
// Code is kept together with V8's settings, and taken back only under the same ones: those that a command makes for itself come later.
require('node:v8').setFlagsFromString = () => {};
process.on('exit', (code) => {
  if (code !== 0) return;
  writeFileSync(cache, script.createCachedData());
});
run();
