/** Repositories whose configuration tries to execute a program. */
import { appendFileSync, chmodSync, cpSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  blameLines,
  findIgnored,
  readBlobs,
  readCommitActivity,
  readFolderFingerprint,
  readHistory,
  resolveRef,
  userIgnoreFile,
  walk,
  walkRef,
} from '../../index.ts';
import { makeRepository, makeTree, optionsFor, type TempTree } from '../../temp-tree.fixture.ts';

export const MISSING = '1'.repeat(40);

/** All that the room asks git; refusals are answers, too. */
export async function askEverything(folder: string): Promise<void> {
  const options = optionsFor(folder);
  const history = { folder, isWhole: true, from: 'HEAD' };
  const calls: (() => Promise<unknown>)[] = [
    () => walk(options),
    () => walk({ ...options, trustIds: true }),
    () => readFolderFingerprint(options),
    () => findIgnored(folder, true),
    () => userIgnoreFile(folder),
    () => blameLines(folder, 'a.ts', [1, 1]),
    () => readCommitActivity(folder, 5_000),
    () => walkRef(folder, 'main', options),
    () => resolveRef(folder, 'HEAD~0'),
    () => readHistory(history, () => true),
    () => readHistory({ ...history, isWhole: false }, () => true),
    async () => {
      for await (const _ of readBlobs(folder, [MISSING]));
    },
  ];
  for (const call of calls) await call().catch(() => undefined);
}

export interface Trap {
  readonly tree: TempTree;
  /** A program that leaves a file behind. */
  readonly program: string;
  readonly sprung: () => boolean;
  readonly config: (...settings: [name: string, value: string][]) => void;
}

/** A repository whose files look changed, so that git compares their contents. */
export function setTrap(t: TestContext): Trap {
  const tree = makeRepository(t, { 'a.ts': 'export const a = 1;\n', 'b.ts': 'b\n' });
  tree.commit();
  utimesSync(join(tree.root, 'a.ts'), 1, 1);
  const outside = makeTree(t, { program: '' }).root;
  const mark = join(outside, 'executed');
  const program = join(outside, 'program');
  writeFileSync(program, `#!/bin/sh\necho executed >> ${mark}\nexit 1\n`);
  chmodSync(program, 0o755);
  return {
    tree,
    program,
    sprung: () => {
      const executed = existsSync(mark);
      rmSync(mark, { force: true });
      return executed;
    },
    config: (...settings) => {
      for (const [name, value] of settings) tree.git('config', name, value);
    },
  };
}

/** A remote that has what the repository lacks, by the means that is to be tried. */
function promise({ tree, config }: Trap, ...settings: [string, string][]): void {
  tree.git('update-index', '--add', '--info-only', 'b.ts');
  tree.git('update-index', '--add', '--cacheinfo', `100644,${MISSING},missing.ts`);
  const lacking = tree.git('write-tree', '--missing-ok').trim();
  tree.git('update-ref', 'refs/heads/main', tree.git('commit-tree', '-m', 'lacks a file', lacking).trim());
  // Files that may be converted are compared with the size of what git has.
  tree.write({ '.gitattributes': '* text=auto\n', 'missing.ts': 'x\n' });
  config(
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ...settings,
  );
}

