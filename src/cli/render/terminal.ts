/** Implements Terminal with the process's streams. */

import type { Screen, Terminal } from '../running/command-session.ts';
import { makeStyle, wantsColor } from './style.ts';

export function processTerminal(
  environment: Readonly<Record<string, string | undefined>>,
  color: boolean | undefined,
  signal: AbortSignal,
): Terminal {
  const screen = (stream: NodeJS.WriteStream): Screen => ({
    write: (text) => {
      stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    rewrites: stream.isTTY === true && environment.TERM !== 'dumb',
    get columns() {
      return Math.max(40, stream.columns || 80);
    },
    get cutAt() {
      return stream.isTTY === true ? this.columns : Number.POSITIVE_INFINITY;
    },
    get width() {
      return stream.columns || 80;
    },
    style: makeStyle(wantsColor(color, environment, stream.isTTY === true)),
  });
  return {
    out: screen(process.stdout),
    err: screen(process.stderr),
    // Read on demand: opening standard input takes time.
    get interactive() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true;
    },
    async confirm(question) {
      const { createInterface } = await import('node:readline/promises');
      const reader = createInterface({ input: process.stdin, output: process.stderr });
      // Ctrl-D means no. Ctrl-C reaches the process as a signal, so that it ends the command and not only the question.
      const closed = new Promise<string>((done) => reader.once('close', () => done('n')));
      reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      try {
        const answer = await Promise.race([reader.question(`${question} [Y/n] `, { signal }), closed]);
        return /^\s*(y|yes)?\s*$/i.test(answer);
      } finally {
        reader.close();
      }
    },
    async readInput() {
      const parts: Buffer[] = [];
      // An interrupted command stops reading its input.
      const stop = () => process.stdin.destroy(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      for await (const part of process.stdin) parts.push(Buffer.from(part));
      signal.removeEventListener('abort', stop);
      return Buffer.concat(parts).toString('utf8');
    },
  };
}
