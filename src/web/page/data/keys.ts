/** Keyboard shortcuts. A view adds its own while it is shown; none fires while the user types in a field. */
import { useEffect } from 'preact/hooks';

export interface Key {
  readonly key: string;
  readonly words: string;
  readonly run: (event: KeyboardEvent) => void;
}

const shown = new Map<object, { readonly keys: readonly Key[]; readonly isGeneral: boolean }>();

/** The active shortcuts, for the help: global ones first. */
export function currentKeys(): readonly Key[] {
  return [...shown.values()].sort((a, b) => Number(b.isGeneral) - Number(a.isGeneral)).flatMap(({ keys }) => keys);
}

export function useKeys(keys: readonly Key[], isGeneral = false): void {
  useEffect(() => {
    const owner = {};
    shown.set(owner, { keys, isGeneral });
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const found = keys.find(({ key }) => key === event.key);
      if (!found) return;
      event.preventDefault();
      found.run(event);
    };
    addEventListener('keydown', pressed);
    return () => {
      shown.delete(owner);
      removeEventListener('keydown', pressed);
    };
  });
}

function isTyping({ target }: Event): boolean {
  return (
    target instanceof HTMLElement && (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  );
}
