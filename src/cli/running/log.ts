/**
 * The process's log: JSON lines on standard error, only notices and warnings unless --verbose. Loaded by servers only,
 * because it would slow the start of a search.
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
      // Message, stack and cause of an Error, which JSON.stringify() omits.
      serializers: { error: redactedError },
      hooks: { streamWrite: visibleJson },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  // Redacts before serialising: JSON escapes could hide a token.
  return (level, message, fields) => logger[level](redactDeep(fields ?? {}), redactDeep(message));
}

/** An error as an object of its fields; any other value as it is. */
function redactedError(error: unknown): unknown {
  const shown = pino.stdSerializers.err(error as Error);
  return redactDeep(error instanceof Error ? { ...shown } : shown);
}
