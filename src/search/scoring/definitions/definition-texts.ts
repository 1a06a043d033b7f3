/** Features of definitions that need their texts: comment, signature and own lines. */
import type { SymbolRecord } from '../../../model/records/symbol.ts';
import type { StoredDetail } from '../../../store/store.ts';
import { hasWord } from '../../query/find-term.ts';
import { matchText } from '../../query/match-text.ts';
import { calledNames, messageRuns, namesInText, shareOfReportMessage } from '../../report/report-features.ts';
import type { WordShare } from '../score-files.ts';
import { COLUMN, DEFINITION_WIDTH } from './definition-columns.ts';
import type { Definition, DefinitionContext } from './definition-features.ts';

/** A longer comment or signature says at its beginning what matters. */
const MAX_DOC_CHARACTERS = 400;
/** Lines read per definition: longer definitions are rare, and reading them takes time. */
const MAX_LINES_READ = 200;

/**
 * Fills the features of a definition's comment, signature and own lines. Returns indices of the question's words in
 * these lines.
 */
export function addTexts(
  rows: Float32Array,
  index: number,
  definition: Definition,
  detail: StoredDetail,
  context: DefinitionContext,
): readonly number[] {
  const symbol = detail.symbol(definition.symbol);
  const at = index * DEFINITION_WIDTH;
  const { words, pairs } = context.queryNames;
  const match = matchText(ownLines(definition, symbol, detail, context), words, pairs);
  if (context.report) rows[at + COLUMN.title_in_text] = shareOfTitle(match.found, context);
  rows[at + COLUMN.own_coverage] = match.coverage;
  rows[at + COLUMN.own_words] = match.words;
  rows[at + COLUMN.pairs_in_name] = match.pairsInName;
  rows[at + COLUMN.pairs_near] = match.pairsNear;
  if (!symbol) return match.found;
  rows[at + COLUMN.doc_coverage] = symbol.doc === '' ? 0 : coverage(symbol.doc.slice(0, MAX_DOC_CHARACTERS), words);
  rows[at + COLUMN.signature_coverage] = coverage(symbol.signature.slice(0, MAX_DOC_CHARACTERS), words);
  return match.found;
}

/** The lines of a definition with its comment; for a chunk without symbols, the chunk. */
function ownLines(
  { file, chunk }: Definition,
  symbol: SymbolRecord | undefined,
  detail: StoredDetail,
  { linesOf }: DefinitionContext,
): string {
  if (!symbol) return linesOf(file, detail.chunks[chunk]!.startLine, detail.chunks[chunk]!.endLine);
  const first = Math.min(symbol.fullStartLine, symbol.startLine);
  return linesOf(file, first, Math.min(symbol.endLine, first + MAX_LINES_READ));
}

/**
 * Fills the features that need the texts of the read definitions: a pasted issue's messages and names in the text, and
 * whether a definition that the issue names calls this one.
 */
export function addReportTexts(
  rows: Float32Array,
  read: readonly (readonly [index: number, definition: Definition])[],
  detailOf: (file: number) => StoredDetail,
  context: DefinitionContext,
): void {
  const { report } = context;
  if (!report) return;
  const runs = messageRuns(report.evidence);
  const texts = read.map(([index, definition]) => {
    const detail = detailOf(definition.file);
    const symbol = detail.symbol(definition.symbol);
    const text = ownLines(definition, symbol, detail, context);
    const at = index * DEFINITION_WIDTH;
    rows[at + COLUMN.says_report] = shareOfReportMessage(text, runs);
    rows[at + COLUMN.names_in_text] = namesInText(report.evidence, text, symbol?.name ?? '');
    const named = Math.max(rows[at + COLUMN.name_in_report]!, rows[at + COLUMN.frame_in_report]!);
    return { at, name: symbol?.name ?? '', named, calls: calledNames(text) };
  });
  const calledBy = new Map<string, number>();
  for (const caller of texts) {
    if (caller.named === 0) continue;
    for (const name of caller.calls)
      if (name !== caller.name) calledBy.set(name, Math.max(calledBy.get(name) ?? 0, caller.named));
  }
  for (const { at, name } of texts) rows[at + COLUMN.called_by_reported] = calledBy.get(name) ?? 0;
}

/** Share of the question that the text contains. */
export function coverage(text: string, words: readonly WordShare[]): number {
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of words) if (!word.isRelated && hasWord(text, lower, word)) sum += word.share;
  return sum;
}

/** The share of a report's title that the words of the given indices carry. */
export function shareOfTitle(found: readonly number[], { queryNames: { words }, report }: DefinitionContext): number {
  const isTitle = ({ term, isRelated }: WordShare) => !isRelated && report!.evidence.title.has(term);
  const sum = (some: readonly WordShare[]) => some.filter(isTitle).reduce((total, { share }) => total + share, 0);
  return sum(found.map((i) => words[i]!)) / (sum(words) || 1);
}
