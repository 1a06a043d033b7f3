/** The commands `sextant memory list`, `search`, `show` and `forget`. */
import { type ContextResult, DISCOVERY_TYPES, UNTRUSTED_INSTRUCTION } from '../../../model/records/discovery.ts';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, PLACE_FLAGS } from '../../parsing/project-flags.ts';
import {
  DISCOVERY_FIELDS,
  discoveryJson,
  EVIDENCE_FIELDS,
  evidenceJson,
  evidenceText,
  renderDiscovery,
} from '../../render/discovery-json.ts';
import { explanationLines } from '../../render/hits.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine, wrap } from '../../render/terminal-text.ts';
import { count } from '../../render/units.ts';
import { targetOf } from '../../running/command-target.ts';

const DEFAULT_LIMIT = 50;
const TYPE_FLAG = { kind: 'string', value: 'TYPE', choices: DISCOVERY_TYPES, help: 'Only this type' } as const;
const KNOWN_TYPE_FLAG = { ...TYPE_FLAG, choices: [...DISCOVERY_TYPES, UNTRUSTED_INSTRUCTION] } as const;
const MODULE_FLAG = { kind: 'string', value: 'NAME', help: 'Only this module' } as const;

export const memoryList = defineCommand({
  name: 'memory list',
  group: 'memory',
  summary: 'List recorded and mined entries',
  operands: {},
  flags: {
    path: PATH_FLAG,
    type: KNOWN_TYPE_FLAG,
    module: MODULE_FLAG,
    recorded: { kind: 'boolean', help: 'Only entries that people and agents recorded, no mined ones' },
    limit: { kind: 'integer', value: 'N', min: 1, max: 100_000, help: 'Number of entries' },
    format: FORMAT_FLAG,
  },
  examples: [{ line: 'sextant memory list --type rule', meaning: 'the rules that hold here' }],
  json: [
    { field: 'total', meaning: 'number of entries, whether shown or not' },
    { field: 'notices[]', meaning: 'reasons why the list is incomplete' },
    ...DISCOVERY_FIELDS.map(({ field, meaning }) => ({ field: `discoveries[].${field}`, meaning })),
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const all = await engine.discoveries(path, {
      ...(flags.recorded ? { recorded: true } : {}),
      ...(flags.type === undefined ? {} : { type: flags.type }),
      ...(flags.module === undefined ? {} : { module: flags.module }),
    });
    for (const { file, reason } of await engine.brokenMemories(path))
      session.say(`Skipped, ${printableLine(reason)}: ${printableLine(file)}`);
    const found = all.slice(0, flags.limit ?? DEFAULT_LIMIT);
    const notices = await engine.memoryNotices(path);
    const data = { total: all.length, notices, discoveries: found.map(discoveryJson) };
    const isFiltered = flags.type !== undefined || flags.module !== undefined || flags.recorded === true;
    await printAnswer(session, flags.format, data, (screen) => {
      const more = all.length - found.length;
      return [
        ...(found.length > 0
          ? found.flatMap((discovery) => renderDiscovery(discovery, screen))
          : isFiltered
            ? ['Nothing of that kind is remembered.']
            : ['Nothing is remembered yet. `sextant remember TEXT` records something.']),
        ...(more > 0 ? [screen.style.grey(`… and ${count(more)} more; --limit N shows them.`)] : []),
        ...notices.map((notice) => screen.style.yellow(printableLine(notice))),
      ];
    });
  },
});

function factsOf(found: Pick<ContextResult, 'type' | 'module' | 'status' | 'supersededBy'>): string {
  const superseded = found.supersededBy ? `superseded by ${found.supersededBy}` : '';
  return [found.type, found.module, found.status ?? '', superseded].filter(Boolean).map(printableLine).join(' · ');
}

