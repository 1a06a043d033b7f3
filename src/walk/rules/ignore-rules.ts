/**
 * Ignore files (.gitignore, .sextantignore) of nested folders, as git reads them: the deepest file with an opinion
 * decides, and nothing below an ignored folder comes back.
 */
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import { type IgnorePattern, parseIgnoreLine } from './ignore-pattern.ts';
import type { MatchBudget } from './name-pattern.ts';

/** A longer file has no rules: those that people write are a thousand times shorter. */
export const MAX_RULES_BYTES = 1 << 20;

/**
 * Comparisons of patterns, names and characters for the rules of one walk: 200 rules for a million files. The work is
 * the product of rules and files, and a repository chooses both. Counted, not timed, so that the same tree gives the
 * same list on every machine.
 */
export const MAX_RULE_STEPS = 500_000_000;

/** git's own setting on the platforms whose file systems ignore case. */
const IGNORE_CASE = process.platform === 'darwin' || process.platform === 'win32';

export interface IgnoreRules {
  /**
   * Adds an ignore file's text for a folder ('' for the root). Later texts of one folder win over earlier ones. A
   * folder's rules have to be there before anything below it is asked for: verdicts are remembered.
   */
  add(folder: string, text: string): void;
  /**
   * The outermost folder above `path` that is ignored, `path` itself where it is, or null. Folders end with a slash.
   */
  match(path: string): string | null;
}

interface RuleSet {
  readonly folder: string;
  readonly patterns: IgnorePattern[];
}

/** Once `maxSteps` are used up, the rules ignore nothing more. */
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

  /** Verdict on one path alone; those above it have been asked before. */
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
