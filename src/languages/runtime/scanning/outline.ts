import { lastFilled, type ScanDraft } from './scan-draft.ts';

/** Turns headings, in order, into sections that each end before the next heading. */
export class Outline {
  readonly #draft: ScanDraft;
  readonly #lines: readonly string[];
  readonly #title: string;
  #stack: { readonly level: number; readonly title: string }[] = [];
  #start = 0;

  /**
   * `title`: the document's title from its front matter. It begins every section path unless a first-level heading
   * does.
   */
  constructor(draft: ScanDraft, lines: readonly string[], title = '') {
    this.#draft = draft;
    this.#lines = lines;
    this.#title = title;
  }

  heading(title: string, level: number, line: number): void {
    this.#finishSection(line - 1);
    while (this.#stack.length > 0 && this.#stack[this.#stack.length - 1]!.level >= level) this.#stack.pop();
    this.#stack.push({ level, title });
    this.#start = line;
  }

  close(): void {
    this.#finishSection(this.#lines.length - 1);
  }

  #finishSection(end: number): void {
    if (end < this.#start) return;
    let start = this.#start;
    while (start < end && this.#lines[start]!.trim() === '') start++;
    const last = lastFilled(this.#lines, start, end);
    if (this.#lines[start]!.trim() === '') return;
    const path = this.#stack.map((entry) => entry.title).filter((title) => title !== '');
    if (this.#title && this.#title !== path[0] && (this.#stack[0]?.level ?? 9) > 1) path.unshift(this.#title);
    this.#draft.section(path, start + 1, last + 1);
  }
}
