// A Chromium that runs here: the one in the npm package, else one of the system. Null where neither does.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium as driver } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
/** Drawing must not hang on the machine: no colour profile, no hinting of its fonts, no animation of its own. */
const SAME_EVERYWHERE = [
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--hide-scrollbars',
];
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export async function launchBrowser() {
  const reasons = [];
  for (const candidate of [fromPackage, fromSystem]) {
    try {
      const browser = await candidate();
      if (browser) return browser;
    } catch (error) {
      reasons.push(String(error.message).split('\n')[0]);
    }
  }
  console.error(`No browser runs here: ${reasons.join('; ') || 'none was found'}`);
  return null;
}

async function fromPackage() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  // It unpacks itself into the folder for temporary files, where another version of it may lie.
  const folder = join(here, 'node_modules/.chromium');
  mkdirSync(folder, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  // Its own arguments run the browser as one process, which ends with the first page that is closed.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless', ...SAME_EVERYWHERE];
  return driver.launch({ executablePath, args, headless: true });
}

async function fromSystem() {
  const executablePath = SYSTEM.find(existsSync);
  if (!executablePath) return null;
  return driver.launch({ executablePath, args: ['--no-sandbox', ...SAME_EVERYWHERE], headless: true });
}
