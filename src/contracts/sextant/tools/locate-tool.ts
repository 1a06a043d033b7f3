/** locate_symbol: definitions by name, and details of one of them. */
import { fileNamed } from '../../../engine/files/similar-paths.ts';
import { DISCOVERY_TYPES } from '../../../model/records/discovery.ts';
import type { LocatedSymbol, ReferenceCounts, ReferenceSite, SymbolDetail } from '../../../model/records/query.ts';
import { chooseDetail } from '../../../model/text/result-list.ts';
import { linkFiles, linkRoots } from '../../kit/file-links.ts';
import {
  firstCharacters,
  firstLines,
  fitParts,
  listPart,
  namedList,
  namedText,
  type Part,
} from '../../kit/token-budget.ts';
import { ANSWER_VIEW } from '../answer-view.ts';
import { shortenHit } from '../hits-answer.ts';
import {
  type DetailList,
  detailParts,
  foldTests,
  type PresentedHit,
  type PresentedSymbol,
  presentHit,
  presentLocated,
  presentReference,
} from '../present-answers.ts';
import * as output from '../sextant-outputs.ts';
import * as schema from '../sextant-schemas.ts';
import {
  ECHOED_TEXT,
  folderOf,
  omission,
  project,
  READS,
  SHORT_TOKENS,
  sextantTool,
  shortenText,
  stateParts,
} from './tool-kit.ts';

const DISCOVERY_ID = new RegExp(`^(?:${DISCOVERY_TYPES.join('|')})-[0-9a-f]{16}$`);
/** Definitions listed if the caller sets no limit. */
const DEFINITIONS = 10;
/** Limits of an answer without max_tokens: callers, uses, tests … of each definition, and lines of a doc comment. */
const MAX_USES = 10;
const MAX_TESTS = 3;
const DOC_LINES = 3;

export const locateSymbol = sextantTool({
  name: 'locate_symbol',
  title: 'Locate',
  description:
    'Find the definition of a function, method, type or constant by name; detail: true tells all about it. Not for ' +
    'a description in words (search_code). Gives definitions with signature and id.',
  view: ANSWER_VIEW,
  input: schema.LOCATE_SYMBOL,
  output: output.DEFINITIONS,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const folder = await folderOf(args.path, ctx);
    const answer = await ctx.engine.locate(path, {
      name: args.name,
      limit: args.limit ?? DEFINITIONS,
      ...(folder && { folder }),
      ...(args.kind && { kind: args.kind }),
      ...(args.language && { language: args.language }),
      ...(args.ref && { ref: args.ref }),
      ...(args.references && { includeReferences: true }),
    });
    const [best] = answer.symbols;
    const detail = args.detail && best ? await ctx.engine.symbol(path, best.symbolId, args.ref) : null;
    const isKnown = best !== undefined || answer.chunks.length > 0;
    const narrowed = args.kind || args.language || folder ? ' of this kind, in this language and folder' : '';
    const isNamed = best?.match === 'exact' || best?.match === 'qualified' || answer.chunks.length > 0;
    const file = isNamed ? undefined : await fileNamed(ctx.engine, path, args.name);
    const frame = {
      ...(file
        ? { message: `No symbol, but a file: call read_file with path: "${file}", outline: true.` }
        : !isKnown && {
            message: DISCOVERY_ID.test(args.name)
              ? `No symbol, but a discovery: call context_search with query: "${args.name}".`
              : `No symbol ${firstCharacters(args.name, ECHOED_TEXT)}${narrowed}.`,
          }),
      ...(!isKnown && { nearest_names: answer.nearestNames }),
    };
    const isShort = args.max_tokens === undefined;
    const items = isShort
      ? presentSymbols(answer.symbols, args.limit !== undefined, detail !== null)
      : answer.symbols.map(presentLocated);
    const showResults = (results: readonly unknown[], missing: number) => ({ results, ...omission(missing) });
    const parts = [
      best
        ? listPart({
            items,
            more: Math.max(0, answer.totalCandidates - items.length),
            shorten: shortenSymbol,
            show: showResults,
          })
        : listPart({
            items: answer.chunks.map(presentHit),
            shorten: (hit: PresentedHit, count) => shortenHit(hit, count),
            show: showResults,
          }),
      ...(args.references ? [usesPart('references', answer.references, answer.referenceCounts, isShort)] : []),
      ...(detail ? aboutSymbol(detail, isShort) : []),
      ...stateParts(answer.freshness),
    ];
    const root = await linkRoots(ctx.engine, path);
    return {
      structured: fitParts(args.max_tokens ?? SHORT_TOKENS, frame, parts),
      content: linkFiles(root, [
        ...answer.symbols.slice(0, items.length).map((symbol) => ({ ...symbol, title: symbol.qualifiedName })),
        ...answer.chunks,
      ]),
    };
  },
});