/** `plain`: what git itself does with it, unless it is not known to run with these commands. */
export const ATTACKS: Record<string, { readonly set: (trap: Trap) => void; readonly plain?: readonly string[] }> = {
  'a filter': {
    set: ({ tree, config, program }) => {
      config(['filter.own name.clean', program], ['filter.own name.required', 'true']);
      tree.write({
        '.git/info/attributes': '*.ts filter=own\\040name\n',
        '.gitattributes': '"*.ts" filter="own name"\n',
      });
      config(['filter.other.clean', program]);
      tree.write({ '.git/info/attributes': '*.ts filter=other\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter by a process': {
    set: ({ tree, config, program }) => {
      config(['filter.other.process', program]);
      tree.write({ '.git/info/attributes': '*.ts filter=other\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter in a file that the configuration includes': {
    set: ({ tree, config, program }) => {
      tree.write({ 'more.cfg': `[filter "inc"]\n\tclean = ${program}\n`, '.git/info/attributes': '*.ts filter=inc\n' });
      config(['include.path', '../more.cfg']);
    },
    plain: ['ls-files', '-m'],
  },
  'a filter in a file that is included for this folder': {
    set: ({ tree, config, program }) => {
      tree.write({ 'more.cfg': `[filter "inc"]\n\tclean = ${program}\n`, '.git/info/attributes': '*.ts filter=inc\n' });
      config([`includeIf.gitdir:${tree.root}/.path`, '../more.cfg']);
    },
    plain: ['ls-files', '-m'],
  },
  'a filter in the configuration of the work tree': {
    set: ({ tree, config, program }) => {
      config(['core.repositoryFormatVersion', '1'], ['extensions.worktreeConfig', 'true']);
      tree.write({
        '.git/config.worktree': `[filter "tree"] clean = ${program}\n`,
        '.git/info/attributes': '*.ts filter=tree\n',
      });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter that is written in other ways': {
    set: ({ tree, program }) => {
      appendFileSync(
        join(tree.root, '.git/config'),
        `[core] [FILTER "q\\"uo\\\\te"] clean = ${program}\n[filter.Dotted]\nclean=${program}\n`,
      );
      tree.write({ '.git/info/attributes': 'a.ts filter=dotted\nb.ts filter=q"uo\\te\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter whose name is not UTF-8': {
    set: ({ tree, program }) => {
      const name = Buffer.from([0x66, 0xff]);
      const around = (before: string, after: string) => Buffer.concat([Buffer.from(before), name, Buffer.from(after)]);
      appendFileSync(join(tree.root, '.git/config'), around('[filter "', `"]\n\tclean = ${program}\n`));
      tree.write({ '.git/info/attributes': around('*.ts filter=', '\n') });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter without a name': {
    set: ({ tree, program }) => {
      appendFileSync(join(tree.root, '.git/config'), `[filter ""]\n\tclean = ${program}\n`);
      tree.write({ '.git/info/attributes': '*.ts filter=\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a filter whose name cannot be switched off': {
    set: ({ tree, config, program }) => {
      config(['filter.a=b.clean', program]);
      tree.write({ '.git/info/attributes': '*.ts filter=a=b\n' });
    },
    plain: ['ls-files', '-m'],
  },
  'a monitor': { set: ({ config, program }) => config(['core.fsmonitor', program]), plain: ['ls-files', '-m'] },
  hooks: {
    set: ({ tree, config, program }) => {
      for (const name of ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'read-object'])
        cpSync(program, join(tree.root, 'hooks', name));
      config(['core.hooksPath', join(tree.root, 'hooks')], ['gc.auto', '1'], ['core.virtualizeObjects', 'true']);
    },
  },
  'pagers, differences, signatures, editors': {
    set: ({ tree, config, program }) => {
      config(
        ['core.pager', program],
        ['pager.log', program],
        ['pager.ls-files', program],
        ['diff.external', program],
        ['diff.own.command', program],
        ['diff.own.textconv', program],
        ['log.showSignature', 'true'],
        ['log.diffMerges', 'on'],
        ['log.follow', 'true'],
        ['gpg.program', program],
        ['core.editor', program],
        ['core.askPass', program],
        ['credential.helper', `!${program}`],
        ['core.virtualFilesystem', program],
        ['alias.ls-files', `!${program}`],
        ['alias.log', `!${program}`],
        ['core.alternateRefsCommand', program],
        ['uploadpack.packObjectsHook', program],
        ['trailer.x.cmd', program],
        ['mailmap.file', '/dev/zero'],
        ['blame.ignoreRevsFile', '/dev/zero'],
      );
      tree.write({ '.git/info/attributes': '*.ts diff=own\n' });
    },
  },
  'a remote over ssh': {
    set: (trap) => promise(trap, ['remote.origin.url', 'ssh://nowhere/x'], ['core.sshCommand', trap.program]),
    plain: ['cat-file', '-p', MISSING],
  },
  'a remote by a helper': {
    set: (trap) => promise(trap, ['remote.origin.url', `ext::${trap.program}`], ['protocol.ext.allow', 'always']),
    plain: ['cat-file', '-p', MISSING],
  },
  'a remote of no kind, for which an alias stands': {
    set: (trap) =>
      promise(trap, ['remote.origin.url', 'x'], ['remote.origin.vcs', ''], ['alias.remote-', `!${trap.program}`]),
  },
  'a remote on this machine with a program of its own': {
    set: (trap) =>
      promise(trap, ['remote.origin.url', trap.tree.root], ['remote.origin.uploadpack', `${trap.program};`]),
    plain: ['cat-file', '-p', MISSING],
  },
};

/** A bare repository inside of another one, as a clone brings it: its files are tracked by the repository around it. */
export function embed(t: TestContext, { tree, program }: Trap): string {
  const inner = makeRepository(t, { 'inner.ts': 'export const inner = 1;\n' });
  inner.commit();
  const bare = join(tree.root, 'sub');
  cpSync(join(inner.root, '.git'), bare, { recursive: true });
  rmSync(join(bare, 'hooks'), { recursive: true });
  for (const folder of ['refs', 'objects/info', 'objects/pack']) tree.write({ [`sub/${folder}/keep`]: '' });
  const settings =
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = wt\n\tfsmonitor = ${program}\n` +
    `[filter "x"]\n\tclean = ${program}\n`;
  tree.write({
    'sub/config': settings,
    'sub/a.ts': 'a\n',
    'sub/wt/inner.ts': 'b\n',
    'sub/wt/.gitattributes': '* filter=x\n',
  });
  return bare;
}

/** A repository of the user's that a hostile folder leads to. */
export function secretRepository(t: TestContext): TempTree {
  const secret = makeRepository(t, { 'secret.ts': 'export const secret = 1;\n' });
  secret.commit('a secret subject');
  return secret;
}

export async function historyOf(folder: string): Promise<string[]> {
  const subjects: string[] = [];
  await readHistory({ folder, isWhole: true, from: 'HEAD' }, ({ subject }) => subjects.push(subject) > 0);
  return subjects;
}
