import type { Hit, SearchAnswer, SearchFilters, Synthesis } from '../../../model/records/query.ts';
import { SYMBOL_KINDS } from '../../../model/records/symbol.ts';
import { SEARCH_MODES } from '../../parsing/choices.ts';
import { defineCommand } from '../../parsing/command.ts';
import { REF_FLAG, REMOTE_FLAGS, YES_FLAG } from '../../parsing/project-flags.ts';
import { narrowingRemark } from '../../render/filter-remark.ts';
import { renderHits } from '../../render/hits.ts';
import { FRESHNESS_FIELDS, freshnessJson } from '../../render/location.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { symbolFields, symbolJson } from '../../render/symbol-json.ts';
import { duration, plural } from '../../render/units.ts';
import { untrustedNotes } from '../../render/untrusted-note.ts';
import { withIndex } from '../../running/index-first.ts';
import { targetOrClone } from '../../running/remote-target.ts';

export const search = defineCommand({
  name: 'search',
  group: 'ask',
  summary: 'Find code and documentation by words, names, paths or error messages',
  details:
    'The query may be several words without quotes. Without a relevant result, the answer says so and lists the ' +
    'nearest names, with exit code 0, as for any answer. A project without an index is indexed after a question ' +
    '(in a terminal) or with --yes.',
  operands: { query: { value: 'QUERY', required: true, rest: true, help: 'What to look for' } },
  flags: {
    ...REMOTE_FLAGS,
    ref: REF_FLAG,
    lang: { kind: 'list', value: 'LANG', commas: true, help: 'Only these languages' },
    kind: {
      kind: 'list',
      value: 'KIND',
      commas: true,
      suggests: SYMBOL_KINDS,
      help: 'Only symbols of these kinds: function, class, type …',
    },
    glob: { kind: 'list', value: 'GLOB', help: 'Only paths that match' },
    limit: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 100,
      help: 'Number of results (default: without weak results)',
    },
    mode: { kind: 'string', value: 'MODE', choices: SEARCH_MODES, help: 'How to search' },
    tests: { kind: 'boolean', negatable: true, help: 'Include or exclude test code' },
    lines: {
      kind: 'integer',
      value: 'N',
      min: 0,
      max: 1000,
      help: 'Lines of each snippet, of every result; 0 for none',
    },
    expand: { kind: 'boolean', help: 'Expand the query with related words' },
    synthesize: { kind: 'boolean', help: 'Add a summary and follow-up questions below the results' },
    'wait-fresh': {
      kind: 'integer',
      value: 'SECONDS',
      min: 0,
      max: 60,
      help: 'Wait at most this long for pending changes to be indexed',
    },
    explain: { kind: 'boolean', help: 'Show the features of each score' },
    yes: YES_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant search "where are retries configured"', meaning: 'ask in words' },
    { line: 'sextant search parseConfig --kind function --limit 3', meaning: 'a name' },
    { line: 'sextant search "token expired" --lang go,rust --no-tests', meaning: 'in two languages, without tests' },
    { line: 'sextant search "log a user in" --expand --synthesize', meaning: 'with related words and a summary' },
    { line: 'sextant search "session store" --glob "src/**" --format json', meaning: 'for a script' },
    { line: 'sextant search "route groups" --repo https://github.com/gin-gonic/gin', meaning: 'without a clone of it' },
  ],
  json: [
    { field: 'query', meaning: 'the query' },
    { field: 'intent', meaning: '`symbol`, `path`, `error` or `natural_language`: how it was read' },
    { field: 'mode', meaning: '`hybrid`, `keyword` or `vector`: how it was answered' },
    { field: 'duration_ms', meaning: 'time inside the engine' },
    { field: 'total_candidates', meaning: 'results that pass the filters, whether shown or not' },
    { field: 'nearest_names[]', meaning: 'similar names, if nothing matches' },
    {
      field: 'notices[]',
      meaning: 'reasons why the answer is incomplete, and results that give orders to AI agents',
    },
    { field: 'related[].term', meaning: 'with --explain: a related word that was added to the query' },
    { field: 'related[].weight', meaning: 'its weight; a word of the query has 1' },
    { field: 'expansion.source', meaning: 'with --expand: `llm` (the configured model) or `builtin`' },
    { field: 'expansion.model', meaning: 'the language model, if one was used' },
    { field: 'expansion.terms[]', meaning: 'words that were added to the query' },
    { field: 'synthesis.source', meaning: 'with --synthesize, when something matches: `llm` or `builtin`' },
    { field: 'synthesis.model', meaning: 'the language model, if one was used' },
    { field: 'synthesis.summary', meaning: 'the summary' },
    { field: 'synthesis.follow_ups[]', meaning: 'follow-up questions' },
    ...FRESHNESS_FIELDS,
    { field: 'hits[].result_id', meaning: 'handle for follow-up calls' },
    { field: 'hits[].result_type', meaning: '`symbol`, `snippet`, `file` or `documentation`' },
    { field: 'hits[].path', meaning: 'file, relative to the project, with forward slashes' },
    { field: 'hits[].start_line', meaning: 'first line, from 1' },
    { field: 'hits[].end_line', meaning: 'last line, inclusive' },
    { field: 'hits[].language', meaning: 'language' },
    { field: 'hits[].package', meaning: 'package that the file declares, or empty' },
    { field: 'hits[].module', meaning: 'module of the project' },
    { field: 'hits[].chunk_type', meaning: '`definitions`, `symbols`, `documentation` or `data`' },
    { field: 'hits[].title', meaning: 'name or heading' },
    { field: 'hits[].tags[]', meaning: 'tags' },
    { field: 'hits[].score', meaning: 'relevance from 0 to 1' },
    { field: 'hits[].is_test', meaning: 'whether it is test code' },
    { field: 'hits[].content', meaning: 'the code' },
    { field: 'hits[].symbol', meaning: 'the symbol shown, or null for a chunk without one' },
    ...symbolFields('hits[].symbol.'),
    { field: 'hits[].explanation[].feature', meaning: 'with --explain: a ranking feature' },
    { field: 'hits[].explanation[].value', meaning: 'its value' },
    { field: 'hits[].explanation[].weight', meaning: 'its weight' },
    { field: 'hits[].explanation[].contribution', meaning: 'what it adds to the score before calibration' },
  ],
  async run({ flags, operands }, session) {
    const path = await targetOrClone(session, flags);
    const { values } = await session.settings(path);
    const engine = await session.engine(path);
    const filters: SearchFilters = {
      includeTests: flags.tests ?? values['search.include_tests'],
      ...(flags.lang ? { languages: flags.lang } : {}),
      ...(flags.kind ? { kinds: flags.kind } : {}),
      ...(flags.glob ? { paths: flags.glob } : {}),
    };
    const found = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, () =>
      engine.search(path, {
        query: operands.query,
        limit: flags.limit ?? values['search.limit'],
        mode: flags.mode ?? values['search.mode'],
        filters,
        explain: flags.explain ?? false,
        expandQuery: flags.expand ?? false,
        synthesize: flags.synthesize ?? false,
        signal: session.signal,
        ...(flags.ref === undefined ? {} : { ref: flags.ref }),
        ...(flags['wait-fresh'] === undefined ? {} : { waitFreshMs: flags['wait-fresh'] * 1000 }),
      }),
    );
    const answer = { ...found, notices: [...found.notices, ...(await untrustedNotes(found.hits))] };
    session.detail(
      `query: ${answer.intent}, ${answer.mode}, ${plural(answer.totalCandidates, 'candidate')}, index ` +
        `${answer.freshness.status}, ${duration(answer.durationMs)}`,
    );
    const view = {
      query: operands.query,
      snippetLines: flags.lines ?? (flags.explain ? 3 : 8),
      isWhole: flags.limit !== undefined,
      quotesAll: flags.lines !== undefined || flags.explain === true,
    };
    await printAnswer(
      session,
      flags.format,
      () => searchJson(answer, operands.query),
      (screen) => renderHits(answer, view, screen),
    );
    const remark = answer.hits.length > 0 ? null : narrowingRemark(flags, ['lang', 'kind', 'glob', 'tests']);
    if (remark !== null) session.say(remark);
  },
});

