/** The file view: tree, source, outline; identifiers link to their definitions and uses. */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { IdentifierLink, IdentifierLinks } from '../../../model/records/browse.ts';
import type { ReadFileAnswer } from '../../../model/records/query.ts';
import { CodeView } from '../code/code-view.tsx';
import { formatLines, type LineRange, parseLines } from '../code/line-range.ts';
import { linksByLine } from '../code/links-by-line.ts';
import { Markdown } from '../code/markdown.tsx';
import { documentHeadings } from '../code/markdown-blocks.ts';
import { fileAddress, to } from '../data/addresses.ts';
import { Refusal } from '../data/api.ts';
import { useKeys } from '../data/keys.ts';
import { StatusContext } from '../data/status.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Why } from '../parts/answers/why.tsx';
import { Drawer } from '../parts/frame/drawer.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { isScope } from '../parts/frame/repositories.tsx';
import { type FileActions, FileHead } from '../parts/reading/file-head.tsx';
import { FileLinks } from '../parts/reading/file-links.tsx';
import { FileTree } from '../parts/reading/file-tree.tsx';
import { HoverCard, useHovered } from '../parts/reading/hover-card.tsx';
import { Outline } from '../parts/reading/outline.tsx';
import { SameName } from '../parts/reading/same-name.tsx';
import { UsesOf } from '../parts/reading/uses.tsx';
import { currentLines, readingKeys } from './reading-keys.ts';
import type { ViewProps } from './view.ts';

type Panel = { readonly uses: string; readonly name: string } | { readonly why: LineRange } | null;

