/** Run by the build: has a worker process compile the grammars, so that no other worker has to (languages/machine-code.ts). */
import { fork } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXEC_ARGV } from './worker-pool.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

export async function keepMachineCode(entry: string, grammarFolder: string, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await inWorker(entry, grammarFolder, env);
    // Another process must be able to take all of it, or it is worth nothing.
    const again = await inWorker(entry, grammarFolder, env);
    if (again.length > 0) throw new Error(`it does not fit another process: ${again.join(', ')}`);
  } catch (error) {
    for (const file of readdirSync(grammarFolder)) if (file.endsWith('.code')) rmSync(join(grammarFolder, file));
    throw error;
  }
}

/** Returns the names of what was made. */
function inWorker(entry: string, grammarFolder: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const child = fork(entry, [], {
    serialization: 'advanced',
    execArgv: EXEC_ARGV,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise<readonly string[]>((resolve, reject) => {
    child.on('message', (message: FromWorker) => {
      if (message.type === 'kept') resolve(message.made);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => reject(new Error(`the worker process ended (${signal ?? `code ${code}`})`)));
    child.send({ type: 'keep', grammarFolder } satisfies ToWorker);
  }).finally(() => child.disconnect());
}
