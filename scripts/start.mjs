// `npm start [-- PATH] [FLAGS]`: installs and builds what is missing, then `sextant serve PATH`: indexes it, serves MCP over HTTP on
// loopback, prints the lines that connect an agent, and stays until Ctrl-C. PATH is taken from the folder in which npm was called.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

const from = process.env.INIT_CWD || process.cwd();
const words = process.argv.slice(2);
// Told before a minute is spent on installing and building. Behind flags it is told afterwards, by the command that knows them.
const path = words[0]?.startsWith('-') ? undefined : words[0] || '.';
if (path !== undefined && !isFolder(resolve(from, path))) {
  console.error(`error: There is no folder ${JSON.stringify(resolve(from, path))}.`);
  console.error('fix:   Pass the folder that holds the project: npm start -- PATH');
  process.exit(2);
}

console.log('Sextant: making ready, then indexing the project and serving it to agents on this machine.');
await prepare((line) => console.log(line));
// In this process, so that Ctrl-C, the terminal's width and the exit code are the command's own.
process.chdir(from);
process.argv.splice(2, process.argv.length, 'serve', ...words);
await import(pathToFileURL(resolve(root, 'dist/main.js')).href);

function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
