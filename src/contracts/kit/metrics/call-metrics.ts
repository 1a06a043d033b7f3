/**
 * Metrics of tool calls: counts, outcomes, durations and sizes for each tool of each profile, as data and as Prometheus
 * text.
 */

import { RecentCalls } from './recent-calls.ts';

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/** Percentiles cover this many of the last calls. */
const MAX_RECENT_DURATIONS = 2048;

export interface CallRecord {
  readonly profile: string;
  readonly tool: string;
  /** 'ok', or the error code. */
  readonly outcome: string;
  readonly durationMs: number;
  readonly resultBytes: number;
}

export interface ToolMetrics {
  readonly profile: string;
  readonly tool: string;
  readonly calls: number;
  readonly succeeded: number;
  readonly rateLimited: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly resultBytes: number;
  /** Bytes of the files that the answers show, each file once a session. */
  readonly shownBytes: number;
}

/** The metrics of a tool in a form that can be saved and added to those of another process. */
export interface SeriesSnapshot {
  readonly profile: string;
  readonly tool: string;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly resultBytes: number;
  /** Missing in files of earlier versions. */
  readonly shownBytes?: number;
  /** Durations of the last calls, in milliseconds. */
  readonly recentMs: readonly number[];
}

class Series {
  readonly outcomes = new Map<string, number>();
  readonly buckets = new Array<number>(BUCKETS.length).fill(0);
  readonly recent: number[] = [];
  calls = 0;
  seconds = 0;
  bytes = 0;
  shownBytes = 0;

  add(record: CallRecord): void {
    this.outcomes.set(record.outcome, (this.outcomes.get(record.outcome) ?? 0) + 1);
    this.recent[this.calls % MAX_RECENT_DURATIONS] = record.durationMs;
    this.calls++;
    this.seconds += record.durationMs / 1000;
    this.bytes += record.resultBytes;
    for (let i = BUCKETS.length - 1; i >= 0 && record.durationMs / 1000 <= BUCKETS[i]!; i--) this.buckets[i]!++;
  }

  /** Oldest first. */
  inOrder(): number[] {
    const start = this.calls > MAX_RECENT_DURATIONS ? this.calls % MAX_RECENT_DURATIONS : 0;
    return [...this.recent.slice(start), ...this.recent.slice(0, start)];
  }
}

export class Metrics {
  readonly recent = new RecentCalls();
  readonly #series = new Map<string, { readonly profile: string; readonly tool: string; readonly series: Series }>();
  readonly #listeners = new Set<() => void>();

  record(record: CallRecord): void {
    const key = `${record.profile}\0${record.tool}`;
    let entry = this.#series.get(key);
    if (!entry) {
      entry = { profile: record.profile, tool: record.tool, series: new Series() };
      this.#series.set(key, entry);
    }
    entry.series.add(record);
    for (const listener of this.#listeners) listener();
  }

  /** Adds the files that a recorded call has shown; they are counted shortly after the call. */
  addShown({ profile, tool }: Pick<CallRecord, 'profile' | 'tool'>, bytes: number): void {
    const entry = this.#series.get(`${profile}\0${tool}`);
    if (!entry || bytes === 0) return;
    entry.series.shownBytes += bytes;
    for (const listener of this.#listeners) listener();
  }

  /** Calls back after every call, until the returned function is called. */
  onRecord(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  list(): readonly ToolMetrics[] {
    return summarise(this.snapshot());
  }

  snapshot(): readonly SeriesSnapshot[] {
    return [...this.#series.values()].map(({ profile, tool, series }) => ({
      profile,
      tool,
      outcomes: Object.fromEntries(series.outcomes),
      resultBytes: series.bytes,
      shownBytes: series.shownBytes,
      recentMs: series.inOrder(),
    }));
  }

  /** Prometheus text exposition, version 0.0.4. */
  prometheus(): string {
    const calls: string[] = [];
    const durations: string[] = [];
    const bytes: string[] = [];
    for (const { profile, tool, series } of this.#series.values()) {
      const labels = `profile="${profile}",tool="${tool}"`;
      for (const [outcome, count] of series.outcomes)
        calls.push(`sextant_tool_calls_total{${labels},outcome="${outcome}"} ${count}`);
      BUCKETS.forEach((bound, i) => {
        durations.push(`sextant_tool_duration_seconds_bucket{${labels},le="${bound}"} ${series.buckets[i]}`);
      });
      durations.push(`sextant_tool_duration_seconds_bucket{${labels},le="+Inf"} ${series.calls}`);
      durations.push(`sextant_tool_duration_seconds_sum{${labels}} ${series.seconds}`);
      durations.push(`sextant_tool_duration_seconds_count{${labels}} ${series.calls}`);
      bytes.push(`sextant_tool_result_bytes_total{${labels}} ${series.bytes}`);
    }
    return [
      family('sextant_tool_calls_total', 'counter', 'Tool calls by outcome.', calls),
      family('sextant_tool_duration_seconds', 'histogram', 'Time from call to result.', durations),
      family('sextant_tool_result_bytes_total', 'counter', 'Bytes of results.', bytes),
    ].join('');
  }
}

function family(name: string, type: string, help: string, lines: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** One line for each tool, summed over processes, in the order of first mention. */
export function summarise(snapshots: readonly SeriesSnapshot[]): readonly ToolMetrics[] {
  const byTool = new Map<string, SeriesSnapshot[]>();
  for (const snapshot of snapshots) {
    const key = `${snapshot.profile}\0${snapshot.tool}`;
    byTool.set(key, [...(byTool.get(key) ?? []), snapshot]);
  }
  return [...byTool.values()].map((parts) => {
    const outcomes = new Map<string, number>();
    for (const part of parts)
      for (const [outcome, count] of Object.entries(part.outcomes))
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    const sorted = parts.flatMap(({ recentMs }) => recentMs).sort((a, b) => a - b);
    return {
      profile: parts[0]!.profile,
      tool: parts[0]!.tool,
      calls: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
      succeeded: outcomes.get('ok') ?? 0,
      rateLimited: outcomes.get('rate_limited') ?? 0,
      errors: Object.fromEntries([...outcomes].filter(([outcome]) => outcome !== 'ok')),
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
      p99Ms: percentile(sorted, 0.99),
      resultBytes: parts.reduce((sum, part) => sum + part.resultBytes, 0),
      shownBytes: parts.reduce((sum, part) => sum + (part.shownBytes ?? 0), 0),
    };
  });
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
}
