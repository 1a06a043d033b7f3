import { codeBlock, parseLines } from './code-block.ts';
import { type Child, count, fileAddress, h } from './dom.ts';
import { callTool, type Json } from './mcp.ts';

const MAX_TOKENS = 40_000;
/** An outline is shown whole. */
const MAX_OUTLINE_TOKENS = 100_000;

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
    callTool('read_file', { path, max_tokens: MAX_TOKENS }, signal),
    callTool('read_file', { path, outline: true, max_tokens: MAX_OUTLINE_TOKENS }, signal),
  ]);
  const text = h('div', {}, codeBlock(String(file.content), { path, startLine: 1, target, anchored: true }));
  addRest(text, path, file, target);
  return [
    h('h1', {}, path),
    h('p', { class: 'soft' }, `${String(file.language)}, ${count(file.total_lines)} lines`),
    h(
      'div',
      { class: 'columns' },
      h('nav', { class: 'outline', 'aria-label': 'Outline' }, outlineList(path, outline as readonly Entry[])),
      text,
    ),
  ];
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

/** A long file is shown in parts: the next one when it is asked for, or when the place that was asked for lies behind this one. */
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
  more.addEventListener('click', () => void load());
  box.append(more);
  if (target && target.first > shown) void load();
}
