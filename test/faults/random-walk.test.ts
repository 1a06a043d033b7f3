/**
 * After a thousand random edits, renames, merges, branch switches and kills, the dump of the index equals that of a new
 * index, byte for byte.
 */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, type Sandbox, sandbox } from '../cli/sextant.ts';
import { EXTENSIONS, madeUpFile } from './made-up-code.ts';
import { Random, rounds } from './scale.ts';
import { dump, freshDump } from './store.ts';

interface World {
  readonly box: Sandbox;
  readonly random: Random;
  readonly branches: string[];
  /** What happened, for a failure to be understood by. */
  readonly log: string[];
}

/** Files of the project, git's own left out, in order. */
function filesOf({ box }: World): string[] {
  return readdirSync(box.path(), { recursive: true, withFileTypes: true })
    .map((entry) => ({ isFile: entry.isFile(), path: join(entry.parentPath ?? entry.path, entry.name) }))
    .filter(({ isFile, path }) => isFile && !path.includes('/.git/'))
    .map(({ path }) => path)
    .sort();
}

function newPath({ box, random }: World): string {
  const extension = random.pick(EXTENSIONS);
  const folder = random.pick(['src', 'src/deep/er', 'lib', 'docs', 'test', 'src/part']);
  return box.path(folder, `file${random.below(60)}.${extension}`);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * True when git carried out the command; it may refuse (nothing to commit, a conflict), and that is a state like any
 * other.
 */
function git(world: World, ...args: string[]): boolean {
  try {
    world.box.git(...args);
    return true;
  } catch {
    return false;
  }
}

type Step = (world: World) => void;

const STEPS: Readonly<Record<string, Step>> = {
  edit(world) {
    const path = world.random.pick(filesOf(world));
    const extension = EXTENSIONS.find((ending) => path.endsWith(`.${ending}`));
    if (extension) writeFileSync(path, madeUpFile(world.random, extension));
  },
  append(world) {
    const path = world.random.pick(filesOf(world));
    if (path.endsWith('.py'))
      writeFileSync(path, `${readFileSync(path)}\ndef added_${world.random.below(999)}():\n    pass\n`);
  },
  /** The same size and the same time, another content: what a stat alone does not show. */
  disguise(world) {
    const path = world.random.pick(filesOf(world));
    const { atime, mtime } = statSync(path);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
    if (changed === text || mtime.getTime() < Date.now() - 1_000) return;
    writeFileSync(path, changed);
    utimesSync(path, atime, mtime);
  },
  create(world) {
    const path = newPath(world);
    const extension = EXTENSIONS.find((ending) => path.endsWith(`.${ending}`))!;
    put(path, madeUpFile(world.random, extension));
  },
  copy(world) {
    put(newPath(world), readFileSync(world.random.pick(filesOf(world)), 'utf8'));
  },
  remove(world) {
    const files = filesOf(world);
    if (files.length > 10) rmSync(world.random.pick(files));
  },
  rename(world) {
    const to = newPath(world);
    mkdirSync(dirname(to), { recursive: true });
    renameSync(world.random.pick(filesOf(world)), to);
  },
  renameFolder({ box, random }) {
    const [from, to] = [box.path('src/part'), box.path(`moved${random.below(4)}`)];
    if (existsSync(from) && !existsSync(to)) renameSync(from, to);
  },
  ignore({ box, random }) {
    const rules = ['*.json', 'docs/', 'lib/file1*', '!lib/file10.py', 'moved1/'];
    writeFileSync(
      box.path(random.pick(['.gitignore', '.sextantignore'])),
      `${rules.slice(random.below(5)).join('\n')}\n`,
    );
  },
  stage: (world) => void git(world, 'add', '-A'),
  commit(world) {
    git(world, 'add', '-A');
    git(world, 'commit', '-qm', 'step');
  },
  branch(world) {
    const name = `b${world.branches.length}`;
    if (world.branches.length < 8 && git(world, 'checkout', '-q', '-b', name)) world.branches.push(name);
  },
  checkout(world) {
    git(world, 'checkout', '-q', '-f', world.random.pick(world.branches));
  },
  merge(world) {
    if (!git(world, 'merge', '-q', '-m', 'merge', world.random.pick(world.branches)) && world.random.below(2) === 0)
      git(world, 'merge', '--abort');
  },
  rebase(world) {
    if (!git(world, 'rebase', '-q', world.random.pick(world.branches))) git(world, 'rebase', '--abort');
  },
  stash(world) {
    git(world, 'stash', '-q', '-u');
    if (world.random.below(3) > 0) git(world, 'stash', 'pop', '-q');
  },
  reset: (world) => void git(world, 'reset', '-q', '--hard'),
};

/** Edits are the most frequent change. */
const OFTEN = ['edit', 'edit', 'edit', 'append', 'append', 'create', 'create', 'copy', 'rename', 'remove', 'disguise'];

test('after many random changes and kills the index equals a new one', async () => {
  const world: World = { box: sandbox(), random: new Random(1000), branches: ['main'], log: [] };
  const { box, random, log } = world;
  git(world, 'init', '-q');
  for (let i = 0; i < 40; i++) STEPS.create!(world);
  STEPS.commit!(world);
  assert.equal(box.run(['index', '--quiet']).code, 0);
  const steps = rounds(30, 1_000);
  const names = Object.keys(STEPS);
  for (let step = 1; step <= steps; step++) {
    const name = random.below(10) < 6 ? random.pick(OFTEN) : random.pick(names);
    log.push(name);
    STEPS[name]!(world);
    if (random.below(20) === 0) await index(world);
    if (step % 250 === 0) compare(world, step);
  }
  compare(world, steps);
});

/** One run; every third one is killed. */
async function index({ box, random, log }: World): Promise<void> {
  if (random.below(3) > 0) {
    log.push('INDEX');
    const { code, stderr } = box.run(['index', '--quiet']);
    assert.equal(code, 0, stderr);
    return;
  }
  const delayMs = 100 + random.below(500);
  log.push(`KILL after ${delayMs}`);
  const child = box.start(['index', '--quiet']);
  child.stdout.resume();
  child.stderr.resume();
  await sleep(delayMs);
  child.kill('SIGKILL');
  await ended(child);
}

function compare(world: World, step: number): void {
  const { box, log } = world;
  assert.equal(box.run(['index', '--quiet']).code, 0);
  const found = dump(box.home, box.path()).split('\n');
  const fresh = freshDump(box, join(box.folder, `fresh${step}`)).split('\n');
  const at = found.findIndex((line, i) => line !== fresh[i]);
  const differs = found.length !== fresh.length || at >= 0;
  assert.ok(
    !differs,
    `after ${step} steps line ${at} differs:\n  found ${found[at]?.slice(0, 300)}\n  fresh ${fresh[at]?.slice(0, 300)}\n${log.slice(-40).join(', ')}`,
  );
  assert.equal(box.run(['verify']).code, 0, 'verify agrees');
}
