import { fileAddress } from './addresses.ts';
import { codeBlock } from './code-block.ts';
import { type Child, count, h, plural } from './dom.ts';
import { parseLines } from './lines.ts';
import { callTool, type Json } from './mcp.ts';
import { problem } from './problem.ts';

const MAX_TOKENS = 40_000;
/** An outline is shown whole. */
const MAX_OUTLINE_TOKENS = 100_000;
/** Shown above a place that lies deep in a long file. */
const LINES_BEFORE = 100;

interface Entry {
  readonly lines: string;
  readonly kind: string;
  readonly name: string;
  readonly signature: string;
  readonly depth?: number;
}

export async function fileView(parameters: URLSearchParams, signal: AbortSignal): Promise<readonly Child[]> {
  const path = parameters.get('path') ?? '';
  const target = parseLines(parameters.get('lines') ?? '');
  const [file, { outline }] = await Promise.all([
    readPart(path, target, signal),
    callTool('read_file', { path, outline: true, max_tokens: MAX_OUTLINE_TOKENS }, signal),
  ]);
  const startLine = parseLines(String(file.lines))?.first ?? 1;
  const text = h(
    'div',
    {},
    startLine > 1 && h('p', {}, h('a', { class: 'stop', href: fileAddress(path) }, `Lines before ${count(startLine)}`)),
    codeBlock(String(file.content), { path, startLine, target, anchored: true }),
  );
  addRest(text, path, file, target);
  return [
    h('h1', {}, path),
    h('p', { class: 'soft' }, `${String(file.language)}, ${plural(file.total_lines, 'line')}`),
    h(
      'div',
      { class: 'columns' },
      h('nav', { class: 'outline', 'aria-label': 'Outline' }, outlineList(path, outline as readonly Entry[])),
      text,
    ),
  ];
}

/** The file from its first line; where the place that was asked for lies behind that part, the part around it. */
export async function readPart(
  path: string,
  target: ReturnType<typeof parseLines>,
  signal: AbortSignal,
): Promise<Json> {
  const first = await callTool('read_file', { path, max_tokens: MAX_TOKENS }, signal);
  const shown = parseLines(String(first.lines))?.last ?? 0;
  if (!target || first.next === undefined || target.first <= shown || target.first > Number(first.total_lines))
    return first;
  const startLine = Math.max(1, target.first - LINES_BEFORE);
  return callTool('read_file', { path, start_line: startLine, max_tokens: MAX_TOKENS }, signal);
}

function outlineList(path: string, entries: readonly Entry[]): HTMLElement {
  if (entries.length === 0) return h('p', { class: 'soft' }, 'No definitions in this file.');
  const items = entries.map((entry) => {
    const item = h(
      'li',
      { title: entry.signature },
      h('a', { class: 'stop', href: fileAddress(path, entry.lines) }, entry.name),
      h('span', { class: 'soft' }, ` ${entry.kind} ${entry.lines}`),
    );
    item.style.paddingLeft = `${(entry.depth ?? 0) * 0.9}rem`;
    return item;
  });
  return h('ul', { class: 'list' }, ...items);
}

/** A long file is shown in parts: the next one when it is asked for. */
function addRest(box: HTMLElement, path: string, file: Json, target: ReturnType<typeof parseLines>): void {
  const shown = parseLines(String(file.lines))?.last ?? 0;
  if (file.next === undefined || shown === 0) return;
  const more = h('button', { type: 'button', class: 'stop' }, `Lines after ${count(shown)}`);
  const load = async () => {
    more.disabled = true;
    const next = await callTool('read_file', { path, start_line: shown + 1, max_tokens: MAX_TOKENS });
    more.replaceWith(codeBlock(String(next.content), { path, startLine: shown + 1, target, anchored: true }));
    addRest(box, path, next, target);
  };
  more.addEventListener('click', () => load().catch((error: unknown) => more.replaceWith(problem(error))));
  box.append(more);
}
