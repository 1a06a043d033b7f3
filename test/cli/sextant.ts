/** The real binary in a temp folder, with a data folder of its own. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const launcher = fileURLToPath(new URL('../../bin/sextant', import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Sandbox {
  readonly folder: string;
  readonly home: string;
  path(...parts: string[]): string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
  environment(extra?: Readonly<Record<string, string>>): NodeJS.ProcessEnv;
  /** Runs it in `project/`, or in the folder given. */
  run(args: readonly string[], options?: RunOptions): Result;
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
  git(...args: string[]): string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A sandbox for the calling test file; it is removed when the file's tests are done. */
export function sandbox(name = 'project'): Sandbox {
  // The real path: on some systems the temp folder itself is a link, and answers name real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-cli-')));
  const home = join(folder, 'home');
  const project = join(folder, name);
  mkdirSync(project);
  const started: ChildProcessWithoutNullStreams[] = [];
  after(() => {
    // A test that failed half-way has not asked its servers to end, and would wait for them.
    for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const environment = (extra = {}): NodeJS.ProcessEnv => {
    const { NO_COLOR: _n, FORCE_COLOR: _f, ...inherited } = process.env;
    const clean = Object.fromEntries(Object.entries(inherited).filter(([key]) => !key.startsWith('SEXTANT_')));
    return {
      ...clean,
      SEXTANT_HOME: home,
      // Whether a question catches up within its 300 ms depends on the machine; tests of that set their own time.
      SEXTANT_SEARCH_SYNC_MS: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      ...extra,
    };
  };
  const self: Sandbox = {
    folder,
    home,
    environment,
    path: (...parts) => join(project, ...parts),
    write(files) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(project, path)), { recursive: true });
        writeFileSync(join(project, path), content);
      }
    },
    run(args, options = {}) {
      const { status, stdout, stderr, error } = spawnSync(process.execPath, [launcher, ...args], {
        cwd: options.cwd ?? project,
        env: environment(options.env),
        input: options.input ?? '',
        encoding: 'utf8',
        timeout: 120_000,
        maxBuffer: 64 * 1024 * 1024,
      });
      if (error) throw error;
      return { code: status, stdout, stderr };
    },
    start(args, options = {}) {
      const child = spawn(process.execPath, [launcher, ...args], {
        cwd: options.cwd ?? project,
        env: environment(options.env),
      });
      started.push(child);
      return child;
    },
    git(...args) {
      return execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main', ...args],
        {
          cwd: project,
          env: environment(),
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
    },
  };
  return self;
}

/** A small project in three languages with a test, a secret and documentation. */
export const SAMPLE: Readonly<Record<string, string>> = {
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'retry/policy.go':
    'package retry\n\n// Policy decides how often a failed request is tried again.\ntype Policy struct {\n\tMaxAttempts int\n}\n\n// NextDelay doubles the delay after each attempt.\nfunc (p Policy) NextDelay(attempt int) int {\n\treturn 100 << attempt\n}\n',
  'retry/policy_test.go':
    'package retry\n\nimport "testing"\n\nfunc TestNextDelay(t *testing.T) {\n\tif (Policy{}).NextDelay(1) != 200 {\n\t\tt.Fatal("delay")\n\t}\n}\n',
  'web/cart.ts':
    '/** Adds an article to the shopping cart. */\nexport function addToCart(cart: string[], article: string): string[] {\n  return [...cart, article];\n}\n',
  'tools/report.py': 'def monthly_report(orders):\n    """Sums the orders of a month."""\n    return sum(orders)\n',
  'README.md': '# Shop\n\nA small shop.\n\n## Retries\n\nFailed requests are tried again with a growing delay.\n',
  '.env': 'TOKEN=secret\n',
};

/** What it said, after all went well. */
export function worked(result: Result): string {
  assert.equal(result.code, 0, result.stderr);
  return result.stdout;
}

/** It said what is wrong and how to mend that, and showed no stack. */
export function refused(result: Result, code: number, words: RegExp): void {
  assert.equal(result.code, code, result.stdout + result.stderr);
  assert.match(result.stderr, words);
  assert.match(result.stderr, /\nfix: {3}/);
  assert.doesNotMatch(result.stderr, /\n\s+at /);
}

/** Resolves with everything written so far once `pattern` is there. */
export function waitFor(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`${pattern} did not come; got: ${text}`)), 60_000);
    const ended = () => {
      clearTimeout(timer);
      reject(new Error(`the stream ended without ${pattern}; got: ${text}`));
    };
    stream.on('data', function take(part) {
      text += part;
      if (!pattern.test(text)) return;
      clearTimeout(timer);
      stream.off('data', take);
      stream.off('end', ended);
      // Keeps flowing, so that the process is never held by a full pipe.
      stream.resume();
      resolve(text);
    });
    stream.once('end', ended);
  });
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}
