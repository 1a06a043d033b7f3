/**
 * Shows indexing progress: on a terminal one line that is rewritten (bar, percentage, lines/s, time left, current
 * file), otherwise one line per phase. Always on standard error, so that answers can be piped.
 */
import type { IndexPhase, IndexProgress } from '../../model/records/progress.ts';
import type { Screen } from '../running/command-session.ts';
import { cellWidth, clip, clipStart, printableLine } from './terminal-text.ts';
import { count, duration, plural } from './units.ts';

const PHASES: Readonly<Record<IndexPhase, string>> = {
  walk: 'Finding files',
  parse: 'Reading code',
  embed: 'Embedding',
  publish: 'Publishing',
  done: 'Done',
};
const REDRAW_MS = 80;
const BAR = 24;

export interface ProgressLine {
  update(progress: IndexProgress): void;
  /** Removes the line from the screen. */
  end(): void;
}

export function showProgress(screen: Screen, quiet: boolean): ProgressLine {
  if (quiet) return { update() {}, end() {} };
  return screen.rewrites ? liveLine(screen) : plainLines(screen);
}

function plainLines(screen: Screen): ProgressLine {
  let phase: IndexPhase | null = null;
  return {
    update(progress) {
      if (progress.phase === phase || progress.phase === 'done') return;
      // The total of a phase is known once its first file is done; the walk has none.
      if (progress.phase !== 'walk' && progress.total === 0) return;
      phase = progress.phase;
      const files = progress.total > 0 && phase === 'parse' ? ` of ${plural(progress.total, 'file')}` : '';
      screen.write(`${PHASES[phase]}${files} …\n`);
    },
    end() {},
  };
}

function liveLine(screen: Screen): ProgressLine {
  let drawn = false;
  let drawnAt = 0;
  let pace: Pace | null = null;
  return {
    update(progress) {
      const isNew = pace?.phase !== progress.phase;
      if (pace === null || isNew) pace = new Pace(progress, Date.now());
      pace.add(progress, Date.now());
      if (progress.phase === 'done' || (!isNew && Date.now() - drawnAt < REDRAW_MS)) return;
      drawnAt = Date.now();
      drawn = true;
      screen.write(`\r\u001b[2K${progressText(progress, pace, screen)}`);
    },
    end() {
      if (drawn) screen.write('\r\u001b[2K');
      drawn = false;
    },
  };
}

/**
 * Share of the work below which the time left is unknown: the first file may be the largest, and its grammar is loaded
 * with it.
 */
const KNOWN_SHARE = 0.05;
const KNOWN_MS = 1000;

/**
 * Measures the speed of a phase. The time before its first file (starting workers, loading grammars) is not counted,
 * because it does not recur.
 */
export class Pace {
  readonly phase: IndexPhase;
  readonly #startMs: number;
  readonly #startLines: number;
  #first: { readonly share: number; readonly atMs: number } | null = null;
  #last: { readonly share: number; readonly lines: number; readonly atMs: number };

  constructor(progress: IndexProgress, nowMs: number) {
    this.phase = progress.phase;
    this.#startMs = nowMs;
    this.#startLines = progress.lines;
    this.#last = { share: 0, lines: progress.lines, atMs: nowMs };
  }

  add(progress: IndexProgress, nowMs: number): void {
    const share = shareOf(progress);
    if (share > 0) this.#first ??= { share, atMs: nowMs };
    this.#last = { share, lines: progress.lines, atMs: nowMs };
  }

  /** The estimated time left; null while it would be a guess. */
  get leftMs(): number | null {
    const { share, atMs } = this.#last;
    const since = this.#first;
    if (!since || share - since.share < KNOWN_SHARE || atMs - since.atMs < KNOWN_MS) return null;
    return ((atMs - since.atMs) / (share - since.share)) * (1 - share);
  }

  get linesPerSecond(): number | null {
    const ms = this.#last.atMs - this.#startMs;
    const lines = this.#last.lines - this.#startLines;
    return ms > 500 && lines > 0 ? lines / (ms / 1000) : null;
  }
}

/** The completed share: by bytes if files differ much in size, otherwise by their number. */
function shareOf({ done, total, share = total > 0 ? done / total : 0 }: IndexProgress): number {
  return Math.min(1, share);
}

/** One line within the screen's width. Exported for its test. */
export function progressText(
  progress: IndexProgress,
  { leftMs, linesPerSecond }: Pick<Pace, 'leftMs' | 'linesPerSecond'>,
  screen: Screen,
): string {
  const { style, width } = screen;
  const { done, total, phase } = progress;
  const share = shareOf(progress);
  const bar: string[] = [];
  const parts: string[] = [];
  if (total > 0) {
    const full = Math.round(share * BAR);
    // Two different characters: without colours, a single one would look like a full bar.
    bar.push(`${style.cyan('━'.repeat(full))}${style.grey('─'.repeat(BAR - full))}`);
    parts.push(`${Math.floor(share * 100)} %`);
    if (phase === 'parse') parts[0] += ` of ${plural(total, 'file')}`;
  } else if (done > 0) parts.push(plural(done, 'file'));
  if (linesPerSecond !== null) parts.push(`${count(linesPerSecond)} lines/s`);
  if (leftMs !== null && share < 1) parts.push(`${duration(leftMs)} left`);
  const compose = (shown: readonly string[]) => `${PHASES[phase]} ${shown.join(' · ')}`.trimEnd();
  let line = compose([...bar, ...parts]);
  // On a narrow screen the bar is dropped first, then the last parts.
  for (let kept = parts.length; cellWidth(line) > width - 1 && kept >= 0; kept--) line = compose(parts.slice(0, kept));
  // A wrapped line could not be removed from the screen.
  if (cellWidth(line) > width - 1) return clip(line, width - 1);
  const room = width - 3 - cellWidth(line);
  if (progress.currentFile && room > 12)
    line += `  ${style.grey(clipStart(printableLine(progress.currentFile), room))}`;
  return line;
}
