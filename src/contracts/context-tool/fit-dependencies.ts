/**
 * Fits the imports of a file into a budget: contents while they fit, then outlines, then names. A small file after a
 * large one still has its content. Every import is named, however many there are.
 */
import type { FileDependency, OutlineEntry } from '../../model/records/query.ts';
import { bytesOf } from '../kit/token-budget.ts';

/** About 10,000 tokens: clients warn about answers of that size, and the file itself comes first. */
const CONTENT_BYTES = 36_000;
/** Outline lines of each import whose content does not fit. */
const OUTLINE_BYTES = 12_000;
const MAX_NAMED = 5;

interface ShownDependency extends Pick<FileDependency, 'path' | 'type' | 'level'> {
  readonly content?: string;
  readonly outline?: readonly string[];
}

export interface FittedDependencies {
  readonly dependencies: readonly ShownDependency[];
  /** Lists the shortened imports and how to read them. */
  readonly warnings: readonly string[];
}

export function fitDependencies(all: readonly FileDependency[]): FittedDependencies {
  const room = { content: CONTENT_BYTES, outline: OUTLINE_BYTES };
  const take = (part: keyof typeof room, value: unknown): boolean => {
    const bytes = bytesOf(value);
    if (bytes > room[part]) return false;
    room[part] -= bytes;
    return true;
  };
  const outlined: string[] = [];
  const namesOnly: string[] = [];
  const dependencies = all.map(({ path, type, level, content, outline = [] }): ShownDependency => {
    const named = { path, type, level };
    if (content !== undefined && take('content', content)) return { ...named, content };
    const lines = outline.map(outlineLine);
    if (lines.length > 0 && take('outline', lines)) {
      outlined.push(path);
      return { ...named, outline: lines };
    }
    namesOnly.push(path);
    return named;
  });
  return {
    dependencies,
    warnings: [
      ...explain(outlined, 'shown by outline: the contents do not fit. Read with read_file what is needed'),
      ...explain(namesOnly, 'named without content: it does not fit, or may not be read'),
    ],
  };
}

/** "12-40 function parse(text: string): Tree", indented below what contains it. */
function outlineLine({ depth, startLine, endLine, kind, name, signature }: OutlineEntry): string {
  return `${'  '.repeat(depth)}${startLine}-${endLine} ${signature || `${kind} ${name}`}`;
}

function explain(paths: readonly string[], how: string): string[] {
  if (paths.length === 0) return [];
  const unnamedCount = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return [`${paths.slice(0, MAX_NAMED).join(', ')}${unnamedCount} ${paths.length === 1 ? 'is' : 'are'} ${how}`];
}
