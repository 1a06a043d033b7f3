/** Renders search results for people. */
import type { Contribution, Expansion, Hit, SearchAnswer, Synthesis } from '../../model/records/query.ts';
import { matchRanges, queryTerms } from '../../model/text/query-matches.ts';
import { chooseDetail } from '../../model/text/result-list.ts';
import type { Screen } from '../running/command-session.ts';
import { freshnessLines, place } from './location.ts';
import { renderSnippet } from './snippet.ts';
import { alignRows, padStart, printableLine, wrap } from './terminal-text.ts';
import { duration, plural } from './units.ts';

export interface HitsView {
  readonly query: string;
  readonly snippetLines: number;
  /** True to print as many results as requested; otherwise the list ends after the last likely answer. */
  readonly isWhole: boolean;
  /** True to quote every result, not only the likely answers. */
  readonly quotesAll: boolean;
}

export function renderHits(answer: SearchAnswer, view: HitsView, screen: Screen): string[] {
  const { query, snippetLines } = view;
  const lines: string[] = [];
  const terms = queryTerms(query);
  const shown = detailedHits(answer.hits, view);
  const digits = String(shown.length).length;
  shown.forEach(({ hit, isQuoted }, i) => {
    if (i > 0 && snippetLines > 0 && (isQuoted || shown[i - 1]!.isQuoted)) lines.push('');
    lines.push(headline(hit, padStart(String(i + 1), digits), terms, screen));
    const indent = ' '.repeat(digits + 2);
    if (isQuoted) lines.push(...snippet(hit, terms, snippetLines, indent, screen));
    if (hit.explanation) lines.push(...explanationLines(hit.explanation, indent, screen));
  });
  if (answer.hits.length > 0) lines.push('');
  if (answer.related && answer.related.length > 0) lines.push(...relatedLines(answer.related, screen));
  if (answer.expansion) lines.push(...expansionLines(answer.expansion, screen));
  if (answer.synthesis) lines.push(...synthesisLines(answer.synthesis, screen));
  lines.push(...footer(answer, shown.length, screen));
  return lines;
}

function detailedHits(hits: readonly Hit[], { isWhole, quotesAll }: HitsView) {
  const tellings = chooseDetail(
    hits.map(({ score }) => score),
    isWhole || quotesAll,
  );
  return hits.flatMap((hit, i) =>
    tellings[i] === 'left out' ? [] : [{ hit, isQuoted: quotesAll || tellings[i] === 'quoted' }],
  );
}

function snippet(hit: Hit, terms: ReadonlySet<string>, maxLines: number, indent: string, screen: Screen): string[] {
  return renderSnippet(hit.content, {
    language: hit.language,
    startLine: hit.chunkType === 'symbols' ? null : hit.startLine,
    terms,
    maxLines,
    columns: screen.cutAt,
    style: screen.style,
    indent,
  });
}

function relatedLines(related: NonNullable<SearchAnswer['related']>, { style, columns }: Screen): string[] {
  const words = related.map(({ term, weight }) => `${printableLine(term)} ×${weight.toFixed(2)}`).join(', ');
  return [...wrap(`Counted too, as the index stems them: ${words}`, columns).map(style.grey), ''];
}

function expansionLines({ terms, ...by }: Expansion, { style, columns }: Screen): string[] {
  const termList = terms.length > 0 ? terms.map(printableLine).join(', ') : 'nothing that this project speaks of';
  return [...wrap(`Also looked for (${sourceOf(by)}): ${termList}`, columns).map(style.grey), ''];
}

function synthesisLines({ summary, followUps, ...by }: Synthesis, { style, columns }: Screen): string[] {
  const lines = [style.bold(`Summary (${sourceOf(by)})`)];
  for (const line of summary.split('\n')) lines.push(...wrap(printableLine(line), columns));
  if (followUps.length > 0)
    lines.push('', style.bold('Ask next'), ...followUps.map((line) => `- ${printableLine(line)}`));
  return [...lines, ''];
}

function sourceOf({ source, model }: Pick<Synthesis, 'source' | 'model'>): string {
  return source === 'builtin' ? 'built in' : printableLine(model ?? source);
}

function headline(hit: Hit, number: string, terms: ReadonlySet<string>, screen: Screen): string {
  const { style } = screen;
  const kind = hit.symbol ? ` ${style.grey(hit.symbol.kind)}` : '';
  const what = `${style.bold(printableLine(nameOf(hit)))}${kind}`;
  const others = otherNames(hit, terms);
  const also = others.length > 0 ? ` ${style.grey(`with ${others.join(', ')}`)}` : '';
  const test = hit.isTest ? ` ${style.yellow('test')}` : '';
  return (
    `${style.grey(number)}  ${place(hit.path, hit.startLine, hit.endLine, style)}  ${what}${also}${test}  ` +
    `${style.green(hit.score.toFixed(2))}`
  );
}

/** The chunk's title names its first definition; the kind is that of the symbol that matched. */
function nameOf({ title, symbol }: Hit): string {
  return symbol && !title.includes(symbol.name) ? symbol.qualifiedName : title;
}

/**
 * A chunk may contain several small definitions and have the title of the first: names that the query contains are
 * shown, too.
 */
function otherNames(hit: Hit, terms: ReadonlySet<string>): string[] {
  return hit.symbolNames
    .filter(
      (name) => !nameOf(hit).includes(name) && matchRanges(name, terms).some((r) => r.end - r.start === name.length),
    )
    .slice(0, 3)
    .map(printableLine);
}

/** Each feature with its contribution as a bar and as a number, largest first. */
export function explanationLines(explanation: readonly Contribution[], indent: string, { style }: Screen): string[] {
  const sorted = [...explanation].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const largest = Math.abs(sorted[0]?.contribution ?? 0) || 1;
  const rows = sorted.map((c) => {
    const bar = '▪'.repeat(Math.round((Math.abs(c.contribution) / largest) * 12));
    return [
      `${indent}${c.feature}`,
      `${c.contribution >= 0 ? '+' : '−'}${Math.abs(c.contribution).toFixed(3)}`,
      `${c.value.toFixed(3)} × ${c.weight.toFixed(3)}`,
      c.contribution >= 0 ? style.green(bar) : style.red(bar),
    ];
  });
  return alignRows(rows, [1, 2]);
}

function footer(answer: SearchAnswer, told: number, { style }: Screen): string[] {
  const lines: string[] = [];
  const weaker = answer.hits.length - told;
  const more = weaker > 0 ? ` · --limit ${answer.hits.length} lists ${weaker} weaker` : '';
  if (answer.hits.length === 0) {
    lines.push('Nothing matches.');
    if (answer.nearestNames.length > 0)
      lines.push(`Names in the index that are near: ${answer.nearestNames.map(printableLine).join(', ')}`);
    lines.push(style.grey('Try other words, or exact text with `sextant grep`.'));
  } else {
    lines.push(
      style.grey(
        `${plural(told, 'result')} in ${duration(answer.durationMs)} · ${answer.mode} · read as ` +
          `${answer.intent.replace('_', ' ')}${more}`,
      ),
    );
  }
  for (const notice of answer.notices) lines.push(style.yellow(printableLine(notice)));
  lines.push(...freshnessLines(answer.freshness, style));
  return lines;
}