/**
 * Candidates for the name: the likely ones in full, the others as places. Quoted source already has signature and
 * comment.
 */
function presentSymbols(symbols: readonly LocatedSymbol[], all: boolean, hasSource: boolean): PresentedSymbol[] {
  const tellings = chooseDetail(
    symbols.map(({ score }) => score),
    all,
  );
  // If one definition has the whole name, definitions with only a part of it are dropped.
  const isMeant = ({ match }: LocatedSymbol) => all || match === symbols[0]!.match || match === 'qualified';
  return symbols.flatMap((symbol, i) => {
    if (tellings[i] === 'left out' || !isMeant(symbol)) return [];
    const { stable_id, signature, doc, ...place } = presentLocated(symbol);
    const { id: _id, score: _score, ...line } = place;
    if (i > 0) return [tellings[i] === 'quoted' ? { ...place, signature } : line];
    if (hasSource) return [place];
    return [{ ...place, stable_id, signature, ...(doc !== undefined && { doc: firstLines(doc, DOC_LINES) }) }];
  });
}

function usesPart(name: string, sites: readonly ReferenceSite[], counts: ReferenceCounts, isShort: boolean): Part {
  const { shown, inTests } = foldTests(sites, counts.inTests);
  const { total, exact, likely, ambiguous } = counts;
  const items = shown.slice(0, isShort ? MAX_USES : shown.length).map(presentReference);
  return listPart({
    items,
    more: total - items.length - (inTests?.count ?? 0),
    shorten: shortenText,
    show: (fitting, missing) => ({
      ...((fitting.length > 0 || missing === 0) && { [name]: fitting }),
      ...(missing > 0 && { [`more_${name}`]: missing }),
      ...(inTests && { [`${name}_in_tests`]: inTests }),
      ...(exact < total && { [`${name}_by_confidence`]: { exact, likely, ambiguous } }),
    }),
  });
}

function aboutSymbol(detail: SymbolDetail, isShort: boolean): readonly Part[] {
  const lists = detailParts(detail).lists.map(({ name, items, total }) => {
    const shown = isShort ? shortList(name, items) : items;
    return namedList(name, { items: shown, more: total - shown.length, shorten: shortenText });
  });
  return [namedText('source', detail.source), ...lists].map((part) => ({ ...part, under: 'detail' }));
}

/** The callees are in the symbol's own source, so names and lines are enough. */
function shortList(name: string, items: DetailList['items']): DetailList['items'] {
  if (name === 'tests') return items.slice(0, MAX_TESTS);
  if (name !== 'callees') return items.slice(0, MAX_USES);
  const known = items.filter(({ target }) => target !== undefined).slice(0, MAX_USES);
  return known.map(({ line, target, confidence }) => ({
    line,
    target,
    ...(confidence !== undefined && { confidence }),
  }));
}

/** Under a budget the doc comment is cut first; one id is enough for a follow-up call. */
function shortenSymbol(symbol: PresentedSymbol, count: number): PresentedSymbol {
  const { doc, stable_id, signature, ...rest } = symbol;
  const short = { ...rest, ...(signature !== undefined && { signature: firstLines(signature, count) }) };
  if (count === 1) return short;
  return {
    ...short,
    ...(stable_id !== undefined && { stable_id }),
    ...(doc !== undefined && { doc: firstLines(doc, count) }),
  };
}
