// The real binary serving a project, and pages of a real browser on it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const binary = join(root, 'bin/sextant');
/** The page's clock stands still here: ages are always the same. */
export const NOW = new Date('2024-06-01T12:00:00Z');

/** A folder for the project and a data folder, both gone with close(). */
export function makeFolders() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-page-')));
  return {
    folder,
    project: join(folder, 'shop'),
    environment: { ...process.env, SEXTANT_HOME: join(folder, 'home') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function run(environment, args, cwd) {
  const { status, stderr } = spawnSync(binary, args, { env: environment, cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`sextant ${args.join(' ')}: ${stderr}`);
}

const TOKEN = 'a-token-for-the-tests-of-the-page';

/** Starts `sextant serve` with a token and waits for its address. `close` ends that very process. */
export async function serve(environment, project, args = []) {
  const tokenFile = join(environment.SEXTANT_HOME, 'page-test-token');
  mkdirSync(environment.SEXTANT_HOME, { recursive: true, mode: 0o700 });
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
  const server = spawn(binary, ['serve', project, '--port', '0', '--token-file', tokenFile, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const address = await new Promise((resolve, reject) => {
    const read = (piece) => {
      output += piece;
      const found = /In a browser: (\S+)/.exec(output);
      if (found) resolve(found[1]);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
  const closed = new Promise((resolve) => server.once('exit', resolve));
  return {
    base: address.replace(/\/(?:#.*)?$/, ''),
    token: TOKEN,
    pid: server.pid,
    async close() {
      server.kill('SIGTERM');
      await closed;
    },
  };
}

/**
 * A tab that knows the token, with a standing clock (`clock: null` for the real one), that fails its test on any error,
 * blocked or outside request.
 */
export async function openTab(browser, site, { width = 1280, height = 800, scheme = 'light', clock = NOW } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The page itself comes with 401: a browser cannot send the token before it runs.
    const isPage = message.location().url.split('#')[0] === `${site.base}/`;
    if (message.type() === 'error' && !isPage) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site.base) && !/^(?:data|blob):/.test(url)) faults.push(`request elsewhere: ${url}`);
  });
  if (clock) await page.clock.setFixedTime(clock);
  await page.addInitScript((token) => sessionStorage.setItem('sextant.token', token), site.token);
  return {
    page,
    faults,
    /** Goes to a view and waits until it has what it shows. */
    async visit(hash) {
      await page.goto(`${site.base}/${hash}`);
      await settled(page);
    },
    close: () => context.close(),
  };
}

/** The page knows the state of the index, nothing is on its way any more, and fonts are there. */
export async function settled(page) {
  await page.evaluate(() => {
    window.quiet = 0;
  });
  await page.waitForFunction(() => {
    const isQuiet =
      document.querySelector('.state, .token') !== null &&
      !document.documentElement.hasAttribute('data-asking') &&
      document.querySelector('[aria-busy="true"]') === null;
    window.quiet = isQuiet ? (window.quiet ?? 0) + 1 : 0;
    // An answer may bring a further question: a few frames tell.
    return window.quiet > 6;
  });
  await page.evaluate(() => document.fonts.ready);
}
