// `node --import ./scripts/typescript.mjs FILE.ts`: runs TypeScript sources on every supported Node. What esbuild makes
// of a file is kept in node_modules/.cache, so that each of the many test processes starts in half the time.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = nodeModule.createRequire(import.meta.url);
const { version } = require('esbuild/package.json');
const cache = join(root, 'node_modules/.cache/typescript');
const options = {
  format: 'esm',
  target: 'node20.15',
  sourcemap: 'inline',
  sourcesContent: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

function isTypeScript(url) {
  return /^file:.*\.tsx?$/.test(url) && !url.includes('/node_modules/');
}

/** The file as JavaScript: from the cache, or compiled now. */
function compile(url) {
  const path = fileURLToPath(url);
  const text = readFileSync(path, 'utf8');
  const kept = join(
    cache,
    createHash('sha1')
      .update(`${version}\0${JSON.stringify(options)}\0${path}\0${text}`)
      .digest('hex'),
  );
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const loader = path.endsWith('x') ? 'tsx' : 'ts';
    const { code } = require('esbuild').transformSync(text, { ...options, loader, sourcefile: path });
    mkdirSync(cache, { recursive: true });
    // Renamed into place, because other processes read the cache meanwhile.
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, kept);
    return code;
  }
}

const compiled = (url) => ({ format: 'module', source: compile(url), shortCircuit: true });

/** jsonc-parser's modules are written for bundlers: they import one another without `.js`. */
function withExtension(specifier, { parentURL = '' }) {
  const isBare = parentURL.includes('/jsonc-parser/') && /^\.\.?\/.*\/?[^./]+$/.test(specifier);
  return isBare ? `${specifier}.js` : specifier;
}

/** `resolve` and `load` are for `module.register`, which runs hooks in a thread of their own. */
export async function resolve(specifier, context, next) {
  return next(withExtension(specifier, context), context);
}

export async function load(url, context, next) {
  return isTypeScript(url) ? compiled(url) : next(url, context);
}

if (isMainThread) {
  process.setSourceMapsEnabled(true);
  if (nodeModule.registerHooks)
    nodeModule.registerHooks({
      resolve: (specifier, context, next) => next(withExtension(specifier, context), context),
      load: (url, context, next) => (isTypeScript(url) ? compiled(url) : next(url, context)),
    });
  else nodeModule.register(import.meta.url);
}
