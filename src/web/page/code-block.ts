/** Source with its line numbers, the words of the question marked. */

import { fileAddress } from './addresses.ts';
import { h } from './dom.ts';
import { markTerms } from './terms.ts';

export interface CodeOptions {
  readonly path: string;
  readonly startLine: number;
  readonly terms?: readonly string[];
  /** Lines to point at. */
  readonly target?: { readonly first: number; readonly last: number } | null;
  /** Lines can be addressed: their elements have ids. */
  readonly anchored?: boolean;
}

export function codeBlock(content: string, options: CodeOptions): HTMLElement {
  const { path, startLine, terms = [], target, anchored } = options;
  const rows = content.replace(/\n$/, '').split('\n');
  return h(
    'pre',
    { class: 'code', tabindex: '0', 'aria-label': `${path} from line ${startLine}` },
    ...rows.map((text, i) => {
      const line = startLine + i;
      const pointed = target && line >= target.first && line <= target.last;
      return h(
        'div',
        { class: pointed ? 'row target' : 'row', ...(anchored && { id: `L${line}` }) },
        h('a', { href: fileAddress(path, String(line)), tabindex: '-1', 'aria-hidden': 'true' }, String(line)),
        h(
          'span',
          {},
          ...markTerms(text, terms).map((part) => (part.marked ? h('mark', {}, part.text) : part.text)),
          '\n',
        ),
      );
    }),
  );
}
