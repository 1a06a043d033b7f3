import type { LocateAnswer, ReferenceCounts } from '../../../model/records/query.ts';
import { SYMBOL_KINDS } from '../../../model/records/symbol.ts';
import { docLine } from '../../../model/text/doc-line.ts';
import { defineCommand } from '../../parsing/command.ts';
import { REF_FLAG, REMOTE_FLAGS, YES_FLAG } from '../../parsing/project-flags.ts';
import { narrowingRemark } from '../../render/filter-remark.ts';
import { FRESHNESS_FIELDS, freshnessJson, freshnessLines, place } from '../../render/location.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { detailFields, detailJson, detailLines } from '../../render/print-symbol.ts';
import { referenceFields, referenceJson, symbolFields, symbolJson } from '../../render/symbol-json.ts';
import { alignRows, clip, printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';
import type { Screen } from '../../running/command-session.ts';
import { withIndex } from '../../running/index-first.ts';
import { targetOrClone } from '../../running/remote-target.ts';

export const locate = defineCommand({
  name: 'locate',
  group: 'ask',
  summary: 'Find the definition of a symbol, and with --references its uses',
  operands: {
    name: {
      value: 'NAME',
      required: true,
      help: 'Name, qualified name (AuthService.refresh, jwt::validate) or symbol id',
    },
  },
  flags: {
    ...REMOTE_FLAGS,
    ref: REF_FLAG,
    kind: { kind: 'string', value: 'KIND', suggests: SYMBOL_KINDS, help: 'Only this kind: function, class, type …' },
    lang: { kind: 'string', value: 'LANG', help: 'Only this language' },
    limit: { kind: 'integer', value: 'N', min: 1, max: 100, help: 'Number of symbols' },
    references: { kind: 'boolean', short: 'r', help: 'List its uses' },
    detail: { kind: 'boolean', help: 'Show the best match in full: source, callers, callees, implementers, tests' },
    yes: YES_FLAG,
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant locate parseConfig', meaning: 'by name' },
    { line: 'sextant locate AuthService.refresh --references', meaning: 'a method and who uses it' },
    { line: 'sextant locate Store --kind interface --lang go', meaning: 'narrowed' },
    { line: 'sextant locate parseConfig --detail', meaning: 'with its source, who calls it, and its tests' },
  ],
  json: [
    { field: 'total_candidates', meaning: 'number of symbols considered' },
    { field: 'total_references', meaning: 'number of references; `references` lists the first 1000' },
    {
      field: 'reference_counts',
      meaning: 'how many are exact, likely, ambiguous and in_tests, and of how many symbols',
    },
    { field: 'nearest_names[]', meaning: 'similar names, if none matches' },
    ...FRESHNESS_FIELDS,
    ...symbolFields('symbols[].'),
    { field: 'symbols[].score', meaning: 'how well it matches, from 0 to 1' },
    { field: 'symbols[].match', meaning: '`exact`, `qualified`, `prefix`, `subword` or `typo`' },
    ...referenceFields('references[].'),
    ...detailFields('detail.'),
  ],
  async run({ flags, operands }, session) {
    const path = await targetOrClone(session, flags);
    const engine = await session.engine(path);
    const answer = await withIndex(session, path, { yes: flags.yes, ref: flags.ref }, () =>
      engine.locate(path, {
        name: operands.name,
        limit: flags.limit ?? 10,
        includeReferences: flags.references ?? false,
        ...(flags.kind === undefined ? {} : { kind: flags.kind }),
        ...(flags.lang === undefined ? {} : { language: flags.lang }),
        ...(flags.ref === undefined ? {} : { ref: flags.ref }),
      }),
    );
    const [best] = answer.symbols;
    const detail = flags.detail && best ? await engine.symbol(path, best.symbolId, flags.ref) : null;
    const data = {
      total_candidates: answer.totalCandidates,
      total_references: answer.referenceCounts.total,
      reference_counts: countsJson(answer.referenceCounts),
      nearest_names: answer.nearestNames,
      freshness: freshnessJson(answer.freshness),
      symbols: answer.symbols.map((s) => ({ ...symbolJson(s), score: s.score, match: s.match })),
      references: answer.references.map(referenceJson),
      ...(detail && { detail: detailJson(detail) }),
    };
    await printAnswer(session, flags.format, data, (screen) => [
      ...render(answer, flags.references ?? false, screen),
      ...(detail ? detailLines(detail, screen) : []),
    ]);
    const remark = best ? null : narrowingRemark(flags, ['kind', 'lang']);
    if (remark !== null) session.say(remark);
  },
});

function render(answer: LocateAnswer, withReferences: boolean, screen: Screen): string[] {
  const { style } = screen;
  const lines: string[] = [];
  for (const symbol of answer.symbols) {
    const inexactMatch =
      symbol.match === 'exact' || symbol.match === 'qualified' ? '' : `  ${style.yellow(symbol.match)}`;
    lines.push(
      `${place(symbol.path, symbol.startLine, symbol.endLine, style)}  ` +
        `${style.bold(printableLine(symbol.qualifiedName))} ${style.grey(symbol.kind)}${inexactMatch}`,
    );
    const width = screen.cutAt - 4;
    if (symbol.signature) lines.push(`    ${clip(printableLine(symbol.signature), width)}`);
    const docSummary = docLine(symbol.doc);
    if (docSummary !== '') lines.push(`    ${style.grey(clip(printableLine(docSummary), width))}`);
  }
  if (answer.symbols.length === 0) {
    lines.push('No symbol matches.');
    if (answer.nearestNames.length > 0)
      lines.push(`Similar names: ${answer.nearestNames.map(printableLine).join(', ')}`);
  }
  if (withReferences) {
    lines.push('', style.bold(referenceSummary(answer.referenceCounts)));
    const program = answer.references.filter(({ isTest }) => !isTest);
    const shown = program.length > 0 ? program : answer.references;
    const rows = shown.map((site) => [
      `  ${place(site.path, site.line, site.line, style)}`,
      style.grey(site.confidence === 'exact' ? site.kind : `${site.kind}, ${site.confidence}`),
      clip(printableLine(site.text.trim()), screen.isTerminal ? 100 : screen.cutAt),
    ]);
    lines.push(...alignRows(rows));
    const [first] = answer.references.slice(shown.length);
    const inTests = plural(answer.referenceCounts.inTests, 'reference');
    if (first) lines.push(style.grey(`  ${inTests} in tests, the first at ${first.path}:${first.line}`));
  }
  lines.push(...freshnessLines(answer.freshness, style));
  return lines;
}

/** "3 references: 1 exact, 2 ambiguous"; confidences are left out where all are exact. */
function referenceSummary({ total, symbols, exact, likely, ambiguous }: ReferenceCounts): string {
  const of = symbols > 1 ? ` to the first ${symbols} symbols` : '';
  if (exact === total) return `${plural(total, 'reference')}${of}`;
  const parts = Object.entries({ exact, likely, ambiguous }).filter(([, count]) => count > 0);
  const listed = parts.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ');
  return `${plural(total, 'reference')}${of}: ${listed}`;
}

function countsJson({ symbols, exact, likely, ambiguous, inTests }: ReferenceCounts) {
  return { exact, likely, ambiguous, in_tests: inTests, symbols };
}
