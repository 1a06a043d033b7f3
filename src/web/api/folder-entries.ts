import type { FileSummary } from '../../model/records/browse.ts';
import type { FolderEntry } from './page-api.ts';

/** The direct entries of a folder ('' for the root): folders first, then files, each sorted by name. */
export function folderEntries(files: readonly FileSummary[], folder: string): FolderEntry[] {
  const prefix = folder === '' ? '' : `${folder.replace(/\/$/, '')}/`;
  const folders = new Map<string, { lines: number; files: number }>();
  const own: FolderEntry[] = [];
  for (const { path, language, lines } of files) {
    if (!path.startsWith(prefix)) continue;
    const rest = path.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash < 0) own.push({ name: rest, path, isFolder: false, language, lines, files: 1 });
    else {
      const name = rest.slice(0, slash);
      const sum = folders.get(name) ?? { lines: 0, files: 0 };
      sum.lines += lines;
      sum.files++;
      folders.set(name, sum);
    }
  }
  const inside = [...folders].map(([name, sum]) => ({
    name,
    path: prefix + name,
    isFolder: true,
    language: '',
    ...sum,
  }));
  return [...inside.sort(byName), ...own.sort(byName)];
}

function byName(a: FolderEntry, b: FolderEntry): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' }) || (a.name < b.name ? -1 : 1);
}
