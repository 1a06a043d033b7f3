/**
 * The judges: programs that resolve calls like a compiler. Each prints its lines for a folder. The output is cached by
 * commit and by the judge's own source, because some take minutes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JudgedSite, parseSites } from './judged-sites.ts';
import { rustImplementers } from './rust-implementers.ts';
import { rustSites } from './rust-sites.ts';
import { readScip } from './scip.ts';

const here = join(dirname(fileURLToPath(import.meta.url)), 'judges');
const peers = join(here, '../../peers');

export interface JudgeTools {
  readonly python: string;
  readonly cache: string;
}

export interface Judge {
  readonly title: string;
  /** How to install what the judge needs. */
  readonly needs: string;
  readonly sources: readonly string[];
  /** Throws if the judge is not available. */
  check(tools: JudgeTools): void;
  run(folder: string, tools: JudgeTools, flags: readonly string[]): string;
}

const output = (command: string, args: readonly string[], cwd?: string) =>
  execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(cwd ? { cwd } : {}),
  });

export const JUDGES: Readonly<Record<string, Judge>> = {
  go: {
    title: 'go/types',
    needs: 'go on the path',
    sources: ['go/main.go', 'go/go.mod'],
    check: () => void output('go', ['version']),
    run(folder, { cache }) {
      const program = join(cache, 'judge-go');
      output('go', ['build', '-o', program, '.'], join(here, 'go'));
      return output(program, [folder]);
    },
  },
  typescript: {
    title: 'TypeScript 5.9 checker',
    needs: '`npm i` in bench/peers',
    sources: ['typescript.cjs'],
    check: () => void readdirSync(join(peers, 'node_modules/typescript')),
    run: (folder) =>
      output(process.execPath, [
        '--max-old-space-size=8192',
        join(here, 'typescript.cjs'),
        join(peers, 'node_modules/typescript'),
        folder,
      ]),
  },
  python: {
    title: 'jedi',
    needs: 'a Python with jedi, named by --python',
    sources: ['python_calls.py'],
    check: ({ python }) => void output(python, ['-c', 'import jedi']),
    run: (folder, { python }) => output(python, [join(here, 'python_calls.py'), folder]),
  },
  java: {
    title: 'javac',
    needs: 'a JDK of version 17 or later on the path',
    sources: ['CallSites.java'],
    check: () => void output('javac', ['-version']),
    run: (folder) =>
      output('java', [
        '--add-exports',
        'jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED',
        join(here, 'CallSites.java'),
        folder,
      ]),
  },
  clang: {
    title: 'libclang',
    needs: 'a Python with libclang, named by --python, and clang or gcc for its headers',
    sources: ['clang_calls.py'],
    check: ({ python }) => void output(python, ['-c', 'import clang.cindex; clang.cindex.Index.create()']),
    run: (folder, { python }, flags) => output(python, [join(here, 'clang_calls.py'), folder, ...flags]),
  },
  rust: {
    title: 'rust-analyzer',
    needs: 'cargo and rust-analyzer on the path',
    sources: ['../rust-sites.ts', '../scip.ts'],
    check: () => void output('rust-analyzer', ['--version']),
    run(folder, { cache }) {
      const index = join(cache, 'rust.scip');
      output('rust-analyzer', ['scip', folder, '--output', index]);
      return rustSites(folder, readScip(readFileSync(index)));
    },
  },
};

/** Judges of implementers, which print the lines that implementers.ts reads. */
export const IMPLEMENTER_JUDGES: Readonly<Record<string, Judge>> = {
  go: {
    title: 'go/types',
    needs: 'go on the path',
    sources: ['go-implementers/main.go', 'go-implementers/go.mod'],
    check: () => void output('go', ['version']),
    run(folder, { cache }) {
      const program = join(cache, 'judge-go-implementers');
      output('go', ['build', '-o', program, '.'], join(here, 'go-implementers'));
      return output(program, [folder]);
    },
  },
  typescript: {
    ...JUDGES.typescript!,
    sources: ['typescript-implementers.cjs'],
    run: (folder) =>
      output(process.execPath, [
        '--max-old-space-size=8192',
        join(here, 'typescript-implementers.cjs'),
        join(peers, 'node_modules/typescript'),
        folder,
      ]),
  },
  java: {
    ...JUDGES.java!,
    sources: ['Supertypes.java'],
    run: (folder) =>
      output('java', [
        '--add-exports',
        'jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED',
        join(here, 'Supertypes.java'),
        folder,
      ]),
  },
  rust: {
    title: 'rustdoc',
    needs: 'cargo on the path',
    sources: ['../rust-implementers.ts'],
    check: () => void output('cargo', ['--version']),
    run: (folder, { cache }) => rustImplementers(folder, join(cache, 'rust-target')),
  },
};

/** The judge's calls for the folder at this commit. */
export function judgedSites(
  judge: Judge,
  id: string,
  tree: { readonly folder: string; readonly commit: string },
  flags: readonly string[],
  tools: JudgeTools,
): JudgedSite[] {
  return parseSites(judgedText(judge, id, tree, flags, tools));
}

export function judgedText(
  judge: Judge,
  id: string,
  tree: { readonly folder: string; readonly commit: string },
  flags: readonly string[],
  tools: JudgeTools,
): string {
  const hash = createHash('sha256');
  for (const source of judge.sources) hash.update(readFileSync(join(here, source)));
  const file = join(tools.cache, `${id}-${tree.commit.slice(0, 12)}-${hash.digest('hex').slice(0, 8)}.tsv`);
  if (!existsSync(file)) {
    mkdirSync(tools.cache, { recursive: true });
    writeFileSync(`${file}.part`, judge.run(tree.folder, tools, flags));
    renameSync(`${file}.part`, file);
  }
  return readFileSync(file, 'utf8');
}
