/** One line of code: its number, which links to the line, and its coloured text. */

import type { Token } from '../../../model/highlight/highlight.ts';
import { revealHidden } from '../../../model/untrusted/visible-text.ts';
import { memo } from '../data/memo.ts';
import { cutLine, type LinkRange, type Range } from './segments.ts';

interface CodeLineProps {
  readonly line: number;
  readonly tokens: readonly Token[];
  readonly links?: readonly LinkRange[] | undefined;
  readonly marks?: readonly Range[] | undefined;
  readonly href: string;
  readonly isPointed?: boolean;
  readonly isAnchor?: boolean;
}

export const CodeLine = memo<CodeLineProps>(function CodeLine({
  line,
  tokens,
  links,
  marks,
  href,
  isPointed,
  isAnchor,
}) {
  const segments = cutLine(tokens, links, marks);
  return (
    <div class={isPointed ? 'row pointed' : 'row'} {...(isAnchor && { id: `L${line}` })}>
      <a class="line-number" href={href} data-line={line} tabIndex={-1} aria-hidden="true" />
      <span class="source">
        {segments.map(({ text: raw, kind, isMarked, link }) => {
          const text = revealHidden(raw);
          const words = isMarked ? <mark>{text}</mark> : text;
          if (link >= 0)
            return (
              <span class={`id t-${kind}`} data-link={link} role="button" tabIndex={-1}>
                {words}
              </span>
            );
          return kind === 'plain' ? words : <span class={`t-${kind}`}>{words}</span>;
        })}
        {'\n'}
      </span>
    </div>
  );
});
