/**
 * The process's log: JSON lines on standard error, notices and warnings only unless --verbose. Loaded by servers; a
 * search never pays for it.
 */
import pino from 'pino';
import type { Log } from '../../contracts/contract.ts';
import { redactDeep } from '../../model/secrets/redact-deep.ts';
import { visibleJson } from '../../model/untrusted/visible-text.ts';

export function openLog(verbose: boolean): Log {
  // Synchronous, so that the last line before a crash is not lost.
  const logger = pino(
    {
      level: verbose ? 'debug' : 'notice',
      customLevels: { notice: 35 },
      base: null,
      // Message, stack and cause of an Error; JSON knows none of them.
      serializers: { error: redactedError },
      hooks: { streamWrite: visibleJson },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  // Before a line is written as JSON, which puts a backslash behind a token.
  return (level, message, fields) => logger[level](redactDeep(fields ?? {}), redactDeep(message));
}

/** An error as an object of its fields; any other value as it is. */
function redactedError(error: unknown): unknown {
  const shown = pino.stdSerializers.err(error as Error);
  return redactDeep(error instanceof Error ? { ...shown } : shown);
}
