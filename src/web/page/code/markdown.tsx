/** Renders a Markdown document: headings, lists, coloured code, links into the project. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { fileAddress } from '../data/addresses.ts';
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts';
import { Snippet } from './snippet.tsx';

export interface MarkdownProps {
  /** The document's path, which relative links start from. */
  readonly path: string;
  readonly content: string;
}

export function Markdown({ path, content }: MarkdownProps) {
  const blocks = useMemo(() => markdownBlocks(content), [content]);
  return (
    <div class="markdown">
      {blocks.map((block, i) => (
        <Block key={i} block={block} path={path} />
      ))}
    </div>
  );
}

function Block({ block, path }: { readonly block: MarkdownBlock; readonly path: string }) {
  if (block.kind === 'heading')
    return (
      <Heading level={block.level} line={block.line}>
        {inline(block.text, path)}
      </Heading>
    );
  if (block.kind === 'code')
    return <Snippet path={path} language={block.language || 'text'} startLine={1} content={block.text} isPlain />;
  if (block.kind === 'paragraph' || block.kind === 'quote') {
    const shown = inline(block.text, path);
    if (shown.length === 0) return null;
    return block.kind === 'quote' ? <blockquote>{shown}</blockquote> : <p>{shown}</p>;
  }
  if (block.kind === 'list')
    return (
      <ul>
        {block.items.map(({ depth, mark, text }, i) => (
          <li key={i} class={`depth-${depth}${mark === '' ? '' : ' numbered'}`}>
            {mark !== '' && <span class="soft">{mark} </span>}
            {inline(text, path)}
          </li>
        ))}
      </ul>
    );
  return <Table rows={block.rows} path={path} />;
}

interface TableProps {
  readonly rows: readonly (readonly string[])[];
  readonly path: string;
}

function Table({ rows: [head = [], ...rows], path }: TableProps) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table class="listing">
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i}>{inline(cell, path)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, at) => (
                <td key={at}>{inline(cell, path)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps {
  readonly level: number;
  readonly line: number;
  readonly children: ComponentChildren;
}

/** A heading, one level below the page's own. */
function Heading({ level, line, children }: HeadingProps) {
  const Tag = level <= 1 ? 'h2' : level === 2 ? 'h3' : 'h4';
  return (
    <Tag id={`L${line}`} class={`level-${Math.min(level, 4)}`}>
      {children}
    </Tag>
  );
}

const MARKS = /(`[^`]+`|\*\*[^*]+\*\*|__[^_]+__|!?\[[^\]]*\]\([^)\s]*(?:\s[^)]*)?\)|\*[^*\s][^*]*\*)/;

/** Longer texts stay unformatted, because parsing their inline marks would take too long. */
const MOST_CHARACTERS = 5_000;

function inline(text: string, path: string): ComponentChildren[] {
  if (text.length > MOST_CHARACTERS) return [text];
  // A picture inside a link is a badge, which would be fetched from another origin.
  const bare = text.replace(/\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)/g, '');
  return bare.split(MARKS).flatMap((part, i) => {
    if (part.trim() === '' && i % 2 === 1) return [];
    return i % 2 === 0 ? (part === '' ? [] : [part]) : [marked(part, path)];
  });
}

function marked(part: string, path: string): ComponentChildren {
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
  const [, picture, words, href] = /^(!?)\[([^\]]*)\]\(([^)\s]*)/.exec(part) ?? [];
  if (href !== undefined) return picture === '!' ? words : <Link href={href} words={words!} path={path} />;
  return part.startsWith('**') || part.startsWith('__') ? (
    <strong>{inline(part.slice(2, -2), path)}</strong>
  ) : (
    <em>{inline(part.slice(1, -1), path)}</em>
  );
}

interface LinkProps {
  readonly href: string;
  readonly words: string;
  readonly path: string;
}

function Link({ href, words, path }: LinkProps) {
  const shown = words.replace(/[`*]/g, '') || href;
  if (/^https?:/i.test(href))
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {shown}
      </a>
    );
  const file = /^[\w./@+-]+/.exec(href)?.[0];
  if (file === undefined) return <span>{shown}</span>;
  return <a href={fileAddress(resolved(path, file))}>{shown}</a>;
}

function resolved(from: string, to: string): string {
  const parts = to.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of to.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
