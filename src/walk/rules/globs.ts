/**
 * The one glob matcher: configuration (include, exclude), search filters and grep filters mean the same by the same pattern.
 *
 * A pattern without a slash matches a name at any depth ("*.sql", "vendor"); one with a slash matches from the root ("src/**", "./src/auth").
 * A pattern that names a folder matches everything below it. `!` takes back what the others match. Dots are ordinary characters.
 */
import picomatch from 'picomatch';
import { EngineError } from '../../model/records/engine-errors.ts';

export type PathMatcher = (path: string) => boolean;

const MAX_LENGTH = 1000;
/** Stars within one segment multiply the work on a path that nearly matches. */
const MAX_STARS_A_SEGMENT = 6;

/** Throws invalid_pattern. No patterns match nothing; only negative patterns match everything else. */
export function compileGlobs(patterns: readonly string[]): PathMatcher {
  const positive: PathMatcher[] = [];
  const negative: PathMatcher[] = [];
  for (const pattern of patterns) {
    if (typeof pattern === 'string' && pattern.startsWith('!')) negative.push(compileOne(pattern.slice(1), pattern));
    else positive.push(compileOne(pattern, pattern));
  }
  if (positive.length === 0 && negative.length === 0) return () => false;
  return (path) =>
    (positive.length === 0 || positive.some((matches) => matches(path))) && !negative.some((matches) => matches(path));
}

function compileOne(source: string, shown: string): PathMatcher {
  const fail = (reason: string, cause?: unknown) =>
    new EngineError('invalid_pattern', { pattern: String(shown), reason }, cause);
  if (typeof source !== 'string') throw fail('it is not a text');
  if (source.trim() === '') throw fail('it is empty');
  if (source.length > MAX_LENGTH) throw fail(`it is longer than ${MAX_LENGTH} characters`);
  if (source.includes('\0')) throw fail('it contains a NUL byte');
  let glob = source.replace(/^(?:\.\/)+/, '');
  const anchored = glob !== source || glob.startsWith('/') || /\/[^/]/.test(glob);
  // "src/*" is one level; "src/auth", "src/*/" are folders.
  const folder = glob.endsWith('/') || !/[*?[{]/.test(glob.slice(glob.lastIndexOf('/') + 1));
  glob = glob.replace(/^\/+/, '').replace(/\/+$/, '');
  if (glob === '' || glob === '.') return () => true;
  if (glob.split('/').includes('..')) throw fail('".." leads out of the project');
  for (const segment of glob.split('/'))
    if ((segment.match(/\*+/g)?.length ?? 0) > MAX_STARS_A_SEGMENT)
      throw fail(`more than ${MAX_STARS_A_SEGMENT} stars in one name`);
  if (!anchored) glob = `**/${glob}`;
  try {
    const options = {
      dot: true,
      strictBrackets: true,
      noextglob: true,
      nonegate: true,
      posix: true,
      debug: true,
    } as const;
    const itself = picomatch.makeRe(glob, options);
    const below = picomatch.makeRe(`${glob}/**`, options);
    return folder ? (path) => itself.test(path) || below.test(path) : (path) => itself.test(path);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
}
