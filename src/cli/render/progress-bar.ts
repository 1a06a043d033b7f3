/**
 * Indexing, as a person follows it: on a terminal one line that rewrites itself (bar, files, lines/s, time left, the file at hand), elsewhere
 * one plain line per phase. Always on standard error, so that answers can be piped.
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
  /** Takes the line off the screen. */
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
  let phase: IndexPhase | null = null;
  let phaseStart = 0;
  let linesAtStart = 0;
  return {
    update(progress) {
      if (progress.phase !== phase) {
        phase = progress.phase;
        phaseStart = Date.now();
        linesAtStart = progress.lines;
      } else if (Date.now() - drawnAt < REDRAW_MS) return;
      if (phase === 'done') return;
      drawnAt = Date.now();
      drawn = true;
      const elapsed = drawnAt - phaseStart;
      screen.write(`\r\u001b[2K${progressText(progress, elapsed, progress.lines - linesAtStart, screen)}`);
    },
    end() {
      if (drawn) screen.write('\r\u001b[2K');
      drawn = false;
    },
  };
}

/** One line within the screen's width. Exported for its test. */
export function progressText(progress: IndexProgress, elapsedMs: number, newLines: number, screen: Screen): string {
  const { style, width } = screen;
  const { done, total, share = total > 0 ? done / total : 0 } = progress;
  const bar: string[] = [];
  const parts: string[] = [];
  if (total > 0) {
    const full = Math.round(Math.min(1, share) * BAR);
    // Two signs: without colours, one would always be a full bar.
    bar.push(`${style.cyan('━'.repeat(full))}${style.grey('─'.repeat(BAR - full))}`);
    parts.push(`${count(done)}/${count(total)}`);
  } else if (done > 0) parts.push(plural(done, 'file'));
  if (elapsedMs > 500 && newLines > 0) parts.push(`${count(newLines / (elapsedMs / 1000))} lines/s`);
  if (elapsedMs > 1000 && share > 0 && total > done) parts.push(`${duration((elapsedMs / share) * (1 - share))} left`);
  const compose = (shown: readonly string[]) => `${PHASES[progress.phase]} ${shown.join(' · ')}`.trimEnd();
  let line = compose([...bar, ...parts]);
  // On a narrow screen the bar goes first, then what stands last.
  for (let kept = parts.length; cellWidth(line) > width - 1 && kept >= 0; kept--) line = compose(parts.slice(0, kept));
  // A line that the screen breaks cannot be taken off it again.
  if (cellWidth(line) > width - 1) return clip(line, width - 1);
  const room = width - 3 - cellWidth(line);
  if (progress.currentFile && room > 12)
    line += `  ${style.grey(clipStart(printableLine(progress.currentFile), room))}`;
  return line;
}
