/** The entries of a folder, with its README where there is one. */
import type { FolderEntry } from '../../api/page-api.ts';
import { Markdown } from '../code/markdown.tsx';
import { Snippet } from '../code/snippet.tsx';
import { fileAddress, to } from '../data/addresses.ts';
import { count, plural } from '../data/format-values.ts';
import { README } from '../data/readme.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Problem } from '../parts/frame/problem.tsx';
import { Breadcrumb } from '../parts/reading/breadcrumb.tsx';
import { FileTree } from '../parts/reading/file-tree.tsx';
import type { ViewProps } from './view.ts';

export function FolderView({ parameters }: ViewProps) {
  const path = parameters.get('path') ?? '';
  const { value: entries, error } = useAnswer('folder', { path });
  const lines = (entries ?? []).reduce((sum, entry) => sum + entry.lines, 0);
  const files = (entries ?? []).reduce((sum, entry) => sum + entry.files, 0);
  const readme = entries?.find(({ name, isFolder }) => !isFolder && README.test(name));
  return (
    <div class="reading">
      <aside class="side files" aria-label="Files">
        <FileTree path={path === '' ? '' : `${path}/`} />
      </aside>
      <div class="middle padded">
        <h1 class="hidden">{path || 'All files'}</h1>
        <Breadcrumb path={path} isFolder />
        {error ? <Problem error={error} /> : null}
        {entries && (
          <>
            <p class="soft">
              {plural(files, 'file')}, {plural(lines, 'line')}
            </p>
            <Entries entries={entries} />
            {readme && <Readme path={readme.path} />}
          </>
        )}
      </div>
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly FolderEntry[] }) {
  return (
    <table class="listing">
      <thead>
        <tr>
          <th>Name</th>
          <th>Language</th>
          <th class="figure">Files</th>
          <th class="figure">Lines</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ name, path, isFolder, language, lines, files }) => (
          <tr key={path}>
            <td>
              <a class="stop" href={isFolder ? to('folder', { path }) : fileAddress(path)}>
                {name}
                {isFolder ? '/' : ''}
              </a>
            </td>
            <td class="soft">{language}</td>
            <td class="figure soft">{isFolder ? count(files) : ''}</td>
            <td class="figure">{count(lines)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Readme({ path }: { readonly path: string }) {
  const { value } = useAnswer('file', { path });
  if (value?.path !== path) return null;
  return (
    <section class="readme">
      <h2>
        <a href={fileAddress(path)}>{path}</a>
      </h2>
      {value.language === 'markdown' ? (
        <Markdown path={path} content={value.content} />
      ) : (
        <Snippet path={path} language={value.language} startLine={1} content={value.content} maxLines={80} />
      )}
    </section>
  );
}
