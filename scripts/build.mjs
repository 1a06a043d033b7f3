// Builds dist/: the bundled entries, the grammars and query files they load, the page. `node scripts/build.mjs
// [--if-stale]`

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop, transform } from 'esbuild';
import { hashExtractor } from './extractor-version.mjs';
import { compileQueries, copyGrammars } from './grammars.mjs';
import { EXTERNAL, importSource, root } from './import-source.mjs';
import { compileKernels } from './kernels.mjs';
import { writeManifests } from './manifests.mjs';
import { checkModels, copyLicences, readPins, sha256, writeProvenance, writeSbom } from './supply-chain.mjs';

const require = createRequire(import.meta.url);

const entries = { main: 'src/main.ts', api: 'src/package-entry.ts' };

/** Modules that only servers load. */
const SERVING = /^\.\/(?:contracts|web|fleet|transports)\/index\.ts$|^\.\/(?:compose-servers|cli\/running\/log)\.ts$/;

/**
 * Builds the program for short commands as one function in one file: bin/load-cached.js caches its bytecode, which Node
 * 20 cannot do for modules, and one file loads faster than twenty. Each chunk of the bundle is a function of its own,
 * so that a search does not compile or run the code of other commands.
 */
async function buildCommand(dist, define) {
  const { outputFiles } = await build({
    ...oneFile(define),
    entryPoints: [join(root, 'src/main.ts')],
    outdir: dist,
    write: false,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
  });
  const chunks = outputFiles.map(async ({ path, text }) => {
    const { code } = await transform(text, { ...CLASSIC, format: 'cjs' });
    return `${JSON.stringify(`./${basename(path)}`)}(module,exports,require){${code}}`;
  });
  const body = `const chunks={${(await Promise.all(chunks)).join(',\n')}};${LOAD_CHUNKS}`;
  await writeFile(join(dist, 'command.cjs'), toAscii(`${OPENING}${body}${CLOSING}`));
}

/**
 * Escapes non-ASCII characters, because bin/load-cached.js reads bytes as characters. esbuild escapes strings but not
 * regular expressions, where an escape means the same.
 */
