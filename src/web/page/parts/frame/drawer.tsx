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
