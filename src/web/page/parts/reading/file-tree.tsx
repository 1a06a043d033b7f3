/** The file tree, expanded folder by folder, with the usual arrow keys. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FolderEntry } from '../../../api/page-api.ts';
import { fileAddress } from '../../data/addresses.ts';
import { fetchAnswer, useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { showRow } from './show-row.ts';

export interface FileTreeProps {
  /** The shown file, whose folders are expanded. */
  readonly path: string;
}

export function FileTree({ path }: FileTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => foldersOf(path));
  const root = useRef<HTMLUListElement>(null);
  const isReady = useFirstFolders(path);
  useEffect(() => {
    setOpen((before) => new Set([...before, ...foldersOf(path)]));
  }, [path]);
  const toggle = (folder: string, wanted?: boolean) =>
    setOpen((before) => {
      const after = new Set(before);
      if (wanted ?? !before.has(folder)) after.add(folder);
      else after.delete(folder);
      return after;
    });
  return (
    <ul
      ref={root}
      class="tree"
      role="tree"
      aria-label="Files"
      onKeyDown={(event) => moveInTree(event, root.current!, toggle)}
    >
      {isReady && <Folder folder="" depth={0} open={open} toggle={toggle} current={path} />}
    </ul>
  );
}

/** Fetches all initially expanded folders before rendering, so that none moves another. */
function useFirstFolders(path: string): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const folders = ['', ...foldersOf(path)];
    void Promise.allSettled(folders.map((folder) => fetchAnswer('folder', { path: folder }))).then(() =>
      setReady(true),
    );
  }, []);
  return isReady;
}

interface FolderProps {
  readonly folder: string;
  readonly depth: number;
  readonly open: ReadonlySet<string>;
  readonly current: string;
  readonly toggle: (folder: string, wanted?: boolean) => void;
}

function Folder({ folder, depth, open, toggle, current }: FolderProps) {
  const { value, error } = useAnswer('folder', { path: folder });
  if (error) return <Problem error={error} />;
  return (
    <>
      {(value ?? []).map((entry) => (
        <Entry key={entry.path} entry={entry} depth={depth} open={open} toggle={toggle} current={current} />
      ))}
    </>
  );
}

function Entry({ entry, depth, open, toggle, current }: Omit<FolderProps, 'folder'> & { readonly entry: FolderEntry }) {
  const { path, name, isFolder } = entry;
  const isOpen = isFolder && open.has(path);
  const isCurrent = path === current;
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) showRow(row.current);
  }, [isCurrent]);
  const label = (
    <>
      <span class={isFolder ? 'twist' : 'twist none'} aria-hidden="true" />
      <span class="name">{name}</span>
    </>
  );
  return (
    <li role="none">
      <a
        ref={row}
        role="treeitem"
        class={`entry depth-${Math.min(depth, 12)}${isFolder ? ' folder' : ''}`}
        href={isFolder ? '#' : fileAddress(path)}
        data-path={path}
        tabIndex={isCurrent || (current === '' && depth === 0) ? 0 : -1}
        {...(isFolder && { 'aria-expanded': isOpen })}
        {...(isCurrent && { 'aria-current': 'page' as const })}
        aria-selected={isCurrent}
        aria-level={depth + 1}
        onClick={(event) => {
          if (!isFolder) return;
          event.preventDefault();
          toggle(path);
        }}
      >
        {label}
      </a>
      {isOpen && (
        <ul role="group">
          <Folder folder={path} depth={depth + 1} open={open} toggle={toggle} current={current} />
        </ul>
      )}
    </li>
  );
}

function moveInTree(event: KeyboardEvent, root: HTMLElement, toggle: (folder: string, wanted?: boolean) => void): void {
  const items = [...root.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const here = items[at];
  if (!here) return;
  const path = here.dataset.path!;
  const isOpen = here.getAttribute('aria-expanded');
  const parent = () => items.find((item) => item.dataset.path === path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => items[at + 1]?.focus(),
    ArrowUp: () => items[at - 1]?.focus(),
    Home: () => items[0]?.focus(),
    End: () => items.at(-1)?.focus(),
    ArrowRight: () => (isOpen === 'false' ? toggle(path, true) : items[at + 1]?.focus()),
    ArrowLeft: () => (isOpen === 'true' ? toggle(path, false) : parent()?.focus()),
    ' ': () => here.click(),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  event.stopPropagation();
  move();
}

function foldersOf(path: string): Set<string> {
  const parts = path.split('/');
  return new Set(parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/')));
}
