/**
 * The composition root: reads the environment and arguments once, picks the implementations and passes them to the
 * command line. Rooms that a command may not need (engine, transports, log) are loaded on demand, because a cold
 * `search` is mostly start-up time.
 */
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atHome, dataFolder, type Outside, processTerminal, runCli, type Settings } from './cli/index.ts';
import { engineConfig, type Place, packageVersion } from './compose-engine.ts';
import type { Log } from './contracts/contract.ts';
import type { FleetConfig } from './fleet/index.ts';
import { EngineError, ERROR_TABLE } from './model/records/engine-errors.ts';
import { startGuard } from './model/runtime/child-guard.ts';

/** The folder dist/, which contains this bundled file, and the package's folder around it. */
const built = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(built, '..');
const environment = process.env;
// Without a home folder (a container's user often has none), the data folder would be relative to the current folder.
if (known(homedir) === '') environment.HOME = known(() => userInfo().homedir) || '/';
// Node has already read this variable, which costs time at start; child processes do not use the network.
delete environment.NODE_EXTRA_CA_CERTS;

function known(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

const place: Place = { built, environment };
const version = (): string => packageVersion(place);

async function fleetConfig(settings: Settings, named: readonly string[]): Promise<FleetConfig> {
  const { values } = settings;
  const urls = named.length > 0 ? named : values['fleet.url'];
  if (urls.length === 0)
    throw new EngineError('invalid_input', {
      reason: 'Which fleet? Pass the address of OpenSearch with --url, or set fleet.url (SEXTANT_FLEET_URL).',
    });
  const pem = (key: 'fleet.ca_file' | 'fleet.certificate_file' | 'fleet.key_file') => {
    if (values[key] === '') return undefined;
    try {
      return readFileSync(resolve(atHome(values[key])), 'utf8');
    } catch (error) {
      const reason = `The file that ${key} names cannot be read: ${(error as Error).message}.`;
      throw new EngineError('invalid_input', { reason }, error);
    }
  };
  const [ca, certificate, key] = [pem('fleet.ca_file'), pem('fleet.certificate_file'), pem('fleet.key_file')];
  const user = values['fleet.user'];
  const passwordName = values['fleet.password_env'];
  const password = environment[passwordName];
  if (user !== '' && passwordName !== '' && !password)
    throw new EngineError('invalid_input', {
      reason: `The variable ${passwordName}, which fleet.password_env names, is not set.`,
    });
  const gitToken = environment[values['fleet.git_token_env']];
  return {
    address: {
      urls,
      ...(user === '' ? {} : { user, password: password ?? '' }),
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { certificate }),
      ...(key === undefined ? {} : { key }),
    },
    prefix: values['fleet.prefix'],
    engine: await engineConfig(place, settings, 'server'),
    ...(gitToken ? { gitToken: { token: gitToken, hosts: values['fleet.git_token_hosts'] } } : {}),
  };
}

/** A log that loads its library at the first message: an agent waits for the server's first answer at every start. */
function deferredLog(verbose: boolean): Log {
  let opening: Promise<Log> | undefined;
  return (level, message, fields) => {
    if (!verbose && (level === 'debug' || level === 'info')) return;
    opening ??= import('./cli/running/log.ts').then(({ openLog }) => openLog(verbose));
    void opening.then((log) => log(level, message, fields));
  };
}

/** Throws the error for a missing package, or one whose native part is for another platform. */
function partIsMissing(error: Error): never {
  throw new EngineError('unsupported', { what: 'The index', reason: error.message.split('\n')[0]! }, error);
}

function makeOutside(verbose: boolean): Outside {
  const log = deferredLog(verbose);
  return {
    async openEngine(settings, use) {
      if (use !== 'once') startGuard();
      const { createEngine } = await import('./engine/index.ts').catch(partIsMissing);
      return createEngine(await engineConfig(place, settings, use));
    },
    async headStart({ values }, url) {
      const { headStart } = await import('./fleet/index.ts');
      const token = environment[values['fleet.token_env']];
      return (extractor) => headStart({ url, token, signal: stop.signal }, extractor);
    },
    async giveContents({ values }, url, contents) {
      const { giveContents } = await import('./fleet/index.ts');
      return giveContents({ url, token: environment[values['fleet.token_env']], signal: stop.signal }, contents);
    },
    async openFleet(settings, urls) {
      startGuard();
      const { openFleet } = await import('./fleet/index.ts');
      return openFleet(await fleetConfig(settings, urls));
    },
    async serveClient(options) {
      const { serveClient } = await import('./compose-servers.ts');
      await serveClient({ place, log, verbose }, options);
    },
    async serveHttp(options) {
      const { serveHttp } = await import('./compose-servers.ts');
      return serveHttp({ place, log, verbose }, options);
    },
  };
}

/** The first signal requests a clean end; the second one ends the process at once. */
const stop = new AbortController();
let signalCode = 130;
for (const [name, exit] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(name, () => {
    if (stop.signal.aborted) process.exit(exit);
    signalCode = exit;
    stop.abort();
  });

/** Prints an error when the command line is not running yet, or no longer. */
function giveUp(message: string, fix: string, exit: number): void {
  process.stderr.write(`error: ${message}\nfix:   ${fix}\n`, () => process.exit(exit));
}

/** A closed pipe (`| head`) is no error; any other failure to write an answer is. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const exit = ERROR_TABLE[error.code === 'ENOSPC' ? 'disk_full' : 'internal_error'].exit;
  giveUp(
    `The answer could not be written to standard output: ${error.message}.`,
    'Free some space, or send it elsewhere.',
    exit,
  );
});
/** A failure to write to standard error is ignored: agents close their end, and a log may be on a full disk. */
process.stderr.on('error', () => {});

/** Detects a command whose last promise never settles: it would end silently with exit code 0. */
process.once('beforeExit', () => {
  const { message, fix } = new EngineError('internal_error', { reason: 'nothing was left to wait for.' });
  giveUp(message, fix, ERROR_TABLE.internal_error.exit);
});

/** The current folder; null if it was removed or cannot be read. */
function startFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const cwd = startFolder();
  if (cwd === null) {
    giveUp(
      'The folder in which this was started is gone.',
      'Change to a folder that exists and run the command again.',
      ERROR_TABLE.path_not_found.exit,
    );
    return;
  }
  const code = await runCli({
    argv: process.argv.slice(2),
    environment,
    version,
    launcher: join(packageFolder, 'bin', 'sextant'),
    machine: { home: homedir(), platform: process.platform, environment, node: process.execPath },
    cwd,
    dataFolder: dataFolder(environment, process.platform, homedir()),
    signal: stop.signal,
    hasInput: () => process.stdin.isTTY === true,
    makeTerminal: (color) => processTerminal(environment, color, stop.signal),
    makeOutside,
  });
  // Waits until all output is written, then ends the process even if something is still open.
  await new Promise((done) => process.stdout.write('', done));
  // Interrupted work ends with the signal's exit code; a server that was asked to stop ends with its own.
  process.exit(code === ERROR_TABLE.cancelled.exit ? signalCode : code);
}

void main();
