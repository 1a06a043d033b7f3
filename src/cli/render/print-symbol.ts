/** Renders the details of one symbol, as text and as JSON. */
import type { ReferenceSite, SymbolDetail, SymbolInfo } from '../../model/records/query.ts';
import type { Screen } from '../running/command-session.ts';
import { place } from './location.ts';
import { renderSnippet } from './snippet.ts';
import { referenceFields, referenceJson, symbolFields, symbolJson } from './symbol-json.ts';
import { alignRows, clip, printableLine } from './terminal-text.ts';

const MAX_LINES = 60;

export function detailLines(detail: SymbolDetail, screen: Screen): string[] {
  const { style } = screen;
  const { symbol } = detail;
  const lines = [
    '',
    `${place(symbol.path, symbol.startLine, symbol.endLine, style)}  ` +
      `${style.bold(printableLine(symbol.qualifiedName))}`,
    ...renderSnippet(detail.source, {
      language: symbol.language,
      startLine: symbol.endLine - detail.source.split('\n').length + 1,
      terms: new Set(),
      maxLines: MAX_LINES,
      columns: screen.cutAt,
      style,
      indent: '  ',
    }),
  ];
  const section = (title: string, rows: readonly string[][]) => {
    if (rows.length > 0) lines.push('', style.bold(title), ...alignRows(rows.map((row) => row)));
  };
  const siteRow = (site: ReferenceSite, name: string) => [
    `  ${place(site.path, site.line, site.line, style)}`,
    printableLine(name),
    style.grey(site.confidence === 'exact' ? '' : site.confidence),
    clip(printableLine(site.text), 80),
  ];
  const symbolRow = (each: SymbolInfo) => [
    `  ${place(each.path, each.startLine, each.startLine, style)}`,
    printableLine(each.qualifiedName),
    style.grey(each.kind),
  ];
  section(
    'Inside',
    detail.outline.slice(1).map((entry) => [`  ${entry.startLine}`, printableLine(entry.name), style.grey(entry.kind)]),
  );
  section(
    'Called by',
    detail.callers.map((site) => siteRow(site, site.from?.qualifiedName ?? '')),
  );
  section(
    'Calls',
    detail.callees
      .filter(({ target }) => target !== null)
      .map(({ site, target }) => siteRow(site, target!.qualifiedName)),
  );
  section('Implemented by', detail.implementers.map(symbolRow));
  section('Tests', detail.tests.map(symbolRow));
  return lines;
}

export function detailJson(detail: SymbolDetail) {
  return {
    symbol: symbolJson(detail.symbol),
    source: detail.source,
    context_before: detail.contextBefore,
    context_after: detail.contextAfter,
    outline: detail.outline.map((entry) => ({
      symbol_id: entry.symbolId,
      name: entry.name,
      kind: entry.kind,
      signature: entry.signature,
      start_line: entry.startLine,
      end_line: entry.endLine,
      depth: entry.depth,
    })),
    references: detail.references.map(referenceJson),
    callers: detail.callers.map(referenceJson),
    callees: detail.callees.map(({ site, target }) => ({
      ...referenceJson(site),
      target: target ? symbolJson(target) : null,
    })),
    implementers: detail.implementers.map(symbolJson),
    tests: detail.tests.map(symbolJson),
    totals: detail.totals,
  };
}

export function detailFields(prefix: string) {
  return [
    ...symbolFields(`${prefix}symbol.`),
    { field: `${prefix}source`, meaning: 'its text with the doc comment' },
    { field: `${prefix}context_before`, meaning: 'the lines before it' },
    { field: `${prefix}context_after`, meaning: 'the lines after it' },
    { field: `${prefix}outline[]`, meaning: 'symbols defined inside it' },
    ...referenceFields(`${prefix}references[].`),
    { field: `${prefix}callers[]`, meaning: 'places that call it, as references' },
    { field: `${prefix}callees[]`, meaning: 'places where it calls, as references, each with its target or null' },
    { field: `${prefix}implementers[]`, meaning: 'types that inherit or implement it, methods that override it' },
    { field: `${prefix}tests[]`, meaning: 'tests that use it or its users' },
    { field: `${prefix}totals`, meaning: 'total of each list; at most 1000 are listed' },
  ];
}
