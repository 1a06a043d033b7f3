/**
 * Ends the processes that this one has started: one that lasts too long, and all of them should this process die
 * without a chance to act (SIGKILL, out of memory). A child that is stuck in a computation never notices that nobody
 * reads from it. A watcher waits on a pipe from this process and kills what is left when the pipe closes: a shell, or
 * Node where there is no shell (Windows, small containers). On Windows the kernel does the same for direct children:
 * Node puts each one that is not detached into a job that ends with its parent.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { familyMemoryOf } from './process-memory.ts';

const SHELL = '/bin/sh';
/** On Windows the path would name a file of the current drive. */
const hasShell = () => process.platform !== 'win32' && existsSync(SHELL);

/** Reads "+ pid" and "- pid"; a group is a negative pid. Standard tools only, and a megabyte of memory. */
const SHELL_SCRIPT = `
alive=" "
while read -r sign pid; do
  case "$sign$alive" in
    +*) alive="$alive$pid " ;;
    -*" $pid "*) alive="\${alive%% $pid *} \${alive#* $pid }" ;;
  esac
done
for pid in $alive; do kill -9 "$pid"; done
`;

/** The guard as a Node process: 40 MB of memory. */
const NODE_SCRIPT = `
const alive = new Set();
let rest = '';
process.stdin.setEncoding('utf8').on('error', () => {});
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) line[0] === '+' ? alive.add(+line.slice(2)) : alive.delete(+line.slice(2));
});
process.stdin.on('close', () => {
  for (const pid of alive) try { process.kill(pid, 'SIGKILL'); } catch {}
});
`;

/**
 * A child that ends within this time gets no watcher: a command's git is done by then, and starting a shell takes as
 * long as a git does, starting Node longer. Servers start the watcher ahead.
 */
const SHORT_MS = 50;
const SHORT_WITHOUT_SHELL_MS = 500;

let watcher: ChildProcess | null = null;
const guarded = new Set<number>();

export interface GuardOptions {
  /** Longest life of the child, which is killed then. */
  readonly timeoutMs?: number;
  /** Every piece of output that this process reads restarts the child's time limit. */
  readonly idle?: boolean;
  /** The child was started with `detached`: it leads a group of processes, which ends with it. */
  readonly group?: boolean;
  readonly onTimeout?: () => void;
  /** Memory of its own that the child and its children may take, where the system tells (Linux); it is killed then. */
  readonly maxMemoryBytes?: number;
}

/** Between two looks: what reads from a device that never ends takes a gigabyte a second. */
const MEMORY_LOOK_MS = 100;

/** Call right after the child was started. */
export function guardChild<Child extends ChildProcess>(child: Child, options: GuardOptions = {}): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  const timer = limitTime(child, options);
  const look = limitMemory(child, pid, options);
  const watched = isGroup(options) ? -pid : pid;
  guarded.add(watched);
  watcher?.stdin?.write(`+ ${watched}\n`);
  const starting = watcher ? undefined : startSoon(watched);
  child.once('exit', () => {
    clearTimeout(timer);
    clearTimeout(starting);
    clearInterval(look);
    guarded.delete(watched);
    watcher?.stdin?.write(`- ${watched}\n`);
    // The child's own children may not notice that nobody reads from them.
    if (child.signalCode !== null) killChild(child, options);
  });
  return child;
}

/** Ends a child at once, with its group where it leads one. */
export function killChild(child: ChildProcess, options: Pick<GuardOptions, 'group'>): void {
  if (!isGroup(options) || child.pid === undefined) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** Windows has no groups; its jobs do the same. */
function isGroup({ group = false }: Pick<GuardOptions, 'group'>): boolean {
  return group && process.platform !== 'win32';
}

/**
 * For processes that stay: from now on no child can outlive this one, not even in its first moments. A test may ask for
 * the watcher of systems without a shell.
 */
export function startGuard(useShell = hasShell()): void {
  watcher ??= startWatcher(useShell ? [SHELL, '-c', SHELL_SCRIPT] : [process.execPath, '-e', NODE_SCRIPT]);
}

/**
 * After a long computation the timer is due before this process has seen that the child ended; it sees it before the
 * next immediate.
 */
function startSoon(watched: number): NodeJS.Timeout {
  const useShell = hasShell();
  const startIfAlive = () => guarded.has(watched) && startGuard(useShell);
  const shortMs = useShell ? SHORT_MS : SHORT_WITHOUT_SHELL_MS;
  return setTimeout(() => setImmediate(startIfAlive).unref(), shortMs).unref();
}

function limitTime(child: ChildProcess, options: GuardOptions): NodeJS.Timeout | undefined {
  const { timeoutMs, idle, onTimeout } = options;
  if (timeoutMs === undefined) return undefined;
  let seen = 0;
  const timer = setTimeout(() => {
    const read = bytesReadFrom(child.stdout) + bytesReadFrom(child.stderr);
    if (idle && read > seen) {
      seen = read;
      timer.refresh();
      return;
    }
    onTimeout?.();
    killChild(child, options);
  }, timeoutMs).unref();
  return timer;
}

/** A pipe is a socket, which the types do not say. Where output goes to a file there is none. */
function bytesReadFrom(output: unknown): number {
  return (output as { readonly bytesRead?: number } | null)?.bytesRead ?? 0;
}

function limitMemory(child: ChildProcess, pid: number, options: GuardOptions): NodeJS.Timeout | undefined {
  const { maxMemoryBytes } = options;
  if (maxMemoryBytes === undefined) return undefined;
  return setInterval(() => {
    if ((familyMemoryOf(pid) ?? 0) > maxMemoryBytes) killChild(child, options);
  }, MEMORY_LOOK_MS).unref();
}

function startWatcher([program, ...args]: readonly [string, ...string[]]): ChildProcess {
  const started = spawn(program, args, {
    // Not in the group of the terminal, whose Ctrl-C would end it first; on Windows not in this process's job.
    detached: true,
    windowsHide: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The watcher must not keep us alive. `stdin` is a socket, which the types do not say; without a descriptor left
  // there is none.
  started.unref();
  (started.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  started.stdin?.on('error', () => undefined);
  started.on('error', () => undefined);
  started.once('exit', () => {
    if (watcher === started) watcher = null;
  });
  for (const pid of guarded) started.stdin?.write(`+ ${pid}\n`);
  return started;
}
