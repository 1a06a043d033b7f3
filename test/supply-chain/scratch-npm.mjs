// npm in scratch folders: packages that a test needs for a minute and the project does not.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

export const npm = (args, cwd) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const QUIET = ['--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** `isScriptFree`: nothing of the packages runs while they are installed. */
export function installInto(folder, packages, { isScriptFree = true } = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{"private":true}');
  npm(['install', ...(isScriptFree ? ['--ignore-scripts'] : []), ...QUIET, ...packages], folder);
}

export function check(isTrue, what) {
  console.log(`${isTrue ? 'ok' : 'FAILED'}  ${what}`);
  if (!isTrue) process.exitCode = 1;
}
