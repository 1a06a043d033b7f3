/** Runs ripgrep until it ends or a signal stops it, and reads its output. ripgrep does not outlive this process. */
import { spawn } from 'node:child_process';
import { EngineError } from '../../model/records/engine-errors.ts';
import { guardChild } from '../../model/runtime/child-guard.ts';
import { piped } from '../../model/runtime/open-files.ts';
import { ripgrepProgram } from '../../walk/index.ts';

const MAX_STDERR_CHARACTERS = 2000;

export interface RipgrepRun {
  readonly root: string;
  readonly args: readonly string[];
  /** Stops ripgrep when the search is complete, cancelled or out of time. */
  readonly signal: AbortSignal;
  /** Text for its standard input. */
  readonly input?: string;
}

/** Calls `take` for each line that ripgrep writes, until it returns false. */
export async function runRipgrep(
  { root, args, signal, input }: RipgrepRun,
  take: (line: string) => boolean,
): Promise<{ readonly code: number | null; readonly stderrText: string }> {
  // Imported here, because the module is loaded by searches that run no ripgrep.
  const { createInterface } = await import('node:readline');
  const child = guardChild(piped(spawn(ripgrepProgram(), args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] })));
  const stop = () => child.kill('SIGKILL');
  let stderrText = '';
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderrText.length < MAX_STDERR_CHARACTERS) stderrText += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
  let isStopped = false;
  lines.on('line', (line) => {
    // Lines that arrive after the stop are ignored: they would make the count random.
    if (isStopped || take(line)) return;
    isStopped = true;
    stop();
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new EngineError('unsupported', { what: 'grep', reason: error.message }, error)),
      );
      child.once('close', resolve);
    });
    return { code, stderrText };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
