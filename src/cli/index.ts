/**
 * The command line: arguments in, text out. It owns commands, flags, help, completions, configuration files, human
 * output and exit codes. It must not know how anything is found (engine) or how messages travel (transports), nor read
 * the environment: the composition root passes everything in as a Run. Invariants: standard output carries answers
 * only, standard error everything else; a failure is one sentence and its fix, with the exit code of ERROR_TABLE; text
 * from a repository reaches a terminal only through render/terminal-text.ts, which makes control characters visible.
 */

export { dataFolder } from './config/data-folder.ts';
export type { Settings } from './config/settings.ts';
export { expandTilde as atHome } from './parsing/expand-tilde.ts';
export { processTerminal } from './render/terminal.ts';
export { runCli } from './run.ts';
export type { EngineUse, Outside } from './running/command-session.ts';
