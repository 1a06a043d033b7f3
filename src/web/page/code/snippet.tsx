/** A few lines of code in an answer, with the query's words highlighted. */
import { useMemo } from 'preact/hooks';
import { highlight } from '../../../model/highlight/highlight.ts';
import { fileAddress } from '../data/addresses.ts';
import { bestWindow } from './best-window.ts';
import { CodeLine } from './code-line.tsx';
import { markTerms } from './mark-terms.ts';

export interface SnippetProps {
  readonly path: string;
  readonly language: string;
  readonly startLine: number;
  readonly content: string;
  readonly terms?: readonly string[];
  /** Longer snippets are cut to the best lines. */
  readonly maxLines?: number;
  readonly pointed?: readonly number[] | undefined;
  /** True to show no line numbers, because the lines are not from a file. */
  readonly isPlain?: boolean;
}

export function Snippet(props: SnippetProps) {
  const { path, language, startLine, content, terms = [], maxLines = 1000, pointed = [], isPlain = false } = props;
  const lines = useMemo(() => highlight(content.replace(/\n+$/, ''), language), [content, language]);
  const texts = lines.map((tokens) => tokens.map(({ text }) => text).join(''));
  const marks = texts.map((text) => markTerms(text, terms));
  const first = bestWindow(
    marks.map(({ length }, i) => (pointed.includes(startLine + i) ? 5 : length)),
    maxLines,
  );
  const shown = lines.slice(first, first + maxLines);
  return (
    <pre
      class={isPlain ? 'code plain-code' : 'code'}
      tabIndex={0}
      aria-label={isPlain ? 'Code' : `${path}, from line ${startLine + first}`}
    >
      {shown.map((tokens, i) => {
        const line = startLine + first + i;
        return (
          <CodeLine
            key={line}
            line={line}
            tokens={tokens}
            marks={marks[first + i]}
            href={fileAddress(path, String(line))}
            isPointed={pointed.includes(line)}
          />
        );
      })}
    </pre>
  );
}
