/**
 * Applies the ignore files (.gitignore, .sextantignore) of nested folders as git does: the deepest file with a matching
 * pattern decides, and no pattern re-includes a file below an ignored folder.
 */
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import { type IgnorePattern, parseIgnoreLine } from './ignore-pattern.ts';
import type { MatchBudget } from './name-pattern.ts';

/** The rules of a longer ignore file do not count; files that people write are a thousand times shorter. */
export const MAX_RULES_BYTES = 1 << 20;

/**
 * Comparisons (of patterns, names and characters) per walk: enough for 200 rules on a million files. The work is the
 * product of rules and files, and a repository chooses both. The limit counts steps instead of time, so that the same
 * tree gives the same listing on every machine.
 */
const MAX_RULE_STEPS = 500_000_000;

/** The default of git's `core.ignoreCase` on these platforms, whose file systems ignore case. */
const IGNORE_CASE = process.platform === 'darwin' || process.platform === 'win32';

export interface IgnoreRules {
  /**
   * Adds an ignore file's text for a folder ('' for the root). Later texts of one folder win over earlier ones. Add the
   * rules of a folder before matching a path below it: verdicts are cached.
   */
  add(folder: string, text: string): void;
  /**
   * The outermost ignored folder above `path`, else `path` itself if it is ignored, else null. Folders end with a
   * slash.
   */
  match(path: string): string | null;
}

interface RuleSet {
  readonly folder: string;
  readonly patterns: IgnorePattern[];
}

/** After `maxSteps` comparisons, the rules ignore nothing more. */
export function createIgnoreRules(maxSteps = MAX_RULE_STEPS): IgnoreRules {
  const budget: MatchBudget = { steps: 0, max: maxSteps };
  const sets = new Map<string, RuleSet>();
  /** Rule sets that apply inside a folder, deepest first. */
  const chains = new Map<string, readonly RuleSet[]>();
  const verdicts = new Map<string, string | null>();

  function chainOf(folder: string): readonly RuleSet[] {
    const known = chains.get(folder);
    if (known) return known;
    const above = folder === '' ? [] : chainOf(folderOf(folder));
    const own = sets.get(folder);
    const chain = own ? [own, ...above] : above;
    chains.set(folder, chain);
    return chain;
  }

  /** Whether a rule ignores the path itself, apart from the folders above it. */
  function isIgnored(bare: string, isFolder: boolean): boolean {
    const name = nameOf(bare);
    for (const { folder, patterns } of chainOf(folderOf(bare))) {
      const relative = folder === '' ? bare : bare.slice(folder.length + 1);
      for (let i = patterns.length - 1; i >= 0; i--) {
        if (++budget.steps > budget.max) return false;
        const { foldersOnly, matches, isNegative } = patterns[i]!;
        if ((isFolder || !foldersOnly) && matches(relative, name)) return !isNegative;
      }
    }
    return false;
  }

  function matchFolder(folder: string): string | null {
    if (folder === '') return null;
    const known = verdicts.get(folder);
    if (known !== undefined) return known;
    const verdict = matchFolder(folderOf(folder)) ?? (isIgnored(folder, true) ? `${folder}/` : null);
    verdicts.set(folder, verdict);
    return verdict;
  }

  return {
    add(folder, text) {
      const set = sets.get(folder) ?? { folder, patterns: [] };
      for (const line of text.replace(/^\ufeff/, '').split('\n')) {
        const pattern = parseIgnoreLine(line, IGNORE_CASE, budget);
        if (pattern) set.patterns.push(pattern);
      }
      if (set.patterns.length === 0) return;
      sets.set(folder, set);
      chains.delete(folder);
    },
    match(path) {
      if (sets.size === 0) return null;
      if (path.endsWith('/')) return matchFolder(path.slice(0, -1));
      return matchFolder(folderOf(path)) ?? (isIgnored(path, false) ? path : null);
    },
  };
}
