/**
 * Kills child processes: one that exceeds its limits, and all of them if this process dies without a chance to act
 * (SIGKILL, out of memory). A child that is stuck in a computation would never notice the death of its parent. A
 * watcher process waits on a pipe from this process and kills the remaining children when the pipe closes. The watcher
 * is a shell, or Node where there is no shell (Windows, small containers). On Windows the kernel also kills direct
 * children: Node puts each child that is not detached into a job that ends with its parent.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { familyMemoryOf } from './process-memory.ts';

const SHELL = '/bin/sh';
/** On Windows the path could name a file of the current drive. */
const hasShell = () => process.platform !== 'win32' && existsSync(SHELL);

/** The watcher as a shell script, with 1 MB of memory. It reads "+ pid" and "- pid"; a negative pid is a group. */
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

/** The watcher as a Node program, with 40 MB of memory. */
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
 * The watcher is started for a child that lives longer than this. A command's git usually ends before, and starting a
 * shell takes as long as starting git, starting Node longer. Servers start the watcher ahead.
 */
const SHORT_MS = 50;
const SHORT_WITHOUT_SHELL_MS = 500;

let watcher: ChildProcess | null = null;
const guarded = new Set<number>();

export interface GuardOptions {
  /** The child is killed after this time. */
  readonly timeoutMs?: number;
  /** Output that this process reads restarts the time limit. */
  readonly idle?: boolean;
  /** The child was started with `detached` and leads a process group, which is killed with it. */
  readonly group?: boolean;
  readonly onTimeout?: () => void;
  /** The child is killed if it and its descendants take more memory than this, without files (Linux only). */
  readonly maxMemoryBytes?: number;
}

/** Interval of memory checks: a program that reads an endless device takes a gigabyte per second. */
const MEMORY_CHECK_MS = 100;

/** Guards a child. To be called right after the child was started. */
export function guardChild<Child extends ChildProcess>(child: Child, options: GuardOptions = {}): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  const timer = limitTime(child, options);
  const memoryCheck = limitMemory(child, pid, options);
  const watched = isGroup(options) ? -pid : pid;
  guarded.add(watched);
  watcher?.stdin?.write(`+ ${watched}\n`);
  const starting = watcher ? undefined : startSoon(watched);
  child.once('exit', () => {
    clearTimeout(timer);
    clearTimeout(starting);
    clearInterval(memoryCheck);
    guarded.delete(watched);
    watcher?.stdin?.write(`- ${watched}\n`);
    // Kill the children of a killed child, which may not notice its death.
    if (child.signalCode !== null) killChild(child, options);
  });
  return child;
}

/** Kills a child, with its process group if it leads one. */
export function killChild(child: ChildProcess, options: Pick<GuardOptions, 'group'>): void {
  if (!isGroup(options) || child.pid === undefined) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}

/** Windows has no process groups; its jobs serve instead. */
function isGroup({ group = false }: Pick<GuardOptions, 'group'>): boolean {
  return group && process.platform !== 'win32';
}

/**
 * Starts the watcher ahead, so that no child outlives this process, not even one that has just started. Long-running
 * processes call it. Tests may choose the watcher of systems without a shell.
 */
export function startGuard(useShell = hasShell()): void {
  watcher ??= startWatcher(useShell ? [SHELL, '-c', SHELL_SCRIPT] : [process.execPath, '-e', NODE_SCRIPT]);
}

/**
 * Starts the watcher if the child still runs after a short time. After a long computation the timer fires before Node
 * has processed the child's end, so the check waits for the next immediate.
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
  let lastBytesRead = 0;
  const timer = setTimeout(() => {
    const bytesRead = bytesReadFrom(child.stdout) + bytesReadFrom(child.stderr);
    if (idle && bytesRead > lastBytesRead) {
      lastBytesRead = bytesRead;
      timer.refresh();
      return;
    }
    onTimeout?.();
    killChild(child, options);
  }, timeoutMs).unref();
  return timer;
}

/** A pipe is a socket with `bytesRead`, which its type does not declare. Output into a file has no pipe. */
function bytesReadFrom(output: unknown): number {
  return (output as { readonly bytesRead?: number } | null)?.bytesRead ?? 0;
}

function limitMemory(child: ChildProcess, pid: number, options: GuardOptions): NodeJS.Timeout | undefined {
  const { maxMemoryBytes } = options;
  if (maxMemoryBytes === undefined) return undefined;
  return setInterval(() => {
    if ((familyMemoryOf(pid) ?? 0) > maxMemoryBytes) killChild(child, options);
  }, MEMORY_CHECK_MS).unref();
}

function startWatcher([program, ...args]: readonly [string, ...string[]]): ChildProcess {
  const started = spawn(program, args, {
    // Ctrl-C must not kill the watcher with the terminal's process group, nor Windows with this process's job.
    detached: true,
    windowsHide: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The watcher must not keep this process alive. `stdin` is a socket, which its type does not declare; it is null if
  // no file descriptor is left.
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
