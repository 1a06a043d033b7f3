/** Run by the build, to keep what V8 makes of the program and of the grammars: no other worker process has to make it again. */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DeriverSetup } from '../deriving/deriver.ts';
import { EXEC_ARGV } from './worker-process.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

/** Machine code of the grammars and their runtime (languages/machine-code.ts), as a worker takes it. */
export async function keepMachineCode(entry: string, grammarFolder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const keep = () =>
    inWorker(entry, [], env, async (tell) => (await tell({ type: 'keep', grammarFolder }, 'kept')).made);
  try {
    await keep();
    // Another process must be able to take all of it, or it is worth nothing.
    const again = await keep();
    if (again.length > 0) throw new Error(`it does not fit another process: ${again.join(', ')}`);
  } catch (error) {
    for (const file of readdirSync(grammarFolder)) if (file.endsWith('.code')) rmSync(join(grammarFolder, file));
    throw error;
  }
}

/** Compiled code of the worker itself: `entry` keeps it when it ends, after it has read these files. */
export async function keepWorkerCode(
  entry: string,
  args: readonly string[],
  setup: DeriverSetup,
  root: string,
  paths: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await inWorker(entry, args, env, async (tell) => {
    await tell({ type: 'setup', setup, light: false }, 'ready');
    const jobs = paths.map((path) => ({ path, root, gitBlob: null, flags: 0 }));
    await tell({ type: 'batch', jobs, careful: false }, 'result');
  });
}

type Answer<Type> = Extract<FromWorker, { readonly type: Type }>;
type Tell = <Type extends FromWorker['type']>(message: ToWorker, type: Type) => Promise<Answer<Type>>;

/** Talks to a worker, and waits for its end. */
async function inWorker<T>(
  entry: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  talk: (tell: Tell) => Promise<T>,
): Promise<T> {
  const child = fork(entry, args, {
    serialization: 'advanced',
    execArgv: EXEC_ARGV,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = endOf(child);
  const tell: Tell = (message, type) =>
    new Promise((resolve, reject) => {
      child.on('message', (answer: FromWorker) => {
        if (answer.type === type) resolve(answer as Answer<typeof type>);
        else if ('reason' in answer) reject(new Error(answer.reason));
      });
      ended.then((how) => reject(new Error(`the worker process ended (${how})`)), reject);
      child.send(message);
    });
  try {
    return await talk(tell);
  } finally {
    if (child.connected) child.disconnect();
    await ended;
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}
