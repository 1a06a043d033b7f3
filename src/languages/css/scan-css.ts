import type { ScannedContent } from '../language.ts';
import { fold, ScanDraft } from '../runtime/scanning/scan-draft.ts';

const INCLUDE = /^@include\s+(?:([\w-]+)\.)?([\w-]+)/;

/**
 * CSS, SCSS, Less: top-level rules and at-rules by their selector, custom properties and variables as constants, mixins and functions,
 * imports. Nested rules belong to the rule around them.
 */
export function scanCss(lines: readonly string[]): ScannedContent {
  const draft = new ScanDraft();
  /** Symbol of each open block, -1 for none, and the innermost symbol up to it. */
  const blocks: number[] = [];
  const owners: number[] = [];
  let head = '';
  /** Nothing but white space in the head yet. */
  let blank = true;
  let headLine = 0;
  let inComment = false;
  let comment = '';
  let commentLine = 0;
  const seen = new Set<string>();
  for (let row = 0; row < lines.length; row++) {
    const line = lines[row]!;
    for (let i = 0; i < line.length; i++) {
      if (inComment) {
        const close = line.indexOf('*/', i);
        comment += `\n${line.slice(i, close < 0 ? undefined : close).replace(/^\s*\*+\s?/, '')}`;
        if (close < 0) break;
        inComment = false;
        i = close + 1;
        continue;
      }
      const c = line[i]!;
      if (c === '/' && line[i + 1] === '*') {
        inComment = true;
        comment = '';
        commentLine = row;
        i++;
      } else if (c === '/' && line[i + 1] === '/' && line[i - 1] !== ':') {
        break;
      } else if (c === '"' || c === "'") {
        const close = line.indexOf(c, i + 1);
        head += line.slice(i, close < 0 ? undefined : close + 1);
        i = close < 0 ? line.length : close;
      } else if (c === '#' && line[i + 1] === '{') {
        const close = line.indexOf('}', i);
        head += line.slice(i, close < 0 ? undefined : close + 1);
        i = close < 0 ? line.length : close;
      } else if (c === '{') {
        openBlock(open(head.trim(), row));
        head = '';
        blank = true;
      } else if (c === '}') {
        declare(head.trim(), row);
        head = '';
        blank = true;
        owners.pop();
        const symbol = blocks.pop();
        if (symbol !== undefined && symbol >= 0) draft.end(symbol, row + 1);
      } else if (c === ';') {
        declare(head.trim(), row);
        head = '';
        blank = true;
      } else {
        if (blank && c > ' ') {
          headLine = row;
          blank = false;
        }
        head += c;
      }
    }
    head += ' ';
  }
  return draft.finish();

  /** The name may stand lines below its `@include`; without a place there is no reference. */
  function addInclude(name: string, receiver: string, from: number): void {
    const column = lines[headLine]!.indexOf(name);
    if (column >= 0) draft.refer('call', name, receiver, headLine + 1, column + 1, from);
  }

  function docAbove(): { readonly doc: string; readonly fullStartLine: number } {
    const doc = comment.trim();
    const near = doc !== '' && commentLine <= headLine && headLine - commentLine - doc.split('\n').length <= 1;
    comment = '';
    return {
      doc: near ? doc.replace(/^[-=*\s]+|[-=*\s]+$/g, '') : '',
      fullStartLine: (near ? commentLine : headLine) + 1,
    };
  }

  function openBlock(symbol: number): void {
    owners.push(symbol >= 0 ? symbol : (owners[owners.length - 1] ?? -1));
    blocks.push(symbol);
  }

  function open(text: string, row: number): number {
    const parent = owners[owners.length - 1] ?? -1;
    const callable = /^@(?:mixin|function)\s+([\w-]+)/.exec(text);
    // `@include media-up(md) { … }` hands a block over.
    const included = INCLUDE.exec(text);
    if (included) addInclude(included[2]!, included[1] ?? '', parent);
    const name = callable ? callable[1]! : fold(text).slice(0, 120);
    if (name === '' || (blocks.length > 0 && !callable && parent >= 0)) return -1;
    return draft.add({
      name,
      kind: callable ? 'function' : 'constant',
      ...docAbove(),
      signature: text,
      startLine: headLine + 1,
      endLine: row + 1,
    });
  }

  function declare(text: string, row: number): void {
    const variable = /^(--[\w-]+|\$[\w-]+|@[\w-]+)\s*:/.exec(text);
    const imported = /^@(?:import|use|forward)\s+(?:url\()?\s*["']?([^"');]+)/.exec(text);
    const included = INCLUDE.exec(text);
    const from = owners[owners.length - 1] ?? -1;
    if (imported) draft.import(imported[1]!, headLine + 1, /\bas\s+([\w-]+)/.exec(text)?.[1] ?? '');
    else if (included) addInclude(included[2]!, included[1] ?? '', from);
    else if (variable && !seen.has(variable[1]!)) {
      seen.add(variable[1]!);
      draft.add({
        name: variable[1]!,
        kind: 'constant',
        parent: from,
        ...docAbove(),
        signature: text,
        startLine: headLine + 1,
        endLine: row + 1,
      });
    }
  }
}
