/**
 * What a judge says about calls. A judge prints one line for each call, with fields separated by tabs: path, line,
 * column, name, line where the whole call begins, `function` or `value`, and the right definitions, joined by `|`, or
 * `-` for an external one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface JudgedSite {
  readonly path: string;
  readonly line: number;
  /** 1-based, in the judge's own unit: only the order of distances matters. 0 if irrelevant. */
  readonly column: number;
  readonly name: string;
  /** A chain over several lines begins before the line of its last name. */
  readonly startLine: number;
  /** `value`: the call of a parameter or another variable. A wrong edge at it counts, a missing one does not. */
  readonly kind: 'function' | 'value';
  /**
   * `path:line` of the name. Several if a class or its constructor, or a declaration or its definition, are both right.
   * Empty: external.
   */
  readonly targets: readonly string[];
}

export function parseSites(text: string): JudgedSite[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [path, row, column, name, startLine, kind, targets] = line.split('\t');
      return {
        path: path!,
        line: Number(row),
        column: Number(column),
        name: name!,
        startLine: Number(startLine),
        kind: kind === 'function' ? 'function' : 'value',
        targets: targets === '-' ? [] : targets!.split('|'),
      };
    });
}

export interface LabelledRepository {
  /** `owner/name` as on GitHub. */
  readonly repository: string;
  readonly commit: string;
  readonly sites: readonly {
    readonly file: string;
    readonly line: number;
    readonly column?: number;
    readonly name: string;
    /** `path:line`, several joined by `|`; `external`; or `local path:line` for a parameter or a variable. */
    readonly expected: string;
  }[];
}

/** The calls of a language that were labelled by hand; empty if there are none. */
export function readLabels(folder: string, language: string): LabelledRepository[] {
  const file = join(folder, `${language}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).repositories : [];
}

export function labelledSites({ sites }: LabelledRepository): JudgedSite[] {
  return sites.map(({ file, line, column, name, expected }) => ({
    path: file,
    line,
    column: column ?? 0,
    name,
    startLine: line,
    kind: expected.startsWith('local ') ? 'value' : 'function',
    targets: expected === 'external' ? [] : expected.replace(/^local /, '').split('|'),
  }));
}
