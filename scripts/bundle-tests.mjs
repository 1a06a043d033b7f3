// Bundles test files into plain modules with shared chunks. A test of the engine loads some 300 sources: with loader
// hooks that takes 0.8 s of CPU in each of 300 processes, from a bundle 0.2 s.
import { readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { isRunning } from './build.mjs';
import { root } from './import-source.mjs';

const cache = join(root, 'node_modules/.cache');
const FOLDER = /^tests-(\d+)$/;
/** The package's modules import one another without `.js`, which only bundlers understand. */
const NEEDS_BUNDLER = /^jsonc-parser\b/;

/**
 * Bundles the files, given relative to the clone. Returns their modules in order; they are removed when this process
 * ends.
 */
export async function bundleTests(files) {
  removeLeftovers();
  const folder = join(cache, `tests-${process.pid}`);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: files,
    absWorkingDir: root,
    outbase: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    mainFields: ['module', 'main'],
    format: 'esm',
    platform: 'node',
    target: 'node20.15',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: 'linked',
    sourcesContent: false,
    define: { 'import.meta.url': '__sourceUrl', 'import.meta.dirname': '__sourceFolder' },
    plugins: [{ name: 'tests', setup: keepPlaces }],
    logLevel: 'warning',
  });
  await stop();
  return files.map((file) => join(folder, `${file.slice(0, -extname(file).length)}.mjs`));
}

/** Leaves packages outside of the bundle, and lets each source find files relative to its own location in the clone. */
function keepPlaces(bundling) {
  bundling.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || NEEDS_BUNDLER.test(path) ? undefined : { path, external: true },
  );
  bundling.onLoad({ filter: /\.(?:[mc]?js|tsx?)$/ }, async ({ path }) => {
    if (path.includes('node_modules')) return undefined;
    const text = await readFile(path, 'utf8');
    if (!text.includes('import.meta.')) return undefined;
    // Inserted into the first line, so that every line keeps its number.
    const place =
      `const __sourceUrl = ${JSON.stringify(pathToFileURL(path).href)}, ` +
      `__sourceFolder = ${JSON.stringify(dirname(path))};`;
    return { contents: `${place}${text}`, loader: path.endsWith('x') ? 'tsx' : path.endsWith('ts') ? 'ts' : 'js' };
  });
}

/** Removes bundles of killed runs. */
function removeLeftovers() {
  let names = [];
  try {
    names = readdirSync(cache);
  } catch {
    // Nothing was bundled here before.
  }
  for (const name of names) {
    const owner = FOLDER.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) rmSync(join(cache, name), { recursive: true, force: true });
  }
}
