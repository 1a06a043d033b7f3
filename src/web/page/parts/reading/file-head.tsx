/** The sticky heading of a file: its name and actions. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ReadFileAnswer } from '../../../../model/records/query.ts';
import { formatLines, type LineRange } from '../../code/line-range.ts';
import { fileAddress, to } from '../../data/addresses.ts';
import { chooseEditor, chosenEditor, EDITORS, editorAddress } from '../../data/editor.ts';
import { ago, bytes, plural } from '../../data/format-values.ts';
import { CopyButton } from '../frame/copy-button.tsx';
import { Breadcrumb } from './breadcrumb.tsx';

export interface FileActions {
  /** Folder of the project on this machine; null while unknown. */
  readonly root: string | null;
  readonly why: () => void;
  readonly copyLink: () => Promise<void>;
  readonly openRaw: () => void;
}

export interface FileHeadProps {
  readonly file: ReadFileAnswer;
  readonly lines: LineRange | null;
  readonly isDocument: boolean;
  readonly actions: FileActions;
  /** Buttons for the panels that are beside the code on a wide screen. */
  readonly sides: ComponentChildren;
}

export function FileHead({ file, lines, isDocument, actions, sides }: FileHeadProps) {
  const { path, language, lines: total, size, lastModifiedMs, indexed, module, role } = file;
  return (
    <header class="file-head">
      <h1 class="hidden">{path}</h1>
      <Breadcrumb path={path} />
      <span class="actions">
        {sides}
        {language === 'markdown' && (
          <a class="plain" href={isDocument ? fileAddress(path) : to('file', { path, as: 'document' })}>
            {isDocument ? 'Source' : 'As a document'}
          </a>
        )}
        {lines && <span class="chip">{formatLines(lines)}</span>}
        <button type="button" class="plain" onClick={actions.why} aria-keyshortcuts="w">
          Why
        </button>
        <a class="plain" href={impactAddress(path, lines)} aria-keyshortcuts="i">
          Impact
        </a>
        <CopyButton words="Copy link" text={() => location.href} shortcut="y" />
        <button type="button" class="plain" onClick={actions.openRaw} aria-keyshortcuts="r">
          Raw
        </button>
        {actions.root !== null && <EditorLink root={actions.root} path={path} line={lines?.first ?? 1} />}
      </span>
      <span class="facts">
        {language} · {plural(total, 'line')} · {bytes(size)}
        {module !== '' && ` · module ${module}`}
        {role !== 'core' && ` · ${role}`} · changed {ago(lastModifiedMs)}{' '}
        {!indexed && <span class="chip warn">newer than the index: no links, no outline</span>}
      </span>
    </header>
  );
}

/** A link to the impact of changing the file, or its chosen lines. */
export function impactAddress(path: string, lines: LineRange | null): string {
  return to('impact', { target: lines ? `${path}:${formatLines(lines)}` : path });
}

function EditorLink({ root, path, line }: { readonly root: string; readonly path: string; readonly line: number }) {
  const [editor, setEditor] = useState(chosenEditor());
  return (
    <span class="editor-choice">
      <a class="editor plain" href={editorAddress(root, path, line)} aria-keyshortcuts="e">
        Open in
      </a>
      <select
        aria-label="Editor"
        value={editor}
        onChange={(event) => {
          chooseEditor(event.currentTarget.value);
          setEditor(chosenEditor());
        }}
      >
        {Object.keys(EDITORS).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </span>
  );
}
