/** The text of a discovery, with code between backquotes as code. */
export function DiscoveryText({ content }: { readonly content: string }) {
  const parts = content.split(/(`[^`\n]+`)/);
  return (
    <span class="discovery-text">
      {parts.map((part, i) => (/^`.+`$/.test(part) ? <code key={i}>{part.slice(1, -1)}</code> : part))}
    </span>
  );
}