export function FileView({ parameters }: ViewProps) {
  const path = parameters.get('path') ?? '';
  const { value: file, error } = useAnswer('file', { path });
  const isShown = file?.path === path;
  const [side, setSide] = useState<Side>(null);
  // On a narrow screen, the side panels cover the code: close them when a line is chosen.
  useEffect(() => setSide(null), [path, parameters.get('lines')]);
  useEffect(() => {
    if (side === null) return;
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setSide(null);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [side]);
  const toggle = (wanted: Side) => setSide(side === wanted ? null : wanted);
  return (
    <div class={`reading${side === null ? '' : ` shows-${side}`}`}>
      <aside class="side files" aria-label="Files" id="files">
        <FileTree path={path} />
      </aside>
      {error ? (
        <div class="middle padded">
          <p class="side-buttons">
            <FilesButton side={side} toggle={toggle} />
          </p>
          <Problem error={error} />
          {error instanceof Refusal && error.code === 'file_not_found' && <SameName path={path} />}
        </div>
      ) : isShown ? (
        <Opened
          key={path}
          file={file}
          pointed={parseLines(parameters.get('lines') ?? '')}
          isDocument={parameters.get('as') === 'document'}
          sides={<SideButtons side={side} toggle={toggle} />}
        />
      ) : (
        <div class="middle" aria-busy="true" />
      )}
      {side !== null && (
        <button type="button" class="backdrop" aria-label="Back to the code" onClick={() => setSide(null)} />
      )}
    </div>
  );
}

type Side = 'files' | 'about' | null;

interface SideButtonsProps {
  readonly side: Side;
  readonly toggle: (wanted: Side) => void;
}

function FilesButton({ side, toggle }: SideButtonsProps) {
  return (
    <button type="button" class="plain for-files" aria-expanded={side === 'files'} onClick={() => toggle('files')}>
      Files
    </button>
  );
}

function SideButtons({ side, toggle }: SideButtonsProps) {
  return (
    <span class="side-buttons">
      <FilesButton side={side} toggle={toggle} />
      <button type="button" class="plain for-about" aria-expanded={side === 'about'} onClick={() => toggle('about')}>
        Outline
      </button>
    </span>
  );
}

function documentAddress(path: string, line: number): string {
  return to('file', { path, as: 'document', lines: String(line) });
}

interface OpenedProps {
  readonly file: ReadFileAnswer;
  readonly pointed: LineRange | null;
  /** True to render a document instead of its source. */
  readonly isDocument: boolean;
  readonly sides: ComponentChildren;
}

function Opened({ file, pointed, isDocument, sides }: OpenedProps) {
  const { path, language, content, outline, indexed } = file;
  const { value: links } = useAnswer('links', indexed ? { path } : null);
  const byLine = useMemo(() => linksByLine(links), [links]);
  const headings = useMemo(() => (language === 'markdown' ? documentHeadings(content) : []), [language, content]);
  const [panel, setPanel] = useState<Panel>(null);
  const code = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<HTMLElement | null>(null);
  useEffect(() => setRoot(code.current), []);
  const hovered = useHovered(root, links);
  useTarget(pointed);
  const actions = useActions(file, (why) => setPanel({ why }));
  const follow = (link: IdentifierLink, answer: IdentifierLinks) => {
    const target = answer.symbols[link.targets[0] ?? -1];
    if (link.path !== undefined) location.hash = fileAddress(link.path);
    else if (target && link.isDefinition) setPanel({ uses: target.symbolId, name: target.name });
    else if (target) location.hash = fileAddress(target.path, String(target.startLine));
  };
  useKeys(readingKeys(file, actions, (symbol) => setPanel({ uses: symbol.symbolId, name: symbol.name })));
  return (
    <>
      <div class="middle">
        <FileHead file={file} lines={pointed} isDocument={isDocument} actions={actions} sides={sides} />
        <div
          ref={code}
          class="code-pane"
          onKeyDown={(event) => {
            const { target } = event;
            if (event.key === 'Enter' && target instanceof HTMLElement && target.matches('.id')) target.click();
          }}
          onClick={(event) => {
            const anchor = (event.target as Element).closest<HTMLElement>('a, .id');
            if (!anchor || event.ctrlKey || event.metaKey) return;
            const link = links?.links[Number(anchor.dataset.link ?? -1)];
            if (link) {
              event.preventDefault();
              follow(link, links!);
            } else if (anchor.dataset.line && event.shiftKey && pointed) {
              event.preventDefault();
              const line = Number(anchor.dataset.line);
              const range = { first: Math.min(pointed.first, line), last: Math.max(pointed.last, line) };
              location.hash = fileAddress(path, formatLines(range));
            }
          }}
        >
          {isDocument ? (
            <div class="padded">
              <Markdown path={path} content={content} />
            </div>
          ) : (
            <CodeView path={path} language={language} content={content} links={byLine} pointed={pointed} />
          )}
        </div>
        {hovered && links && <HoverCard hovered={hovered} symbols={links.symbols} />}
        {panel && 'uses' in panel && (
          <Drawer title={`Uses of ${panel.name}`} onClose={() => setPanel(null)}>
            <UsesOf id={panel.uses} />
          </Drawer>
        )}
        {panel && 'why' in panel && (
          <Drawer title={`Why, ${formatLines(panel.why)}`} onClose={() => setPanel(null)}>
            <Why path={path} lines={panel.why} />
          </Drawer>
        )}
      </div>
      <aside class="side about" aria-label="About this file">
        <h2>Outline</h2>
        <Outline
          entries={language === 'markdown' ? headings : outline}
          addressOf={(line) => (isDocument ? documentAddress(path, line) : fileAddress(path, String(line)))}
        />
        <FileLinks file={file} />
      </aside>
    </>
  );
}

/** Scrolls to the lines of the URL, once per URL. */
function useTarget(pointed: LineRange | null): void {
  const line = pointed?.first ?? 0;
  useEffect(() => {
    const row = line > 0 ? document.getElementById(`L${line}`) : null;
    if (row) row.scrollIntoView({ block: isOnScreen(row) ? 'nearest' : 'center' });
    else document.querySelector('.code-pane')?.scrollTo(0, 0);
  }, [line]);
}

function isOnScreen(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const head = document.querySelector('.file-head')?.getBoundingClientRect().bottom ?? 0;
  return top > head && bottom < innerHeight - 20;
}

function useActions(file: ReadFileAnswer, why: (lines: LineRange) => void): FileActions {
  const { status } = useContext(StatusContext);
  return {
    root: status && !isScope(status.project.root) ? status.project.root : null,
    why: () => why(currentLines()),
    copyLink: () => navigator.clipboard.writeText(location.href),
    openRaw: () => {
      // Saved from memory: a new request could not send the token.
      const blob = new Blob([file.content], { type: 'text/plain;charset=utf-8' });
      open(URL.createObjectURL(blob), '_blank', 'noopener');
    },
  };
}
