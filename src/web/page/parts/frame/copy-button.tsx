/** Copies a text and confirms it for a moment. */
import { useState } from 'preact/hooks';

const CONFIRM_MS = 1500;

export interface CopyButtonProps {
  readonly words: string;
  /** The text, or a function that returns it when the button is pressed. */
  readonly text: string | (() => string);
  readonly shortcut?: string;
}

export function CopyButton({ words, text, shortcut }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    setDone(true);
    setTimeout(() => setDone(false), CONFIRM_MS);
  };
  return (
    <button
      type="button"
      class="plain"
      {...(shortcut !== undefined && { 'aria-keyshortcuts': shortcut })}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{done ? 'Copied' : words}</span>
    </button>
  );
}