export const memorySearch = defineCommand({
  name: 'memory search',
  group: 'memory',
  summary: 'Search decisions, rules, patterns, issues, earlier sessions and code',
  operands: { query: { value: 'QUERY', required: true, rest: true, help: 'The question' } },
  flags: {
    ...PLACE_FLAGS,
    type: TYPE_FLAG,
    module: MODULE_FLAG,
    limit: { kind: 'integer', value: 'N', min: 1, max: 100, help: 'Number of results' },
    explain: { kind: 'boolean', help: 'Show the features of each score' },
    format: FORMAT_FLAG,
  },
  examples: [{ line: 'sextant memory search "why do we not cache tokens"', meaning: 'decisions, sessions and code' }],
  json: [
    { field: 'total_found', meaning: 'number of results found' },
    { field: 'duration_ms', meaning: 'time' },
    { field: 'notices[]', meaning: 'why the answer is less than asked for' },
    { field: 'results[].id', meaning: 'its id' },
    { field: 'results[].type', meaning: '`pattern`, `rule`, `decision`, `issue`, `session` or `code`' },
    { field: 'results[].source', meaning: '`discovery`, `session` or `code`' },
    { field: 'results[].content', meaning: 'the text' },
    { field: 'results[].module', meaning: 'module, or empty' },
    { field: 'results[].session', meaning: 'session, or empty' },
    { field: 'results[].date_ms', meaning: 'milliseconds since 1970' },
    { field: 'results[].score', meaning: 'relevance from 0 to 1' },
    { field: 'results[].status', meaning: 'status of a decision record, or null' },
    { field: 'results[].superseded_by', meaning: 'id of the discovery that replaced it, or null' },
    { field: 'results[].contradicts[]', meaning: 'ids of discoveries that it contradicts' },
    ...EVIDENCE_FIELDS.map(({ field, meaning }) => ({ field: `results[].${field}`, meaning })),
    { field: 'results[].explanation[].feature', meaning: 'with --explain: a ranking feature' },
    { field: 'results[].explanation[].value', meaning: 'its value' },
    { field: 'results[].explanation[].weight', meaning: 'its weight' },
    { field: 'results[].explanation[].contribution', meaning: 'what it adds to the score before calibration' },
  ],
  async run({ flags, operands }, session) {
    const path = targetOf(session, flags);
    const engine = await session.engine(path);
    const answer = await engine.contextSearch(path, {
      query: operands.query,
      limit: flags.limit ?? 10,
      explain: flags.explain ?? false,
      signal: session.signal,
      ...(flags.type === undefined ? {} : { type: flags.type }),
      ...(flags.module === undefined ? {} : { module: flags.module }),
    });
    const data = {
      total_found: answer.totalFound,
      duration_ms: answer.durationMs,
      notices: answer.notices,
      results: answer.results.map((r) => ({
        id: r.id,
        type: r.type,
        source: r.source,
        content: r.content,
        module: r.module,
        session: r.session,
        date_ms: r.dateMs,
        score: r.score,
        status: r.status ?? null,
        superseded_by: r.supersededBy ?? null,
        contradicts: r.contradicts ?? [],
        evidence: r.evidence.map(evidenceJson),
        ...(r.explanation ? { explanation: r.explanation } : {}),
      })),
    };
    await printAnswer(session, flags.format, data, (screen) => {
      const { style, columns, isTerminal } = screen;
      const notices = answer.notices.map((notice) => style.yellow(printableLine(notice)));
      if (answer.results.length === 0) return ['Nothing is remembered about that.', ...notices];
      const lines = answer.results.flatMap((r) => [
        `${style.cyan(r.id)} ${style.grey(factsOf(r))} ${style.green(r.score.toFixed(2))}`,
        ...wrap(r.content, (isTerminal ? columns : 100) - 2)
          .slice(0, 8)
          .map((line) => `  ${printableLine(line)}`),
        ...r.evidence.slice(0, 3).map((e) => `  ${style.grey(evidenceText(e))}`),
        ...explanationLines(r.explanation ?? [], '  ', screen),
      ]);
      return [...lines, ...notices];
    });
  },
});

export const memoryShow = defineCommand({
  name: 'memory show',
  group: 'memory',
  summary: 'Show one entry',
  operands: { id: { value: 'ID', required: true, help: 'Id of the entry' } },
  flags: { path: PATH_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant memory show rule-0f3a…', meaning: 'with its evidence' }],
  json: [...DISCOVERY_FIELDS, { field: 'file', meaning: 'its text file; null if it was mined' }],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const { discovery, file } = await engine.discovery(path, operands.id);
    await printAnswer(session, flags.format, { ...discoveryJson(discovery), file }, (screen) => [
      ...renderDiscovery(discovery, screen),
      ...(file === null ? [] : [`  ${screen.style.grey(printableLine(file))}`]),
    ]);
  },
});

export const memoryForget = defineCommand({
  name: 'memory forget',
  group: 'memory',
  summary: 'Remove one entry',
  details: 'A mined entry is hidden; the file `forgotten` beside the entries lists its id.',
  operands: { id: { value: 'ID', required: true, help: 'Id of the entry' } },
  flags: { path: PATH_FLAG },
  examples: [{ line: 'sextant memory forget issue-77ab…', meaning: 'an entry that is wrong' }],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    if (!(await engine.forget(path, operands.id))) throw new EngineError('discovery_not_found', { id: operands.id });
    session.terminal.out.write(`Forgotten: ${printableLine(operands.id)}\n`);
  },
});
