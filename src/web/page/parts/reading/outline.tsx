/** The symbols of a file; the visible one is marked while the user scrolls. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OutlineEntry } from '../../../../model/records/query.ts';
import { fileAddress } from '../../data/addresses.ts';
import { KindMark } from '../frame/kind-mark.tsx';

export interface OutlineProps {
  readonly path: string;
  readonly entries: readonly OutlineEntry[];
}

export function Outline({ path, entries }: OutlineProps) {
  const current = useLineOnScreen(entries);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  if (entries.length === 0) return <p class="soft">No symbols.</p>;
  return (
    <ul class="outline" ref={list}>
      {entries.map((entry) => (
        <li key={entry.symbolId}>
          <a
            class={`entry depth-${Math.min(entry.depth, 6)}`}
            href={fileAddress(path, String(entry.startLine))}
            title={entry.signature}
            {...(entry.symbolId === current && { 'aria-current': 'location' as const })}
          >
            <KindMark kind={entry.kind} />
            <span class="name">{entry.name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Id of the innermost entry around the first line below the top of the code. */
function useLineOnScreen(entries: readonly OutlineEntry[]): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const line = firstLineOnScreen();
      const around = entries.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
      const innermost = around.reduce<OutlineEntry | undefined>(
        (best, each) => (!best || each.depth >= best.depth ? each : best),
        undefined,
      );
      setCurrent(innermost?.symbolId ?? '');
    };
    const scrolled = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    // Any of the page's panes may be the one that scrolls.
    addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      removeEventListener('scroll', scrolled, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, [entries]);
  return current;
}

function firstLineOnScreen(): number {
  const code = document.querySelector<HTMLElement>('.code.whole');
  const row = code?.querySelector<HTMLElement>('.row');
  if (!code || !row) return 1;
  const top = document.querySelector('.file-head')?.getBoundingClientRect().bottom ?? 0;
  const height = row.getBoundingClientRect().height;
  // A few lines below the edge: what is just leaving the screen is not what is read.
  return Math.max(1, Math.floor((top + 3 * height - code.getBoundingClientRect().top) / height) + 1);
}
