/**
 * Shows a whole file. Lines are grouped in blocks: a block far from the viewport is plain text of the same height, so
 * that a file of twenty thousand lines opens at once, the browser's search finds everything in it, and nothing moves
 * when a block is coloured.
 */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { highlight, type Token } from '../../../model/highlight/highlight.ts';
import { revealHidden } from '../../../model/untrusted/visible-text.ts';
import { fileAddress } from '../data/addresses.ts';
import { memo } from '../data/memo.ts';
import { CodeLine } from './code-line.tsx';
import type { LineRange } from './line-range.ts';
import type { LinkRange } from './segments.ts';

const BLOCK = 120;
/** Blocks within this distance of the viewport are coloured. */
const MARGIN = '1200px';

export interface CodeViewProps {
  readonly path: string;
  readonly language: string;
  readonly content: string;
  /** Identifiers by line. */
  readonly links: ReadonlyMap<number, readonly LinkRange[]>;
  readonly pointed: LineRange | null;
}

export function CodeView({ path, language, content, links, pointed }: CodeViewProps) {
  const lines = useMemo(() => highlight(content.replace(/\n$/, ''), language), [content, language]);
  const starts = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, i) => i * BLOCK);
  const widest = useMemo(() => String(lines.length).length, [lines]);
  return (
    <pre class={`code whole digits-${widest}`} tabIndex={0} aria-label={`Source of ${path}`}>
      {starts.map((start) => {
        const end = Math.min(start + BLOCK, lines.length);
        const isNear = pointed !== null && pointed.first <= end && pointed.last > start;
        return (
          <Block
            key={start}
            path={path}
            lines={lines}
            start={start}
            end={end}
            links={links}
            pointed={isNear ? pointed : null}
            isFirst={start === 0 || isNear}
          />
        );
      })}
    </pre>
  );
}

interface BlockProps {
  readonly path: string;
  readonly lines: readonly Token[][];
  readonly start: number;
  readonly end: number;
  readonly links: ReadonlyMap<number, readonly LinkRange[]>;
  readonly pointed: LineRange | null;
  /** True for the block that is coloured immediately. */
  readonly isFirst: boolean;
}

const Block = memo<BlockProps>(function Block({ path, lines, start, end, links, pointed, isFirst }) {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    if (isFirst) setNear(true);
  }, [isFirst]);
  useEffect(() => {
    if (isNear) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [isNear]);
  const own = lines.slice(start, end);
  if (!isNear)
    return (
      <div ref={element} class="block far">
        {revealHidden(own.map((tokens) => `${tokens.map(({ text }) => text).join('')}\n`).join(''))}
      </div>
    );
  return (
    <div ref={element} class="block">
      {own.map((tokens, i) => {
        const line = start + i + 1;
        return (
          <CodeLine
            key={line}
            line={line}
            tokens={tokens}
            links={links.get(line)}
            href={fileAddress(path, String(line))}
            isPointed={pointed !== null && pointed.first <= line && line <= pointed.last}
            isAnchor
          />
        );
      })}
    </div>
  );
});
