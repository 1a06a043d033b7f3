/** Refs on the real binary: indexing from git's objects, shared stores, moved refs, `refs drop` and `refs gc`. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SAMPLE, type Sandbox, sandbox } from '../cli/sextant.ts';
import { agent } from './agent.ts';

const code = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;

function worked(box: Sandbox, args: readonly string[], cwd?: string): string {
  const result = box.run(args, cwd ? { cwd } : {});
  assert.equal(result.code, 0, `${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
}

function json(box: Sandbox, args: readonly string[], cwd?: string) {
  return JSON.parse(worked(box, [...args, '--format', 'json'], cwd));
}

function withBranch(): Sandbox {
  const box = sandbox();
  box.write(SAMPLE);
  box.git('init', '-q');
  box.git('add', '-A');
  box.git('commit', '-qm', 'one');
  box.git('tag', 'v1');
  box.git('checkout', '-q', '-b', 'topic');
  box.write({ 'web/topic.ts': code('onlyOnTopic') });
  box.git('add', '-A');
  box.git('commit', '-qm', 'two');
  box.git('checkout', '-q', 'main');
  worked(box, ['index', '--quiet']);
  return box;
}

function withBare(box: Sandbox): string {
  const bare = join(box.folder, 'bare.git');
  box.git('clone', '-q', '--bare', '.', bare);
  return bare;
}

test('a branch, a tag and a commit are indexed without a checkout; what they share is derived once', () => {
  const box = withBranch();
  assert.equal(json(box, ['index', '--ref', 'topic']).files_indexed, 1);
  assert.equal(json(box, ['index', '--ref', 'v1']).files_indexed, 0);
  const commit = box.git('rev-parse', 'topic').trim();
  assert.equal(json(box, ['index', '--ref', commit.slice(0, 10)]).files_indexed, 0);
  assert.match(worked(box, ['search', 'onlyOnTopic', '--ref', 'topic']), /web\/topic\.ts/);
  assert.equal(box.run(['search', 'onlyOnTopic', '--ref', 'v1']).stdout.includes('topic.ts'), false);
  assert.equal(box.git('status', '--porcelain'), '', 'nothing was checked out');
  const { refs } = json(box, ['refs', 'list']) as { refs: { ref: string }[] };
  assert.deepEqual(refs.map(({ ref }) => ref).sort(), [commit.slice(0, 10), 'main', 'topic', 'v1'].sort());
});

test('a ref that has moved is stale, and verify names both commits and the changed paths', () => {
  const box = withBranch();
  worked(box, ['index', '--quiet', '--ref', 'topic']);
  assert.equal(json(box, ['verify', '--ref', 'topic']).ok, true);
  const before = box.git('rev-parse', 'topic').trim();
  box.git('checkout', '-q', 'topic');
  box.write({ 'web/topic.ts': code('movedOnTopic') });
  box.git('commit', '-qam', 'three');
  box.git('checkout', '-q', 'main');
  assert.match(worked(box, ['status', '--ref', 'topic']), /stale: topic has moved since.*sextant index --ref topic/);
  const { code: exit, stdout } = box.run(['verify', '--ref', 'topic', '--format', 'json']);
  const found = JSON.parse(stdout);
  assert.equal(exit, 1);
  assert.deepEqual([found.ok, found.commit, found.pending], [false, before, ['web/topic.ts']]);
  assert.equal(found.current_commit, box.git('rev-parse', 'topic').trim());
  const asked = ['search', 'movedOnTopic', '--ref', 'topic'];
  assert.match(worked(box, asked), /topic has moved since\. Run `sextant index --ref topic`/);
  const waited = json(box, [...asked, '--wait-fresh', '30']);
  assert.deepEqual([waited.freshness.status, waited.hits[0].path], ['fresh', 'web/topic.ts']);
  assert.equal(json(box, ['verify', '--ref', 'topic']).ok, true);
});

test('the status of a ref lists the files that were left out of it', () => {
  const box = withBranch();
  const bare = withBare(box);
  worked(box, ['index', '--quiet', '--ref', 'v1'], bare);
  assert.match(worked(box, ['status', '--skipped', '--ref', 'v1'], bare), /secret {2}\.env/);
  rmSync(box.path('.env'));
  worked(box, ['index', '--quiet']);
  worked(box, ['index', '--quiet', '--ref', 'v1']);
  assert.match(worked(box, ['status', '--skipped']), /No file/);
  assert.match(worked(box, ['status', '--skipped', '--ref', 'v1']), /secret {2}\.env/);
});

test('work trees share one store, each with its own files', () => {
  const box = withBranch();
  const other = join(box.folder, 'other');
  box.git('worktree', 'add', '-q', other, 'topic');
  assert.equal(json(box, ['index'], other).files_indexed, 1, 'what the first one has is there already');
  assert.equal(readdirSync(join(box.home, 'projects')).length, 1);
  assert.match(worked(box, ['locate', 'onlyOnTopic'], other), /topic\.ts/);
  assert.equal(box.run(['locate', 'onlyOnTopic']).stdout.includes('topic.ts'), false);
  rmSync(other, { recursive: true });
  const report = json(box, ['refs', 'gc']) as { dropped: { root: string; reason: string }[] };
  assert.deepEqual(
    report.dropped.map(({ root, reason }) => [root, reason]),
    [[other, 'folder_gone']],
  );
  assert.equal(json(box, ['verify']).ok, true);
});

test('refs drop and refs gc free contents that nothing else uses, and report them', async () => {
  const box = withBranch();
  worked(box, ['index', '--quiet', '--ref', 'topic']);
  worked(box, ['index', '--quiet', '--ref', 'v1']);
  box.git('branch', '-q', '-D', 'topic');
  assert.match(
    worked(box, ['search', 'onlyOnTopic', '--ref', 'topic']),
    /topic\.ts/,
    'it answers until it is collected',
  );
  // What left a tree a moment ago is kept for questions under way.
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  const report = json(box, ['refs', 'gc']);
  assert.deepEqual(
    report.dropped.map(({ ref, reason }: { ref: string; reason: string }) => [ref, reason]),
    [['topic', 'ref_gone']],
  );
  assert.deepEqual([report.kept_refs, report.contents], [2, 1]);
  assert.equal(json(box, ['refs', 'drop', 'v1']).contents, 0, 'the work tree uses all of it');
  assert.equal(json(box, ['verify']).ok, true);
});

test('a server of a bare repository makes its index and follows what is pushed to its branch', async () => {
  const box = withBranch();
  const bare = withBare(box);
  const one = await agent(box, { workspace: bare });
  await one.until('get_status', {}, ({ freshness, ref }) => freshness === 'fresh' && ref === 'main');
  box.write({ 'web/pushed.ts': code('pushedLater') });
  box.git('add', '-A');
  box.git('commit', '-qm', 'three');
  box.git('push', '-q', bare, 'main');
  await one.until('locate_symbol', { name: 'pushedLater' }, ({ results }) =>
    JSON.stringify(results ?? '').includes('web/pushed.ts'),
  );
  await one.leave();
});

test('a bare repository answers from HEAD’s branch, else from the project’s default', () => {
  const box = withBranch();
  const bare = withBare(box);
  worked(box, ['index', '--quiet', '--path', bare]);
  assert.equal(json(box, ['status', '--path', bare]).ref, 'main');
  box.git('-C', bare, 'symbolic-ref', 'HEAD', 'refs/heads/not-there');
  assert.match(worked(box, ['locate', 'NextDelay', '--path', bare]), /policy\.go/);
  box.git('checkout', '-q', '--detach', 'topic');
  worked(box, ['index', '--quiet']);
  assert.equal(json(box, ['status']).ref, 'live', 'a work tree without a branch');
});
