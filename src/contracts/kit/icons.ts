import type { Icon } from './text-content.ts';

/**
 * Builds an icon of one path as a data URL, so that no file is fetched or shipped. `path` is SVG path data in a 24 × 24
 * box.
 */
export function pathIcon(path: string): readonly Icon[] {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='${path}'/></svg>`;
  // Percent-encoded, because the protocol's schema requires a URL without spaces and angle brackets.
  return [{ src: `data:image/svg+xml,${svg.replace(/[<>#\s]/g, encodeURIComponent)}`, mimeType: 'image/svg+xml' }];
}

export const ICON_PATHS = {
  sextant: 'M11 2h2l7 15a11 11 0 01-16 0zm1 4L6.5 16.4a8 8 0 0011 0zm0 6a2 2 0 110 4 2 2 0 010-4z',
  index: 'M4 4h16v4H4zm0 6h16v4H4zm0 6h16v4H4z',
  search: 'M10 3a7 7 0 105 12l6 6 1-1-6-6A7 7 0 0010 3zm0 2a5 5 0 110 10 5 5 0 010-10z',
  docs: 'M5 2h10l4 4v16H5zm3 8h8v2H8zm0 4h8v2H8z',
  research: 'M4 2h6v6H8v4h8v-2h6v6h-6v-2H8v6H6V8H4z',
  status: 'M3 20h4V10H3zm7 0h4V4h-4zm7 0h4v-8h-4z',
} as const;
