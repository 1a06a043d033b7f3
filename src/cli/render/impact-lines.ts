/** Renders the impact of a change, for people and for programs. */
import type { DependantModule, ImpactAnswer, TestToRun, TouchedSymbol } from '../../model/records/impact.ts';
import type { Screen } from '../running/command-session.ts';
import { freshnessJson, freshnessLines, place } from './location.ts';
import type { Style } from './style.ts';
import { printableLine, wrap } from './terminal-text.ts';
import { plural } from './units.ts';

/** Maximum entries of each list, unless all are requested. */
const MAX_SHOWN = { symbols: 12, modules: 8, places: 3, tests: 15, companions: 5, files: 6 } as const;

export function impactLines(answer: ImpactAnswer, all: boolean, { style, isTerminal, columns }: Screen): string[] {
  const maxLines = (count: number) => (all ? Number.POSITIVE_INFINITY : count);
  const width = isTerminal ? columns : 100;
  return [
    `${style.bold('Change')}  ${printableLine(answer.change)}: ` +
      `${plural(answer.files.length + answer.moreFiles, 'file')}, ${plural(answer.symbols.length, 'symbol')}`,
    ...symbolLines(answer.symbols, maxLines(MAX_SHOWN.symbols), style),
    ...remarkLines(answer, maxLines(MAX_SHOWN.files), style),
    ...moduleLines(answer.modules, maxLines(MAX_SHOWN.modules), maxLines(MAX_SHOWN.places), style),
    ...testLines(answer, maxLines(MAX_SHOWN.tests), style),
    ...companionLines(answer, maxLines(MAX_SHOWN.companions), style),
    ...answer.notices.flatMap((notice) => wrap(notice, width).map((line) => style.yellow(printableLine(line)))),
    ...freshnessLines(answer.freshness, style),
    ...(answer.nextSteps.length > 0 ? ['', style.bold('Next')] : []),
    ...answer.nextSteps.map((step) => `  ${printableLine(step)}`),
  ];
}

function symbolLines(symbols: readonly TouchedSymbol[], maxLines: number, style: Style): string[] {
  const shown = [...symbols.filter(({ isTest }) => !isTest), ...symbols.filter(({ isTest }) => isTest)].slice(
    0,
    maxLines,
  );
  const lines = shown.map(({ name, kind, path, line, change }) => {
    const where = line > 0 ? place(path, line, line, style) : style.cyan(printableLine(path));
    const how = change === 'changed' || change === 'named' ? '' : `  ${style.yellow(change)}`;
    return `  ${where}  ${printableLine(name)} ${style.grey(kind)}${how}`;
  });
  return [...lines, ...moreLine(symbols.length - shown.length, style)];
}

/** Files without a known effect, each with the reason. */
function remarkLines({ files }: ImpactAnswer, maxLines: number, style: Style): string[] {
  const unknown = files.filter(({ remark }) => remark !== null);
  const shown = unknown.slice(0, maxLines);
  return [
    ...shown.map(
      ({ path, status, remark }) => `  ${style.cyan(printableLine(path))}  ${style.grey(`${status}, ${remark}`)}`,
    ),
    ...moreLine(unknown.length - shown.length, style),
  ];
}

