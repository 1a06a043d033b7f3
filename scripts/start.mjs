// `npm start [-- PATH] [FLAGS]`: installs and builds what is missing, then `sextant serve PATH`: indexes it, serves MCP over HTTP on
// loopback, prints the lines that connect an agent, and stays until Ctrl-C. PATH is taken from the folder in which npm was called.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

const from = process.env.INIT_CWD || process.cwd();
const words = process.argv.slice(2);
const path = words[0] !== undefined && !words[0].startsWith('-') ? words.shift() : '.';
const target = resolve(from, path);

console.log(`Sextant: making ready, indexing ${JSON.stringify(target)}, then serving it to agents on this machine.`);
await prepare((line) => console.log(line));
// In this process, so that Ctrl-C, the terminal's width and the exit code are the command's own.
process.chdir(from);
process.argv.splice(2, process.argv.length, 'serve', target, ...words);
await import(pathToFileURL(resolve(root, 'dist/main.js')).href);
