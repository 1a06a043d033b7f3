/**
 * The rules that a path alone decides, in one order for every kind of listing: live with git, live without, and a ref's
 * tree.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { FileFlag, type SkippedFile } from '../../model/records/source-file.ts';
import type { WalkOptions } from '../walk-project.ts';
import { binaryExtension } from './file-types.ts';
import { compileGlobs, type PathMatcher } from './globs.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { createPathJudge, type PathVerdict, wholeFolder, whyFlagged } from './path-flags.ts';
import { secretKind } from './secrets.ts';

/** Longer paths cannot be opened anywhere, and no project means them. */
const MAX_PATH = 4096;

export type PathFilterOptions = Omit<WalkOptions, 'root' | 'signal'>;

export interface PathFilter {
  /** FileFlag bits of a file that stays, or why it goes; a folder that goes whole is named with a slash at its end. */
  judge(path: string): number | SkippedFile;
  /** Why nothing below the folder can stay, or null. */
  judgeFolder(folder: string): SkippedFile | null;
  /** Matched by an `include` pattern. */
  isKept(path: string): boolean;
}

export function createPathFilter(options: PathFilterOptions, ownRules: IgnoreRules): PathFilter {
  const verdictOf = createPathJudge();
  const excluded = compileSetting('index.exclude', options.exclude);
  const kept = compileSetting('index.include', options.include);
  const unwanted: readonly { readonly flag: number; readonly reason: SkippedFile['reason'] }[] = [
    ...(options.includeVendor ? [] : [{ flag: FileFlag.Vendored, reason: 'vendored' as const }]),
    ...(options.includeGenerated ? [] : [{ flag: FileFlag.Generated, reason: 'generated' as const }]),
  ];

  function findWholeFolder(verdict: PathVerdict): SkippedFile | null {
    for (const { flag, reason } of unwanted) {
      const folder = (verdict.flags & flag) === 0 ? null : wholeFolder(verdict, flag);
      if (folder !== null) return { path: `${folder}/`, reason, detail: whyFlagged(verdict, flag) };
    }
    return null;
  }

  function ownIgnored(path: string): SkippedFile | null {
    const matched = ownRules.match(path);
    return matched === null ? null : { path: matched, reason: 'excluded', detail: '.sextantignore' };
  }

  /** A pattern that takes back may name something below any folder. */
  const takesBack = options.exclude.some((pattern) => pattern.startsWith('!'));
  function excludedFolder(path: string): string | null {
    if (takesBack) return null;
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      if (excluded(path.slice(0, slash))) return path.slice(0, slash + 1);
    return null;
  }

  return {
    isKept: kept,
    judgeFolder(folder) {
      if (!takesBack && excluded(folder)) return { path: `${folder}/`, reason: 'excluded', detail: 'configuration' };
      const ignored = ownIgnored(`${folder}/`);
      if (ignored) return ignored;
      // An include pattern may name something below.
      return options.include.length > 0 ? null : findWholeFolder(verdictOf(`${folder}/.`));
    },
    judge(path) {
      if (path.length > MAX_PATH) return { path: path.slice(0, 200), reason: 'unreadable', detail: 'path too long' };
      if (path.includes('\\')) return { path, reason: 'invalid_name', detail: 'backslash in the name' };
      const ignored = ownIgnored(path);
      if (ignored) return ignored;
      if (excluded(path)) return { path: excludedFolder(path) ?? path, reason: 'excluded', detail: 'configuration' };
      const verdict = verdictOf(path);
      const isKept = options.include.length > 0 && kept(path);
      const whole = isKept ? null : findWholeFolder(verdict);
      if (whole) return whole;
      const secret = secretKind(path);
      if (secret !== null) return { path, reason: 'secret', detail: secret };
      const binary = binaryExtension(path);
      if (binary !== null) return { path, reason: 'binary', detail: `.${binary} file` };
      if (!isKept)
        for (const { flag, reason } of unwanted)
          if ((verdict.flags & flag) !== 0) return { path, reason, detail: whyFlagged(verdict, flag) };
      if (!options.includeTests && (verdict.flags & FileFlag.Test) !== 0)
        return { path, reason: 'excluded', detail: `tests: ${whyFlagged(verdict, FileFlag.Test)}` };
      return verdict.flags;
    },
  };
}

/**
 * An invalid pattern comes from a setting, not from the question, so the error names the setting. Throws
 * invalid_pattern.
 */
function compileSetting(name: string, patterns: readonly string[]): PathMatcher {
  try {
    return compileGlobs(patterns);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { pattern = '', reason } = error.data;
    throw new EngineError('invalid_pattern', { pattern, reason: `${reason} (setting ${name})` }, error);
  }
}

/** Sorted, and without entries below a folder that has one of its own. */
export function tidySkipped(entries: Iterable<SkippedFile>): SkippedFile[] {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  let folder = '\0';
  return sorted.filter(({ path }) => {
    if (path.startsWith(folder)) return false;
    if (path.endsWith('/')) folder = path;
    return true;
  });
}
