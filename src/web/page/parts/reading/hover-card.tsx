/** Shows an identifier's signature and documentation beside it, while the pointer or the focus is on it. */
import { useEffect, useState } from 'preact/hooks';
import { highlight } from '../../../../model/highlight/highlight.ts';
import type { IdentifierLink, IdentifierLinks } from '../../../../model/records/browse.ts';
import type { SymbolInfo } from '../../../../model/records/query.ts';

const SHOW_AFTER_MS = 180;
const HIDE_AFTER_MS = 120;

export interface Hovered {
  readonly link: IdentifierLink;
  readonly at: DOMRect;
}

/** Tracks the identifier under the pointer or focus inside an element. */
export function useHovered(root: HTMLElement | null, links: IdentifierLinks | undefined): Hovered | null {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  useEffect(() => {
    setHovered(null);
    if (!root || !links) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (ms: number, next: Hovered | null) => {
      clearTimeout(timer);
      timer = setTimeout(() => setHovered(next), ms);
    };
    const enter = (event: Event) => {
      const anchor = (event.target as Element).closest?.<HTMLElement>('.id');
      const link = anchor && links.links[Number(anchor.dataset.link)];
      if (link) later(event.type === 'focusin' ? 0 : SHOW_AFTER_MS, { link, at: anchor.getBoundingClientRect() });
      else later(HIDE_AFTER_MS, null);
    };
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') later(0, null);
    };
    const moved = () => later(0, null);
    root.addEventListener('mouseover', enter);
    root.addEventListener('focusin', enter);
    root.addEventListener('mouseleave', moved);
    addEventListener('keydown', leave);
    addEventListener('scroll', moved, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      root.removeEventListener('mouseover', enter);
      root.removeEventListener('focusin', enter);
      root.removeEventListener('mouseleave', moved);
      removeEventListener('keydown', leave);
      removeEventListener('scroll', moved, { capture: true });
    };
  }, [root, links]);
  return hovered;
}

export function HoverCard({
  hovered,
  symbols,
}: {
  readonly hovered: Hovered;
  readonly symbols: readonly SymbolInfo[];
}) {
  const { link, at } = hovered;
  const targets = link.targets.map((index) => symbols[index]!);
  const isLow = at.bottom > innerHeight - 220;
  const place = {
    left: `${Math.max(8, Math.min(at.left, innerWidth - 520))}px`,
    ...(isLow ? { bottom: `${innerHeight - at.top + 6}px` } : { top: `${at.bottom + 6}px` }),
  };
  return (
    <div class="hover-card" role="tooltip" style={place}>
      {link.path !== undefined && <p class="place">{link.path}</p>}
      {targets.slice(0, 3).map((symbol) => (
        <Meaning key={symbol.symbolId} symbol={symbol} />
      ))}
      {targets.length > 3 && <p class="soft">and {targets.length - 3} more</p>}
      {link.targets.length > 0 && (
        <p class="soft hint">
          {link.confidence === 'exact' ? '' : `${link.confidence} · `}
          {link.isDefinition ? 'click for its uses' : 'click for its definition, again for its uses'}
        </p>
      )}
    </div>
  );
}

function Meaning({ symbol }: { readonly symbol: SymbolInfo }) {
  const { signature, name, doc, path, startLine, language } = symbol;
  return (
    <div class="meaning">
      <code class="signature">
        {highlight(signature || name, language).flatMap((line) =>
          line.map(({ kind, text }, i) => (
            <span key={i} class={`t-${kind}`}>
              {text}
            </span>
          )),
        )}
      </code>
      {doc !== '' && <p class="doc">{doc.length > 320 ? `${doc.slice(0, 320)}…` : doc}</p>}
      <p class="place">
        {path}:{startLine}
      </p>
    </div>
  );
}
