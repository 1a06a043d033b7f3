/**
 * The glob matcher. Settings (include, exclude), search filters and grep filters all use it, so a pattern means the
 * same everywhere.
 *
 * A pattern without a slash matches a name at any depth ("*.sql", "vendor"); one with a slash matches from the root
 * ("src/**", "./src/auth"). A pattern that names a folder matches everything below it. A path that matches a pattern
 * with `!` does not match. Dots are ordinary characters. Clients and repositories supply patterns, so the work is
 * bounded by the length of the pattern times that of the path, and so is the number of patterns in braces.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import { expandBraces } from './expand-braces.ts';
import { ANY_DEPTH, compileName, matchSegments, type Segment } from './name-pattern.ts';

export type PathMatcher = (path: string) => boolean;
type NamesMatcher = (names: readonly string[]) => boolean;

const MAX_LENGTH = 1000;
const MAX_PATTERNS = 1000;

/** An empty list matches nothing; a list of negative patterns matches everything else. Throws invalid_pattern. */
export function compileGlobs(patterns: readonly string[]): PathMatcher {
  if (patterns.length > MAX_PATTERNS)
    throw new EngineError('invalid_pattern', {
      pattern: `${String(patterns[0]).slice(0, 100)}, …`,
      reason: `there are ${patterns.length} patterns; the limit is ${MAX_PATTERNS}`,
    });
  const positive: NamesMatcher[] = [];
  const negative: NamesMatcher[] = [];
  for (const pattern of patterns) {
    if (typeof pattern === 'string' && pattern.startsWith('!')) negative.push(...compileOne(pattern.slice(1), pattern));
    else positive.push(...compileOne(pattern, pattern));
  }
  if (positive.length === 0 && negative.length === 0) return () => false;
  return (path) => {
    const names = path.split('/');
    return (
      (positive.length === 0 || positive.some((matches) => matches(names))) &&
      !negative.some((matches) => matches(names))
    );
  };
}

/** Compiles one matcher for each pattern that the braces of a glob stand for. */
function compileOne(source: string, shown: string): NamesMatcher[] {
  const fail = (reason: string) => new EngineError('invalid_pattern', { pattern: String(shown), reason });
  if (typeof source !== 'string') throw fail('it is not a text');
  if (source.trim() === '') throw fail('it is empty');
  if (source.length > MAX_LENGTH) throw fail(`it is longer than ${MAX_LENGTH} characters`);
  if (source.includes('\0')) throw fail('it contains a NUL byte');
  const expanded = expandBraces(source);
  if (typeof expanded === 'string') throw fail(expanded);
  return expanded.map((glob) => compilePlain(glob, fail));
}

function compilePlain(source: string, fail: (reason: string) => EngineError): NamesMatcher {
  const parts = source.split('/');
  const isAnchored = parts[0] === '' || parts[0] === '.' || parts.slice(1).some((part) => part !== '');
  const endsWithSlash = parts.length > 1 && parts.at(-1) === '';
  const names = parts.filter((part) => part !== '' && part !== '.');
  if (names.includes('..')) throw fail('".." leads out of the project');
  const last = names.at(-1);
  if (last === undefined) return () => true;
  const segments = names.map((name): Segment => {
    if (/^\*{2,}$/.test(name)) return ANY_DEPTH;
    const matcher = compileName(name);
    if (matcher === null) throw fail('a bracket or an escape in it has no end');
    return matcher;
  });
  // "src/**" also matches "src" itself, so that the folder is skipped as a whole. After a name with a star the pattern
  // needs one more name, so "*/**" matches no file of the root.
  const above = names.findLast((name) => !/^\*{2,}$/.test(name)) ?? '';
  if (segments.at(-1) === ANY_DEPTH && above.includes('*')) segments.splice(-1, 0, () => true);
  if (!isAnchored) segments.unshift(ANY_DEPTH);
  // "src/*" matches one level. "src/auth" and "src/*/" name folders, so they match everything below, too.
  if (endsWithSlash || !/[*?[]/.test(last)) segments.push(ANY_DEPTH);
  return (path) => matchSegments(segments, path);
}
