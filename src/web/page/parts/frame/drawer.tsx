/** A panel below the code: uses of a symbol, why lines are as they are. Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Drawer({ title, onClose, children }: DrawerProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const from = document.activeElement;
    panel.current?.focus();
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, [title]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [onClose]);
  useEffect(() => {
    const element = panel.current!;
    const grown = new ResizeObserver(() => element.isConnected && scrollChosenAbove(element));
    grown.observe(element);
    return () => grown.disconnect();
  }, []);
  return (
    <section class="drawer" aria-label={title} tabIndex={-1} ref={panel}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      <div class="drawer-body">{children}</div>
    </section>
  );
}

/** Scrolls so that the panel does not cover the chosen line. */
function scrollChosenAbove(panel: HTMLElement): void {
  const row = document.querySelector<HTMLElement>('.row.pointed');
  const head = document.querySelector('.file-head')?.getBoundingClientRect().bottom ?? 0;
  const { top = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {};
  if (!row || (top >= head && bottom <= panel.getBoundingClientRect().top)) return;
  const pane = row.closest<HTMLElement>('.code-pane');
  const scroller = pane && pane.scrollHeight > pane.clientHeight ? pane : document.scrollingElement!;
  scroller.scrollTop += top - head - 2 * row.offsetHeight;
}
