/**
 * Applies the rules that need only a path, in the same order for all three kinds of listing: of git, of a folder
 * without git, and of a ref.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { FileFlag, type SkippedFile } from '../../model/records/source-file.ts';
import { compareText } from '../../model/text/path-text.ts';
import type { WalkOptions } from '../walk-project.ts';
import { binaryExtension } from './file-types.ts';
import { compileGlobs, type PathMatcher } from './globs.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { createPathJudge, type PathVerdict, skippedFolder, whyFlagged } from './path-flags.ts';
import { secretKind } from './secrets.ts';

/** No system opens longer paths. */
const MAX_PATH_CHARS = 4096;

export type PathFilterOptions = Omit<WalkOptions, 'root' | 'signal'>;

export interface PathFilter {
  /**
   * The FileFlag bits of a listed file, or the entry of a skipped one. If a whole folder is skipped, the entry names
   * the folder, with a slash at its end.
   */
  judge(path: string): number | SkippedFile;
  /** The entry of a folder in which every file is skipped; null if a file below it may be listed. */
  judgeFolder(folder: string): SkippedFile | null;
  /** Whether an `include` pattern matches the path. */
  isIncluded(path: string): boolean;
}

export function createPathFilter(options: PathFilterOptions, ownRules: IgnoreRules): PathFilter {
  const verdictOf = createPathJudge();
  const excluded = compileSetting('index.exclude', options.exclude);
  const included = compileSetting('index.include', options.include);
  const unwanted: readonly { readonly flag: number; readonly reason: SkippedFile['reason'] }[] = [
    ...(options.includeVendor ? [] : [{ flag: FileFlag.Vendored, reason: 'vendored' as const }]),
    ...(options.includeGenerated ? [] : [{ flag: FileFlag.Generated, reason: 'generated' as const }]),
  ];

  function findSkippedFolder(verdict: PathVerdict): SkippedFile | null {
    for (const { flag, reason } of unwanted) {
      const folder = (verdict.flags & flag) === 0 ? null : skippedFolder(verdict, flag);
      if (folder !== null) return { path: `${folder}/`, reason, detail: whyFlagged(verdict, flag) };
    }
    return null;
  }

  function matchOwnRules(path: string): SkippedFile | null {
    const matched = ownRules.match(path);
    return matched === null ? null : { path: matched, reason: 'excluded', detail: '.sextantignore' };
  }

  // A negative pattern may re-include a file below any excluded folder.
  const hasNegation = options.exclude.some((pattern) => pattern.startsWith('!'));
  function excludedFolder(path: string): string | null {
    if (hasNegation) return null;
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      if (excluded(path.slice(0, slash))) return path.slice(0, slash + 1);
    return null;
  }

  return {
    isIncluded: included,
    judgeFolder(folder) {
      if (!hasNegation && excluded(folder)) return { path: `${folder}/`, reason: 'excluded', detail: 'configuration' };
      const ignored = matchOwnRules(`${folder}/`);
      if (ignored) return ignored;
      // An include pattern may match a file below the folder.
      return options.include.length > 0 ? null : findSkippedFolder(verdictOf(`${folder}/.`));
    },
    judge(path) {
      if (path.length > MAX_PATH_CHARS)
        return { path: path.slice(0, 200), reason: 'unreadable', detail: 'path too long' };
      if (path.includes('\\')) return { path, reason: 'invalid_name', detail: 'backslash in the name' };
      const ignored = matchOwnRules(path);
      if (ignored) return ignored;
      if (excluded(path)) return { path: excludedFolder(path) ?? path, reason: 'excluded', detail: 'configuration' };
      const verdict = verdictOf(path);
      const isIncluded = options.include.length > 0 && included(path);
      const whole = isIncluded ? null : findSkippedFolder(verdict);
      if (whole) return whole;
      const secret = secretKind(path);
      if (secret !== null) return { path, reason: 'secret', detail: secret };
      const binary = binaryExtension(path);
      if (binary !== null) return { path, reason: 'binary', detail: `.${binary} file` };
      if (!isIncluded)
        for (const { flag, reason } of unwanted)
          if ((verdict.flags & flag) !== 0) return { path, reason, detail: whyFlagged(verdict, flag) };
      if (!options.includeTests && (verdict.flags & FileFlag.Test) !== 0)
        return { path, reason: 'excluded', detail: `tests: ${whyFlagged(verdict, FileFlag.Test)}` };
      return verdict.flags;
    },
  };
}

/** Compiles the globs of a setting. Throws invalid_pattern with the name of the setting. */
function compileSetting(name: string, patterns: readonly string[]): PathMatcher {
  try {
    return compileGlobs(patterns);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { pattern = '', reason } = error.data;
    throw new EngineError('invalid_pattern', { pattern, reason: `${reason} (setting ${name})` }, error);
  }
}

/** Sorts the entries by path, and removes those below a folder that has an entry. */
export function tidySkipped(entries: Iterable<SkippedFile>): SkippedFile[] {
  const sorted = [...entries].sort((a, b) => compareText(a.path, b.path));
  let folder = '\0';
  return sorted.filter(({ path }) => {
    if (path.startsWith(folder)) return false;
    if (path.endsWith('/')) folder = path;
    return true;
  });
}
