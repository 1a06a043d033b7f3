// `npm start -- PATH [FLAGS]`: installs and builds what is missing, then `sextant serve PATH`: indexes it, serves MCP
// over HTTP on loopback, prints the lines that connect an agent, and stays until Ctrl-C. PATH is taken from the folder
// in which npm was called.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

const from = process.env.INIT_CWD || process.cwd();
const words = process.argv.slice(2);
// npm runs in the clone, so the current folder would be Sextant itself, which no user means.
if (!namesFolder(words)) words.unshift(await askForFolder());
// Checked before a minute of installing and building. A path after flags is checked by the command later, since the
// command knows its flags.
const path = words[0].startsWith('-') ? undefined : words[0];
if (path !== undefined && !isFolder(resolve(from, path))) {
  giveUp(`There is no folder ${JSON.stringify(resolve(from, path))}.`);
}

console.log('Sextant: making ready, then indexing the project and serving it to agents on this machine.');
await prepare((line) => console.log(line));
// Runs in this process, so that Ctrl-C, the terminal's width and the exit code are the command's own.
process.chdir(from);
process.argv.splice(2, process.argv.length, 'serve', ...words);
await import(pathToFileURL(resolve(root, 'dist/main.js')).href);

/**
 * Whether the arguments name a folder: the first word does unless it is a flag; after flags, whose values are unknown
 * here, only an existing folder counts.
 */
function namesFolder([first, ...rest]) {
  if (first === undefined) return false;
  if (!first.startsWith('-')) return true;
  return [first, ...rest].some((word) =>
    word.startsWith('-') ? /^(?:--workspace=|--help$|-h$)/.test(word) : isFolder(resolve(from, word)),
  );
}

async function askForFolder() {
  if (!process.stdin.isTTY) giveUp('Which project? No folder was named.');
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise((done) => reader.once('close', () => done('')));
    const answer = (await Promise.race([reader.question('Folder of the project to index: '), closed])).trim();
    if (answer === '') giveUp('Which project? No folder was named.');
    return answer.replace(/^~(?=$|[\\/])/, homedir());
  } finally {
    reader.close();
  }
}

function giveUp(message) {
  console.error(`error: ${message}`);
  console.error('fix:   Pass the folder that holds the project: npm start -- PATH');
  process.exit(2);
}

function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
