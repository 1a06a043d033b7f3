/** Flags that every command takes, anywhere on the line. */
import type { Flags, FlagValues } from './command.ts';

export const GLOBAL_FLAGS = {
  help: { kind: 'boolean', short: 'h', help: 'Show help for the command' },
  version: { kind: 'boolean', help: 'Print the version' },
  verbose: { kind: 'boolean', short: 'v', help: 'Log to standard error, with stack traces for errors' },
  quiet: { kind: 'boolean', short: 'q', help: 'Print answers and errors only, no progress and no remarks' },
  config: {
    kind: 'string',
    value: 'PATH',
    completes: 'file',
    help: 'Read this file instead of the user’s and the project’s configuration',
  },
  color: { kind: 'boolean', negatable: true, help: 'Force colours on or off (NO_COLOR and FORCE_COLOR work too)' },
} as const satisfies Flags;

export type GlobalValues = FlagValues<typeof GLOBAL_FLAGS>;
