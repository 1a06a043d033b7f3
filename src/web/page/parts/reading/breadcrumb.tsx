/** The folders of a path, each a link. */
import { fileAddress, to } from '../../data/addresses.ts';

export function Breadcrumb({ path, isFolder = false }: { readonly path: string; readonly isFolder?: boolean }) {
  const parts = path.split('/').filter(Boolean);
  return (
    <nav class="breadcrumb" aria-label="Path">
      <a href={to('folder')}>root</a>
      {parts.map((name, i) => {
        const here = parts.slice(0, i + 1).join('/');
        const isLast = i === parts.length - 1;
        const href = isLast && !isFolder ? fileAddress(here) : to('folder', { path: here });
        return (
          <span key={here}>
            <span class="slash" aria-hidden="true">
              /
            </span>
            <a href={href} {...(isLast && { 'aria-current': 'page' as const })}>
              {name}
            </a>
          </span>
        );
      })}
    </nav>
  );
}
