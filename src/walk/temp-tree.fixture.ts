/** Real folders and repositories in the temp folder, for the tests of this room. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { walk } from './index.ts';
import type { WalkOptions, WalkResult } from './walk-project.ts';

export interface TempTree {
  readonly root: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  git(...args: string[]): string;
  /** Adds everything and commits it. */
  commit(message?: string): void;
}

/** A temporary folder, removed when the test ends. */
export function makeTree(t: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}): TempTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-walk-')));
  t.after(() => {
    try {
      rmSync(root, { recursive: true, force: true });
    } catch {
      // A tree deeper than the longest path: `rm` descends folder by folder, rmSync() cannot.
      execFileSync('rm', ['-rf', root]);
    }
  });
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgSign=false', ...args],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  const tree: TempTree = {
    root,
    git,
    write(more) {
      for (const [path, content] of Object.entries(more)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
    },
    commit(message = 'one') {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
    },
  };
  tree.write(files);
  return tree;
}

export function makeRepository(t: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}): TempTree {
  const tree = makeTree(t, files);
  tree.git('init', '-q', '-b', 'main');
  return tree;
}

export function optionsFor(root: string, more: Partial<WalkOptions> = {}): WalkOptions {
  return {
    root,
    includeTests: true,
    includeVendor: false,
    includeGenerated: false,
    exclude: [],
    include: [],
    maxFileBytes: 1_000_000,
    ...more,
  };
}

export function pathsOf(result: WalkResult): string[] {
  return result.files.map((file) => file.path);
}

export function reasonsOf(result: WalkResult): Record<string, string> {
  return Object.fromEntries(result.skipped.map((entry) => [entry.path, entry.reason]));
}

/** The paths that a walk lists. */
export async function list(root: string, more: Partial<WalkOptions> = {}): Promise<string[]> {
  return pathsOf(await walk(optionsFor(root, more)));
}

/** Runs a function with a PATH on which there is no git. */
export async function withoutGit<T>(run: () => Promise<T>): Promise<T> {
  const path = process.env.PATH;
  process.env.PATH = '/nonexistent';
  try {
    return await run();
  } finally {
    process.env.PATH = path;
  }
}

/** Lists a folder with git and without, and asserts that both agree. */
export async function listBothWays(root: string, more: Partial<WalkOptions> = {}): Promise<string[]> {
  const withGit = await list(root, more);
  assert.deepEqual(await withoutGit(() => list(root, more)), withGit);
  return withGit;
}