function toAscii(program) {
  return program.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A chunk runs when another one first requires it, and again after a failure; other names are packages or parts of
 * Node. `node:fs/promises` loads the code that reads lines from a terminal: many commands import it and few use it, so
 * it is loaded at the first use.
 */
const LOAD_CHUNKS =
  "const LATE='node:fs/promises',late=new Proxy({},{get:(_,key)=>require(LATE)[key]})," +
  'loaded=new Map,load=name=>{' +
  'if(!Object.hasOwn(chunks,name))return name===LATE?late:require(name);' +
  'let module=loaded.get(name);' +
  'if(!module){loaded.set(name,module={exports:{}});' +
  'try{chunks[name](module,module.exports,load)}catch(error){loaded.delete(name);throw error}}' +
  "return module.exports};load('./main.js')";

/** Builds the worker process as one function in one file. */
async function buildWorker(dist, define) {
  const { outputFiles } = await build({
    ...oneFile(define),
    entryPoints: [join(root, 'src/indexing/workers/worker.ts')],
    outfile: join(dist, 'parser.cjs'),
    write: false,
    format: 'cjs',
    banner: { js: OPENING },
    footer: { js: CLOSING },
  });
  await writeFile(join(dist, 'parser.cjs'), toAscii(outputFiles[0].text));
  const start =
    "require('../bin/load-cached.js').loadCached(require('node:path').join(__dirname, 'parser.cjs'), 'worker');\n";
  await writeFile(join(dist, 'worker.cjs'), `'use strict';\n${start}`);
}

/** vm.Script runs no modules: import() becomes require(). */
const CLASSIC = {
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
  // Minified: a third less to load. --verbose uses main.js, which keeps names in stack traces.
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

// Uses the global `performance`: importing it loads the whole perf_hooks module.
const OPENING =
  '(function(require,__filename,__dirname){' +
  "const __url=require('node:url').pathToFileURL(__filename).href," +
  'performance={now(){const[s,n]=process.hrtime();return s*1e3+n/1e6}};';
const CLOSING = '})';

const oneFile = (define) => ({
  ...CLASSIC,
  bundle: true,
  external: EXTERNAL.filter((name) => name !== SQLITE && name !== PARSER),
  plugins: [{ name: 'command', setup: bundleForCommands }],
  define: { ...define, 'import.meta.url': '__url' },
});

const SQLITE = '@photostructure/sqlite';
const PARSER = 'web-tree-sitter';

/**
 * Bundles the JavaScript of the SQLite driver and the parser, so that its bytecode is cached, too; the native part is
 * loaded from its installed location.
 */
function bundleForCommands(bundling) {
  const driver = require.resolve(SQLITE);
  bundling.onResolve({ filter: SERVING }, ({ path }) => ({ path, external: true }));
  bundling.onResolve({ filter: new RegExp(`^${SQLITE}$`) }, () => ({ path: driver }));
  bundling.onResolve({ filter: new RegExp(`^${PARSER}$`) }, () => ({ path: require.resolve(PARSER) }));
  bundling.onLoad({ filter: /sqlite[\\/]dist[\\/]index\.cjs$/ }, async ({ path }) => {
    const near = `path.join(path.dirname(__filename), '../node_modules/${SQLITE}/dist')`;
    const found = `path.dirname(require('node:module').createRequire(__filename).resolve('${SQLITE}'))`;
    const folder = `((path) => require('node:fs').existsSync(${near}) ? ${near} : ${found})(require('node:path'))`;
    return { contents: `const __dirname = ${folder};\n${await readFile(path, 'utf8')}` };
  });
}

/** Writes the checksums of the model's files, which the doctor checks. */
async function recordModel() {
  const folder = join(root, 'models');
  const sums = {};
  for (const name of (await readdir(folder)).sort())
    if (!['README.md', 'sha256.json'].includes(name)) sums[name] = sha256(await readFile(join(folder, name)));
  await writeFile(join(folder, 'sha256.json'), `${JSON.stringify(sums, null, 2)}\n`);
}

/** Builds a page in one file: script and style are inserted into its markup. */
async function buildPage(scriptFile, styleFile) {
  const folder = join(root, 'src/web/page');
  const options = { bundle: true, write: false, minify: true, legalComments: 'none', logLevel: 'warning' };
  const bundle = async (entry, more) =>
    (await build({ ...options, ...more, entryPoints: [join(folder, entry)] })).outputFiles[0].text.trim();
  const style = await bundle(styleFile, { loader: { '.woff2': 'dataurl' } });
  const script = await bundle(scriptFile, {
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  return html
    .replace('/* style */', () => style)
    .replace('/* script */', () => script.replace(/<\/script/gi, '<\\/script'));
}

/** Removes folders of interrupted builds (Ctrl-C), but not those of running builds. */
export async function removeLeftovers(folder) {
  for (const name of await readdir(folder)) {
    const builder = /^dist\.(?:building|old)-(\d+)$/.exec(name)?.[1];
    if (builder && !isRunning(Number(builder))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Builds everything; calls `say` before each step. */
async function buildAll(say = () => {}) {
  await removeLeftovers(root);
  const pins = await readPins();
  await checkModels(pins);
  // Built in a temporary folder and renamed, so that a program that runs from dist/ meanwhile never sees a partial
  // build.
  const dist = join(root, `dist.building-${process.pid}`);
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  say('grammars and kernels');
  await copyGrammars(dist);
  const define = { ...(await compileKernels(dist)), EXTRACTOR_HASH: JSON.stringify(await hashExtractor(dist)) };
  say('program');
  const present = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file))));
  await build({
    entryPoints: Object.fromEntries(Object.entries(present).map(([name, file]) => [name, join(root, file)])),
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    chunkNames: 'chunks/[name]-[hash]',
    define,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: {
      js:
        "import { createRequire as __createRequire } from 'node:module'; const require = " +
        '__createRequire(import.meta.url);',
    },
    logLevel: 'warning',
  });
  await copyFile(join(root, 'src/public-api.d.ts'), join(dist, 'api.d.ts'));
  await buildCommand(dist, define);
  await buildWorker(dist, define);
  say('queries of the languages');
  await compileQueries(dist);
  say('page');
  await writeFile(join(dist, 'page.html'), await buildPage('main.tsx', 'style/page.css'));
  await writeFile(join(dist, 'answers.html'), await buildPage('inside/show-answer.tsx', 'style/inside.css'));
  (await importSource('src/embed/static/word-table.ts', dist)).writeWordTable(join(root, 'models'));
  say('licences and bill of materials');
  await recordModel();
  await copyLicences(dist);
  await writeSbom(dist, pins);
  await writeManifests(join(dist, 'manifests'));
  await writeFile(join(dist, 'built.json'), JSON.stringify({ sources: await newestSource() }));
  await writeProvenance(dist, pins);
  const old = join(root, `dist.old-${process.pid}`);
  await rename(join(root, 'dist'), old).catch(() => undefined);
  await rename(dist, join(root, 'dist'));
  await rm(old, { recursive: true, force: true });
  // Stops esbuild's process, which would otherwise run as long as `npm start`.
  await stop();
}

/**
 * The newest modification time of everything that dist/ is built from, packages and build scripts included, to tell
 * whether dist/ is outdated.
 */
export async function newestSource(folder = root) {
  const lists = ['package.json', 'package-lock.json'].map((name) => stat(join(folder, name)));
  let newest = Math.max(...(await Promise.all(lists)).map(({ mtimeMs }) => mtimeMs));
  const visit = async (below) => {
    for (const entry of await readdir(below, { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (entry.isDirectory()) await visit(path);
      else newest = Math.max(newest, (await stat(path)).mtimeMs);
    }
  };
  for (const name of ['src', 'models', 'scripts', 'supply-chain']) await visit(join(folder, name));
  return newest;
}

export async function buildIfStale(say) {
  const marker = join(root, 'dist/built.json');
  const whole = existsSync(marker) && existsSync(join(root, 'dist/command.cjs'));
  if (whole && JSON.parse(await readFile(marker, 'utf8')).sources >= (await newestSource())) return false;
  await buildAll(say);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = Date.now();
  const say = (step) => console.log(`${step} …`);
  const isAsked = !process.argv.includes('--if-stale');
  if (isAsked) await buildAll(say);
  const isBuilt = isAsked || (await buildIfStale(say));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(isBuilt ? `Built dist/ in ${seconds} s.` : 'dist/ is up to date.');
}
