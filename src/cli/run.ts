/** Runs the command line once, from argv to the exit code. Never throws. */
import { resolve } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import { EngineError, ERROR_TABLE, toEngineError } from '../model/records/engine-errors.ts';
import { parseScope } from '../model/records/scope.ts';
import { COMMANDS } from './commands/index.ts';
import { loadSettings } from './config/load-config.ts';
import type { Settings } from './config/settings.ts';
import type { Machine } from './install/agent.ts';
import { commandHelp, overviewHelp } from './parsing/help.ts';
import { type ParsedLine, parseLine } from './parsing/parse-arguments.ts';
import { jsonText } from './render/output.ts';
import { printableLine } from './render/terminal-text.ts';
import { duration } from './render/units.ts';
import type { Outside, Session, Terminal } from './running/command-session.ts';
import { explainMissing } from './running/missing-index.ts';

export interface Run {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  version(): string;
  readonly launcher: string;
  readonly machine: Machine;
  readonly cwd: string;
  readonly dataFolder: string;
  readonly signal: AbortSignal;
  /** Whether standard input is a terminal. Checking takes time, because it opens standard input. */
  hasInput(): boolean;
  makeTerminal(color: boolean | undefined): Terminal;
  makeOutside(verbose: boolean): Outside;
}

export async function runCli(run: Run): Promise<number> {
  let line: ParsedLine;
  try {
    line = parseLine(startsAsServer(run) ? ['serve-mcp'] : run.argv, COMMANDS);
  } catch (thrown) {
    const color = run.argv.includes('--no-color') ? false : undefined;
    const context = { verbose: run.argv.includes('--verbose'), json: wantsJson(run.argv), launcher: run.launcher };
    return report(thrown, run.makeTerminal(color), context);
  }
  const terminal = run.makeTerminal(line.globals.color);
  if (line.globals.version) {
    terminal.out.write(`${run.version()}\n`);
    return 0;
  }
  if (!line.command || line.globals.help) return showHelp(line, terminal, run.launcher);
  const verbose = line.globals.verbose === true;
  const session = makeSession(run, line, terminal);
  try {
    return await line.command.invoke(line.call, session);
  } catch (thrown) {
    const cause = run.signal.aborted
      ? new EngineError('cancelled', {}, thrown)
      : explainMissing(line.call.flags, thrown);
    return report(cause, terminal, { verbose, json: line.call.flags.format === 'json', launcher: run.launcher });
  } finally {
    await session.close();
  }
}

/** True without arguments and without a terminal: an agent has started the package and expects its server. */
function startsAsServer({ argv, hasInput }: Run): boolean {
  return argv.length === 0 && !hasInput();
}

/** What a user types to start the program: npx installs no command. */
function commandName(launcher: string): string {
  return /[\\/]_npx[\\/]/.test(launcher) ? 'npx sextant-mcp' : 'sextant';
}

/** Commands between backquotes, as this user can type them. */
function asTyped(text: string, launcher: string): string {
  return text.replaceAll('`sextant ', `\`${commandName(launcher)} `);
}

/** Shown for `sextant` without arguments. */
function greeting(launcher: string): string {
  const name = commandName(launcher);
  const rows = [
    ['install', 'connect the agents on this machine'],
    ['search "where is …"', 'ask about the project in this folder'],
    ['serve', 'serve agents over HTTP, and a page to look around in'],
    ['help', 'everything else'],
  ] as const;
  const lines = rows.map(([words, meaning]) => `  ${`${name} ${words}`.padEnd(name.length + 22)}${meaning}`);
  return `${['Sextant finds code in a repository, for coding agents (MCP) and for you.', ...lines].join('\n')}\n`;
}

function showHelp(line: ParsedLine, terminal: Terminal, launcher: string): number {
  if (line.command) terminal.out.write(commandHelp(line.command, terminal.out.style));
  else if (line.prefix || line.globals.help)
    terminal.out.write(overviewHelp(COMMANDS, terminal.out.style, line.prefix));
  else {
    terminal.out.write(greeting(launcher));
    return 0;
  }
  return line.globals.help ? 0 : 2;
}