function moduleLines(modules: readonly DependantModule[], maxLines: number, places: number, style: Style): string[] {
  const total = (confidence: 'exact' | 'likely' | 'ambiguous' | 'unresolved') =>
    modules.reduce((sum, module) => sum + module[confidence], 0);
  const head =
    `Dependants  ${total('exact')} exact, ${total('likely')} likely, ${total('ambiguous')} ambiguous, ` +
    `${total('unresolved')} unresolved, tests left out`;
  if (modules.length === 0) return ['', `${style.bold('Dependants')}  no known use outside of tests`];
  const lines = modules.slice(0, maxLines).flatMap((module) => {
    const counts = (['exact', 'likely', 'ambiguous', 'unresolved'] as const)
      .filter((confidence) => module[confidence] > 0)
      .map((confidence) => `${module[confidence]} ${confidence}`);
    const shown = module.places.slice(0, places);
    return [
      `  ${style.bold(printableLine(module.module || '(no module)'))}  ` +
        `${style.grey(counts.join(', ') || 'through others only')}`,
      ...shown.map(
        ({ path, line, from, uses, confidence, hop }) =>
          `    ${place(path, line, line, style)}  ${printableLine(from || 'the file')} uses ${printableLine(uses)}` +
          (confidence === 'exact' ? '' : style.grey(`, ${confidence}`)) +
          (hop > 1 ? style.grey(`, ${hop} steps away`) : ''),
      ),
      ...moreLine(module.places.length - shown.length, style, '    '),
    ];
  });
  return [
    '',
    head.replace(/^Dependants/, style.bold('Dependants')),
    ...lines,
    ...moreLine(modules.length - maxLines, style),
  ];
}

function testLines({ tests, moreTests, suiteFiles, commands }: ImpactAnswer, maxLines: number, style: Style): string[] {
  if (suiteFiles === 0) return ['', `${style.bold('Tests')}  the index holds none`];
  if (tests.length === 0) return ['', `${style.bold('Tests')}  none of ${suiteFiles} is known to reach it`];
  const shown = tests.slice(0, maxLines);
  return [
    '',
    `${style.bold('Tests to run')}  ${tests.length} of ` +
      `${plural(suiteFiles, 'file')}${moreTests > 0 ? `; ${moreTests} more are less likely to tell anything` : ''}`,
    ...shown.map((test) => testLine(test, style)),
    ...moreLine(tests.length - shown.length, style),
    ...commands.map(({ line }) => `  ${style.green('$')} ${printableLine(line)}`),
  ];
}

function testLine({ path, reasons, score }: TestToRun, style: Style): string {
  const why = reasons
    .slice(0, 2)
    .map(({ description }) => description)
    .join('; ');
  return `  ${score.toFixed(2)}  ${style.cyan(printableLine(path))}  ${style.grey(printableLine(why))}`;
}

function companionLines({ companions, commitsRead }: ImpactAnswer, maxLines: number, style: Style): string[] {
  if (companions.length === 0) return [];
  const shown = companions.slice(0, maxLines);
  return [
    '',
    `${style.bold('Usually changes with it')}  ${style.grey(`in the last ${commitsRead} commits`)}`,
    ...shown.map(
      ({ path, together, commits, with: own }) =>
        `  ${style.cyan(printableLine(path))}  ` +
        `${style.grey(`in ${together} of ${commits} commits of ${printableLine(own)}`)}`,
    ),
  ];
}

function moreLine(count: number, style: Style, indent = '  '): string[] {
  return count > 0 && Number.isFinite(count) ? [style.grey(`${indent}… ${count} more (--all, or --format json)`)] : [];
}

export function impactJson(answer: ImpactAnswer) {
  return {
    change: answer.change,
    files: answer.files.map(({ oldPath, isTest, ...file }) => ({ ...file, old_path: oldPath, is_test: isTest })),
    more_files: answer.moreFiles,
    symbols: answer.symbols.map(({ symbolId, isTest, ...symbol }) => ({
      symbol_id: symbolId,
      ...symbol,
      is_test: isTest,
    })),
    modules: answer.modules.map(({ places, ...module }) => ({
      ...module,
      places: places.map(({ symbolId, ...each }) => ({ ...each, symbol_id: symbolId })),
    })),
    tests: answer.tests,
    more_tests: answer.moreTests,
    suite_files: answer.suiteFiles,
    commands: answer.commands,
    companions: answer.companions,
    commits_read: answer.commitsRead,
    notices: answer.notices,
    next_steps: answer.nextSteps,
    freshness: freshnessJson(answer.freshness),
  };
}
