// Prepares a fresh clone: installs packages and builds. Used by `npm start`, `npm test`, `npm pack` and bin/sextant.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** Whether node_modules was installed from the current lockfile. */
function installed() {
  const marker = join(root, 'node_modules/.package-lock.json');
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

export async function prepare(say) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 15)) {
    giveUp(
      `Sextant needs Node 20.15 or newer; this is ${process.version}.`,
      'Install a newer Node and run the command again.',
    );
  }
  if (!installed()) {
    if (!isWritable(root)) giveUp(`Packages cannot be installed: ${root} may not be written.`, AS_OWNER);
    say('Installing packages (npm ci) …');
    // All packages are prebuilt, so scripts are off. Set here and not in .npmrc, where it would keep `npm pack` from
    // running the build.
    const status = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) {
      giveUp(
        'npm ci failed; the lines above say why.',
        'Check the network and the npm registry setting, then run the command again.',
      );
    }
  }
  const started = Date.now();
  try {
    const { buildIfStale } = await import('./build.mjs');
    const isBuilt = await buildIfStale((step) => say(`Building: ${step} …`));
    if (isBuilt) say(`Built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  } catch (error) {
    const fix = isWritable(root) ? `Run \`npm ci\` and \`npm run build\` in ${root}.` : AS_OWNER;
    giveUp(`Sextant could not be built: ${error.message}`, fix);
  }
}

const AS_OWNER = `Run the command once as the owner of ${root}, or clone it into a folder of your own.`;

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function giveUp(message, fix) {
  console.error(`error: ${message}\nfix:   ${fix}`);
  process.exit(1);
}

// Called directly before `npm pack`, which uses standard output itself.
if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare((line) => console.error(line));
