/** impact: the symbols that a change touches, their dependents, and the tests to run. */
import type { Dependant, DependantModule, ImpactAnswer } from '../../../model/records/impact.ts';
import { fitParts, namedList, type Part } from '../../kit/token-budget.ts';
import * as output from '../sextant-outputs.ts';
import * as schema from '../sextant-schemas.ts';
import { project, READS, SHORT_TOKENS, sextantTool, stateParts } from './tool-kit.ts';

/** Limits of an answer without max_tokens. */
const SHORT = { symbols: 10, modules: 6, places: 3, tests: 10, companions: 3 } as const;

export const impact = sextantTool({
  name: 'impact',
  title: 'Impact',
  description:
    'What a change touches, who depends on it, which tests to run. Not for callers alone (code_research). Gives ' +
    'symbols, users by module, tests and the lines that run them.',
  input: schema.IMPACT,
  output: output.IMPACT,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const answer = await ctx.engine.impact(path, {
      ...(args.target !== undefined && { target: args.target }),
      ...(args.diff !== undefined && { diff: args.diff }),
      ...(args.staged && { staged: true }),
      ...(args.ref && { ref: args.ref }),
      signal: ctx.signal,
    });
    const frame = {
      change: answer.change,
      ...(answer.moreFiles > 0 && { more_files: answer.moreFiles }),
      dependants: totals(answer.modules),
      ...(answer.tests.length === 0 && { message: `None of ${answer.suiteFiles} test files is known to reach it.` }),
      ...(answer.notices.length > 0 && { notices: answer.notices }),
    };
    const parts = [...impactParts(answer, args.max_tokens === undefined), ...stateParts(answer.freshness)];
    return { structured: fitParts(args.max_tokens ?? SHORT_TOKENS, frame, parts) };
  },
});

function totals(modules: readonly DependantModule[]) {
  const sum = (confidence: 'exact' | 'likely' | 'ambiguous' | 'unresolved') =>
    modules.reduce((total, module) => total + module[confidence], 0);
  return {
    exact: sum('exact'),
    likely: sum('likely'),
    ambiguous: sum('ambiguous'),
    unresolved: sum('unresolved'),
  };
}

function impactParts(answer: ImpactAnswer, isShort: boolean): readonly Part[] {
  const list = <T>(name: string, items: readonly T[], most: number) => {
    const shown = isShort ? items.slice(0, most) : items;
    return namedList(name, { items: shown, more: items.length - shown.length });
  };
  const program = [...answer.symbols].sort((a, b) => Number(a.isTest) - Number(b.isTest));
  const symbols = program.map(({ symbolId, name, kind, path, line, change }) => ({
    ...(symbolId !== null && { id: symbolId }),
    name,
    kind,
    at: line > 0 ? `${path}:${line}` : path,
    ...(change !== 'changed' && change !== 'named' && { change }),
  }));
  const modules = answer.modules.map(({ module, places, exact, likely, ambiguous, unresolved }) => ({
    module,
    ...(exact > 0 && { exact }),
    ...(likely > 0 && { likely }),
    ...(ambiguous > 0 && { ambiguous }),
    ...(unresolved > 0 && { unresolved }),
    places: (isShort ? places.slice(0, SHORT.places) : places).map(placeText),
  }));
  const tests = answer.tests.map(({ path, reasons, score }) => ({
    path,
    score: Math.round(score * 100) / 100,
    why: reasons[0]?.description ?? '',
  }));
  const companions = answer.companions.map(
    ({ path, together, commits }) => `${path} (in ${together} of ${commits} commits)`,
  );
  return [
    list('symbols', symbols, SHORT.symbols),
    ...(tests.length > 0 ? [list('tests', tests, SHORT.tests)] : []),
    ...(answer.commands.length > 0
      ? [
          list(
            'run',
            answer.commands.map(({ line }) => line),
            SHORT.tests,
          ),
        ]
      : []),
    list('modules', modules, SHORT.modules),
    ...(companions.length > 0 ? [list('usually_changes_too', companions, SHORT.companions)] : []),
    ...(symbols.length > 0
      ? [namedList('ask_next', { items: ['locate_symbol with references: true lists every use of one of symbols'] })]
      : []),
  ];
}

function placeText({ path, line, from, uses, confidence, hop }: Dependant): string {
  const sure = confidence === 'exact' ? '' : ` (${confidence})`;
  return `${path}:${line} ${from || 'file'} uses ${uses}${sure}${hop > 1 ? `, ${hop} steps away` : ''}`;
}
