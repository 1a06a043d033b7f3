/**
 * The keyboard shortcuts of the code view. Each reads the URL when pressed, because several may be pressed before the
 * page renders.
 */
import type { OutlineEntry, ReadFileAnswer } from '../../../model/records/query.ts';
import { type LineRange, parseLines } from '../code/line-range.ts';
import { currentHash, fileAddress, fromHash, to } from '../data/addresses.ts';
import type { Key } from '../data/keys.ts';
import { type FileActions, impactAddress } from '../parts/reading/file-head.tsx';

/** The lines of the URL; the first line without any. */
export function currentLines(): LineRange {
  return parseLines(fromHash(currentHash(), null).parameters.get('lines') ?? '') ?? { first: 1, last: 1 };
}

export function readingKeys(
  file: ReadFileAnswer,
  actions: FileActions,
  showUses: (symbol: OutlineEntry) => void,
): readonly Key[] {
  const { outline, path } = file;
  const here = () => currentLines().first;
  const goTo = (line: number) => {
    const next = Math.max(1, Math.min(file.lines, line));
    history.replaceState(null, '', fileAddress(path, String(next)));
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
  const around = () => outline.findLast(({ startLine, endLine }) => startLine <= here() && here() <= endLine);
  const withSymbol = (use: (symbol: OutlineEntry) => void) => () => {
    const symbol = around();
    if (symbol) use(symbol);
  };
  const focus = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.focus();
  const nextSymbol = () => outline.find(({ startLine }) => startLine > here())?.startLine;
  const previousSymbol = () => outline.findLast(({ startLine }) => startLine < here())?.startLine;
  const openGraph = ({ symbolId }: OutlineEntry) => {
    location.hash = to('symbol', { id: symbolId });
  };
  return [
    { key: 'j', words: 'next line', run: () => goTo(here() + 1) },
    { key: 'k', words: 'previous line', run: () => goTo(here() - 1) },
    { key: 'J', words: 'next symbol', run: () => goTo(nextSymbol() ?? here()) },
    { key: 'K', words: 'previous symbol', run: () => goTo(previousSymbol() ?? 1) },
    { key: 'l', words: 'next identifier of the line', run: () => stepInLine(here(), 1) },
    { key: 'h', words: 'previous identifier of the line', run: () => stepInLine(here(), -1) },
    { key: 'u', words: 'uses of the symbol around the line', run: withSymbol(showUses) },
    { key: 'c', words: 'call graph of the symbol around the line', run: withSymbol(openGraph) },
    { key: 'w', words: 'why: commits and decisions of the lines', run: actions.why },
    {
      key: 'i',
      words: 'impact: what a change of the lines would do',
      run: () => {
        location.hash = impactAddress(path, parseLines(fromHash(currentHash(), null).parameters.get('lines') ?? ''));
      },
    },
    { key: 'y', words: 'copy a link to the lines', run: () => void actions.copyLink() },
    { key: 'r', words: 'raw file', run: actions.openRaw },
    { key: 'e', words: 'open in your editor', run: () => document.querySelector<HTMLElement>('a.editor')?.click() },
    { key: 't', words: 'to the tree of files', run: focus('.tree [tabindex="0"]') },
    { key: 'o', words: 'to the outline', run: focus('.outline a') },
  ];
}

/** Enter follows the identifier that has the focus. */
function stepInLine(line: number, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(`#L${line} .id`)];
  const at = found.indexOf(document.activeElement as HTMLElement);
  (at < 0 ? found.at(by > 0 ? 0 : -1) : found[at + by])?.focus({ preventScroll: true });
}