function makeSession(run: Run, line: ParsedLine, terminal: Terminal): Session & { close(): Promise<void> } {
  const verbose = line.globals.verbose === true;
  const quiet = line.globals.quiet === true;
  const explicit = line.globals.config === undefined ? null : resolve(run.cwd, line.globals.config);
  const outside = run.makeOutside(verbose);
  const loaded = new Map<string, Promise<Settings>>();
  let engine: Promise<Engine> | null = null;
  const servers = new Map<string, Promise<Engine>>();
  const say = (text: string) => {
    if (!quiet) terminal.err.write(`${asTyped(text, run.launcher)}\n`);
  };
  const started = performance.now();
  const detail = (text: string) => {
    if (verbose && !quiet) terminal.err.write(`${terminal.err.style.grey(printableLine(text))}\n`);
  };
  const settings = (path: string): Promise<Settings> => {
    // A workspace has no settings file of its own.
    const folder = parseScope(path) ? run.dataFolder : resolve(run.cwd, path);
    const known = loaded.get(folder);
    if (known) return known;
    const { environment, dataFolder } = run;
    const ignoresInvalidProject = line.command?.group === 'serve';
    const sources = { dataFolder, environment, explicit, projectFolder: folder, ignoresInvalidProject };
    const made = loadSettings(sources).then((result) => {
      for (const warning of result.warnings) say(printableLine(warning));
      return result;
    });
    loaded.set(folder, made);
    return made;
  };
  const engineFor = (values: Settings): Promise<Engine> => {
    const key = JSON.stringify(values.values);
    const opened = servers.get(key) ?? outside.openEngine(values, 'server');
    servers.set(key, opened);
    return opened;
  };
  const closeEngines = async () => {
    const open = [...servers.values(), ...(engine ? [engine] : [])];
    servers.clear();
    engine = null;
    const engines = new Set(await Promise.all(open.map((each) => each.catch(() => null))));
    for (const each of engines) await each?.close().catch(() => {});
  };
  return {
    version: () => run.version(),
    commands: COMMANDS,
    launcher: run.launcher,
    machine: run.machine,
    cwd: run.cwd,
    dataFolder: run.dataFolder,
    terminal,
    outside,
    signal: run.signal,
    verbose,
    quiet,
    settings,
    engine(path, use = 'once') {
      engine ??= settings(path).then(async (values) => {
        if (use === 'server') return engineFor(values);
        const opened = await outside.openEngine(values, use);
        if (verbose) for (const text of await describeContext(opened, values, path)) detail(text);
        return opened;
      });
      return engine;
    },
    engineFor,
    closeEngines,
    say,
    detail,
    async close() {
      const wasOpen = engine !== null;
      await closeEngines();
      if (wasOpen) detail(`time: ${duration(performance.now() - started)}`);
    },
  };
}

/** The settings files, project and index of a command, which --verbose prints. */
async function describeContext(engine: Engine, { files }: Settings, path: string): Promise<string[]> {
  // The command itself reports a missing folder.
  const project = await engine.project(path).catch(() => null);
  return [
    `configuration: ${files.length > 0 ? files.join(', ') : 'no file, the defaults and the environment'}`,
    ...(project
      ? [`project: ${project.root} (${project.isGit ? 'git' : 'no git'})`, `index: ${project.storeFolder}`]
      : []),
  ];
}

interface ReportOptions {
  readonly verbose: boolean;
  readonly json: boolean;
  readonly launcher: string;
}

/** Reports every error: a sentence, the fix, and with --verbose its origin. */
function report(thrown: unknown, terminal: Terminal, { verbose, json, launcher }: ReportOptions): number {
  const error = toEngineError(thrown);
  const { style } = terminal.err;
  if (json) {
    const { code, message, fix, data } = error;
    terminal.out.write(`${jsonText({ error: { code, message, fix, data } })}\n`);
  }
  if (error.code !== 'cancelled' || verbose) {
    terminal.err.write(`${style.red('error:')} ${printableLine(asTyped(error.message, launcher))}\n`);
    terminal.err.write(`${style.cyan('fix:')}   ${printableLine(asTyped(error.fix, launcher))}\n`);
  } else terminal.err.write('Cancelled. Finished work is kept.\n');
  if (verbose) terminal.err.write(`${stackOf(error)}\n`);
  return ERROR_TABLE[error.code].exit;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

function wantsJson(argv: readonly string[]): boolean {
  const at = argv.indexOf('--format');
  return argv.includes('--format=json') || (at >= 0 && argv[at + 1] === 'json');
}
