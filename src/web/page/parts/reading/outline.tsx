/** The symbols of a file, or the headings of a document; the visible one is marked while the user scrolls. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OutlineEntry } from '../../../../model/records/query.ts';
import { fromHash } from '../../data/addresses.ts';
import { KindMark } from '../frame/kind-mark.tsx';
import { outlineDepths } from './outline-depths.ts';
import { showRow } from './show-row.ts';

/** A heading has no kind and no signature. */
export type OutlineRow = Pick<OutlineEntry, 'symbolId' | 'name' | 'startLine' | 'endLine'> & {
  readonly kind?: OutlineEntry['kind'];
  readonly signature?: string;
};

export interface OutlineProps {
  readonly entries: readonly OutlineRow[];
  readonly addressOf: (line: number) => string;
}

export function Outline({ entries, addressOf }: OutlineProps) {
  const current = useLineOnScreen(entries);
  const depths = useMemo(() => outlineDepths(entries), [entries]);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    showRow(list.current?.querySelector<HTMLElement>('[aria-current]'));
  }, [current]);
  if (entries.length === 0) return <p class="soft">No symbols.</p>;
  return (
    <ul class="outline" ref={list}>
      {entries.map((entry, i) => (
        <li key={entry.symbolId}>
          <a
            class={`entry depth-${Math.min(depths[i]!, 6)}`}
            href={addressOf(entry.startLine)}
            title={entry.signature}
            {...(entry.symbolId === current && { 'aria-current': 'location' as const })}
          >
            {entry.kind && <KindMark kind={entry.kind} />}
            <span class="name">{entry.name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Id of the innermost entry at the chosen line, or, if that line is out of view, at the top of the code. */
function useLineOnScreen(entries: readonly OutlineRow[]): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const line = lineOnScreen();
      const around = entries.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
      // Entries come in the order of their lines: the last one around a line is the innermost.
      setCurrent(around.at(-1)?.symbolId ?? '');
    };
    const scrolled = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    // Captures the event, because any pane of the page may scroll.
    addEventListener('scroll', scrolled, { capture: true, passive: true });
    addEventListener('hashchange', scrolled);
    return () => {
      removeEventListener('hashchange', scrolled);
      removeEventListener('scroll', scrolled, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, [entries]);
  return current;
}

function lineOnScreen(): number {
  const headings = [...document.querySelectorAll<HTMLElement>('.code-pane .markdown [id^="L"]')];
  if (headings.length > 0) return headingOnScreen(headings);
  const code = document.querySelector<HTMLElement>('.code.whole');
  const row = code?.querySelector<HTMLElement>('.row');
  if (!code || !row) return 1;
  const top = document.querySelector('.file-head')?.getBoundingClientRect().bottom ?? 0;
  const chosen = code.querySelector<HTMLElement>('.row.pointed');
  const { top: chosenTop = 0, bottom: chosenEnd = 0 } = chosen?.getBoundingClientRect() ?? {};
  if (chosen && chosenTop >= top && chosenEnd <= innerHeight)
    return Number(chosen.querySelector<HTMLElement>('.line-number')?.dataset.line);
  const height = row.getBoundingClientRect().height;
  // A few lines below the edge: the user is not reading lines that are scrolling out of view.
  return Math.max(1, Math.floor((top + 3 * height - code.getBoundingClientRect().top) / height) + 1);
}

/** The heading of the address, while it is in sight, else the last one that has passed the upper third. */
function headingOnScreen(headings: readonly HTMLElement[]): number {
  const top = document.querySelector('.file-head')?.getBoundingClientRect().bottom ?? 0;
  const topOf = (heading: HTMLElement) => heading.getBoundingClientRect().top;
  const wanted = `L${fromHash(location.hash, null).parameters.get('lines')}`;
  const chosen = headings.find(
    (heading) => heading.id === wanted && topOf(heading) >= top && topOf(heading) < innerHeight,
  );
  const passed = headings.filter((heading) => topOf(heading) < top + (innerHeight - top) / 3);
  return Number((chosen ?? passed.at(-1) ?? headings[0]!).id.slice(1));
}
