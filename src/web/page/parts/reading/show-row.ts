/** Scrolls a row to the middle of its pane unless it is visible. The page itself does not scroll. */
export function showRow(row: HTMLElement | null | undefined): void {
  const pane = row?.closest<HTMLElement>('.side');
  if (!row || !pane) return;
  const [seen, own] = [pane.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.top >= seen.top && own.bottom <= Math.min(seen.bottom, innerHeight)) return;
  pane.scrollTop += own.top - seen.top - (seen.height - own.height) / 2;
}
