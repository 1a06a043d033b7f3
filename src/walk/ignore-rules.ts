/** Ignore files (.gitignore, .sextantignore) of nested folders, as git reads them: the deepest file with an opinion decides, and nothing below an ignored folder comes back. */
import ignore, { type Ignore } from 'ignore';

/** git's own setting on the platforms whose file systems ignore case. */
const IGNORE_CASE = process.platform === 'darwin' || process.platform === 'win32';

export interface IgnoreRules {
  /** Adds an ignore file's text for a folder ('' for the root). Later texts of one folder win over earlier ones. */
  add(folder: string, text: string): void;
  /** The outermost folder above `path` that is ignored, `path` itself where it is, or null. Folders end with a slash. */
  match(path: string): string | null;
  readonly isEmpty: boolean;
}

export function createIgnoreRules(): IgnoreRules {
  const sets = new Map<string, Ignore>();
  const folders = new Map<string, string | null>();

  /** Verdict of the rule files from the path's own folder up to the root. */
  function isIgnored(path: string): boolean {
    const bare = path.endsWith('/') ? path.slice(0, -1) : path;
    for (let end = bare.lastIndexOf('/'); ; end = bare.lastIndexOf('/', end - 1)) {
      const folder = end < 0 ? '' : bare.slice(0, end);
      const set = sets.get(folder);
      if (set) {
        const { ignored, unignored } = set.test(end < 0 ? path : path.slice(end + 1));
        if (ignored || unignored) return ignored;
      }
      if (end <= 0) return false;
    }
  }

  function matchFolder(folder: string): string | null {
    if (folder === '') return null;
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/');
    const above = matchFolder(slash < 0 ? '' : folder.slice(0, slash));
    const verdict = above ?? (isIgnored(`${folder}/`) ? `${folder}/` : null);
    folders.set(folder, verdict);
    return verdict;
  }

  return {
    add(folder, text) {
      const set = sets.get(folder) ?? ignore({ ignorecase: IGNORE_CASE });
      set.add(text.startsWith('\ufeff') ? text.slice(1) : text);
      sets.set(folder, set);
      folders.clear();
    },
    match(path) {
      if (sets.size === 0) return null;
      const bare = path.endsWith('/') ? path.slice(0, -1) : path;
      const slash = bare.lastIndexOf('/');
      const above = matchFolder(slash < 0 ? '' : bare.slice(0, slash));
      if (above !== null) return above;
      if (path.endsWith('/')) return matchFolder(bare);
      return isIgnored(path) ? path : null;
    },
    get isEmpty() {
      return sets.size === 0;
    },
  };
}
