/**
 * Ends the processes that this one has started: one that lasts too long, and all of them should this process die
 * without a chance to act (SIGKILL, out of memory). A child that is stuck in a computation never notices that nobody
 * reads from it. On Linux and macOS a shell waits on a pipe from this process and kills what is left when the pipe
 * closes; on Windows Node puts children into a job that ends with their parent.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** Hears "+ pid" and "- pid". Standard tools only, and a megabyte of memory. */
const SCRIPT = `
alive=" "
while read -r sign pid; do
  case "$sign$alive" in
    +*) alive="$alive$pid " ;;
    -*" $pid "*) alive="\${alive%% $pid *} \${alive#* $pid }" ;;
  esac
done
for pid in $alive; do kill -9 "$pid"; done
`;

/** A command's git is done by then, and starting a shell takes as long as a git does. Servers start it ahead. */
const SHORT_MS = 50;

let watcher: ChildProcess | null = null;
const guarded = new Set<number>();

export interface GuardOptions {
  /** Longest life of the child, which is killed then. */
  readonly timeoutMs?: number;
  /** As long as there is output, read by this process, the child gets as much time again. */
  readonly idle?: boolean;
  readonly onTimeout?: () => void;
}

/** Call right after the child was started. */
export function guardChild<Child extends ChildProcess>(child: Child, options: GuardOptions = {}): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  const timer = limitTime(child, options);
  guarded.add(pid);
  watcher?.stdin?.write(`+ ${pid}\n`);
  const starting = watcher ? undefined : setTimeout(startGuard, SHORT_MS).unref();
  child.once('exit', () => {
    clearTimeout(timer);
    clearTimeout(starting);
    guarded.delete(pid);
    watcher?.stdin?.write(`- ${pid}\n`);
  });
  return child;
}

/** For processes that stay: from now on no child can outlive this one, not even in its first moments. */
export function startGuard(): void {
  watcher ??= startWatcher();
}

function limitTime(child: ChildProcess, { timeoutMs, idle, onTimeout }: GuardOptions): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined) return undefined;
  let seen = 0;
  const timer = setTimeout(() => {
    // A pipe is a socket, which the types do not say. Where output goes to a file there is none.
    const read = (child.stdout as { readonly bytesRead?: number } | null)?.bytesRead ?? 0;
    if (idle && read > seen) {
      seen = read;
      timer.refresh();
      return;
    }
    onTimeout?.();
    child.kill('SIGKILL');
  }, timeoutMs).unref();
  return timer;
}

/** Null where there is no shell, or no need for one. */
function startWatcher(): ChildProcess | null {
  if (process.platform === 'win32') return null;
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    // Not in the group of the terminal, whose Ctrl-C would end it first.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // It must not keep this process alive. `stdin` is a socket, which the types do not say; without a descriptor left
  // there is none.
  shell.unref();
  (shell.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  shell.stdin?.on('error', () => undefined);
  shell.on('error', () => undefined);
  shell.once('exit', () => {
    if (watcher === shell) watcher = null;
  });
  for (const pid of guarded) shell.stdin?.write(`+ ${pid}\n`);
  return shell;
}
