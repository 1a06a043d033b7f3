/** The text of a discovery, with code between backquotes as code; the end of a long one on request. */
import { useState } from 'preact/hooks';

/** Settings of a linter, mined as one rule, fill a screen. */
const LONGEST = 480;

export function DiscoveryText({ content }: { readonly content: string }) {
  const [isWhole, showAll] = useState(content.length <= LONGEST * 1.2);
  const shown = isWhole ? content : content.slice(0, content.lastIndexOf(' ', LONGEST));
  const parts = shown.split(/(`[^`\n]+`)/);
  return (
    <span class="discovery-text">
      {parts.map((part, i) => (/^`.+`$/.test(part) ? <code key={i}>{part.slice(1, -1)}</code> : part))}
      {!isWhole && (
        <>
          {' … '}
          <button type="button" class="plain" onClick={() => showAll(true)}>
            Show all
          </button>
        </>
      )}
    </span>
  );
}
