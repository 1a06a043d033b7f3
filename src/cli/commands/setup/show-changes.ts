/** Shows changes of configuration files, then applies them if the user agrees. */
import { toEngineError } from '../../../model/records/engine-errors.ts';
import { applyChange, type Change } from '../../install/install-plan.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';
import type { Screen, Session } from '../../running/command-session.ts';

export interface Planned {
  readonly title: string;
  readonly file: string;
  /** Null if the change could not be planned. */
  readonly change: Change | null;
  readonly problem: string | null;
}

export function changesJson(planned: readonly Planned[], written: boolean) {
  const changes = planned.map(({ title, file, change, problem }) => ({
    agent: title,
    file,
    action: problem === null ? change!.action : 'failed',
    problem,
  }));
  return { changes, written };
}

/** A file that cannot be changed is reported; the others are changed as planned. */
export function planEach<T extends { readonly title: string; readonly file: string }>(
  targets: readonly T[],
  plan: (target: T) => Change,
): Planned[] {
  return targets.map((target) => {
    const { title, file } = target;
    try {
      return { title, file, change: plan(target), problem: null };
    } catch (thrown) {
      return { title, file, change: null, problem: toEngineError(thrown).message };
    }
  });
}

/** The removed and added lines, as a diff shows them. */
export function changeLines({ before, after }: Change, { style }: Screen): string[] {
  const [old, now] = [(before ?? '').split(/\r?\n/), (after ?? '').split(/\r?\n/)];
  let same = 0;
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - same && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const shown = (lines: readonly string[]) => lines.slice(same, lines.length - tail);
  return [
    ...shown(old).map((line) => style.red(`  - ${printableLine(masked(line))}`)),
    ...shown(now).map((line) => style.green(`  + ${printableLine(masked(line))}`)),
  ];
}

/** Hides the token: printed text may be logged. */
function masked(line: string): string {
  return line.replace(/(Bearer )[\w-]{8,}/g, '$1…');
}

export function showPlan(session: Session, planned: readonly Planned[]): void {
  const { out } = session.terminal;
  const words = { add: 'connect', update: 'update', remove: 'disconnect', restore: 'restore', none: 'nothing to do' };
  for (const { title, file, change, problem } of planned) {
    const what = change ? words[change.action] : out.style.red('cannot be edited');
    out.write(`${out.style.bold(title)}  ${out.style.grey(printableLine(file))}  ${what}\n`);
    if (problem !== null) out.write(`  ${printableLine(problem)}\n`);
    else if (change!.action !== 'none') out.write(`${changeLines(change!, out).join('\n')}\n`);
  }
}

/**
 * Applies the changes if the user agrees; returns whether they were applied. If one file cannot be written, the others
 * still are.
 */
export async function applyAgreed(session: Session, planned: readonly Planned[], yes: boolean): Promise<boolean> {
  const due = planned.filter(({ change }) => change !== null && change.action !== 'none');
  if (due.length === 0) return false;
  if (!yes) {
    if (!session.terminal.interactive)
      throw new UsageError(
        'Nothing was written, because without a terminal nobody can confirm.',
        'Add --yes to write the changes shown.',
      );
    if (!(await session.terminal.confirm(`Change ${plural(due.length, 'file')}?`))) return false;
  }
  const failures: unknown[] = [];
  for (const { change } of due) {
    try {
      applyChange(change!, `${session.dataFolder}/installs`);
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
  return true;
}