function searchJson(answer: SearchAnswer, query: string) {
  return {
    query,
    intent: answer.intent,
    mode: answer.mode,
    duration_ms: answer.durationMs,
    total_candidates: answer.totalCandidates,
    nearest_names: answer.nearestNames,
    notices: answer.notices,
    ...(answer.related ? { related: answer.related } : {}),
    ...(answer.expansion ? { expansion: answer.expansion } : {}),
    ...(answer.synthesis ? { synthesis: synthesisJson(answer.synthesis) } : {}),
    freshness: freshnessJson(answer.freshness),
    hits: answer.hits.map(hitJson),
  };
}

function synthesisJson({ followUps, ...synthesis }: Synthesis) {
  return { ...synthesis, follow_ups: followUps };
}

function hitJson(hit: Hit) {
  return {
    result_id: hit.resultId,
    result_type: hit.resultType,
    path: hit.path,
    start_line: hit.startLine,
    end_line: hit.endLine,
    language: hit.language,
    package: hit.package,
    module: hit.module,
    chunk_type: hit.chunkType,
    title: hit.title,
    tags: hit.tags,
    score: hit.score,
    is_test: hit.isTest,
    content: hit.content,
    symbol: hit.symbol ? symbolJson(hit.symbol) : null,
    ...(hit.explanation
      ? {
          explanation: hit.explanation.map(({ feature, value, weight, contribution }) => ({
            feature,
            value,
            weight,
            contribution,
          })),
        }
      : {}),
  };
}
