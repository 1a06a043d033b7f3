/** Renders the metrics of tool calls, for `sextant status --metrics`. */
import type { SavedMetrics } from '../../contracts/kit/metrics/metrics-file.ts';
import type { JsonField } from '../parsing/command.ts';
import { alignRows, printableLine } from '../render/terminal-text.ts';
import { ago, bytes, count, duration, plural } from '../render/units.ts';
import type { Screen } from './command-session.ts';

export const METRICS_FIELDS: readonly JsonField[] = [
  { field: 'metrics.servers', meaning: 'with --metrics: serving processes of the last seven days' },
  { field: 'metrics.since_ms', meaning: 'when the first of them began, or null' },
  { field: 'metrics.tools[].profile', meaning: 'profile' },
  { field: 'metrics.tools[].tool', meaning: 'tool' },
  { field: 'metrics.tools[].calls', meaning: 'calls' },
  { field: 'metrics.tools[].succeeded', meaning: 'of them answered without an error' },
  { field: 'metrics.tools[].success_rate', meaning: 'their share, 0 to 1' },
  { field: 'metrics.tools[].p50_ms', meaning: 'median time of the last calls' },
  { field: 'metrics.tools[].p95_ms', meaning: '95th percentile' },
  { field: 'metrics.tools[].p99_ms', meaning: '99th percentile' },
  { field: 'metrics.tools[].errors', meaning: 'number of failed calls, by type' },
  { field: 'metrics.tools[].rate_limited', meaning: 'calls refused by a rate limit' },
  { field: 'metrics.tools[].result_bytes', meaning: 'bytes of all answers' },
];

export function metricsJson({ servers, sinceMs, tools }: SavedMetrics) {
  return {
    servers,
    since_ms: sinceMs,
    tools: tools.map((t) => ({
      profile: t.profile,
      tool: t.tool,
      calls: t.calls,
      succeeded: t.succeeded,
      success_rate: t.calls === 0 ? 0 : Math.round((t.succeeded / t.calls) * 1e4) / 1e4,
      p50_ms: t.p50Ms,
      p95_ms: t.p95Ms,
      p99_ms: t.p99Ms,
      errors: t.errors,
      rate_limited: t.rateLimited,
      result_bytes: t.resultBytes,
    })),
  };
}

export function renderMetrics({ servers, sinceMs, tools }: SavedMetrics, { style }: Screen): string[] {
  if (sinceMs === null || tools.length === 0) return ['No tool was called in the last seven days.'];
  const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
  const heads = ['profile', 'tool', 'calls', 'success', 'p50', 'p95', 'p99', 'limited', 'answers', 'errors'];
  return [
    `${plural(calls, 'call')} to ${plural(servers, 'server')}; the first began ${ago(sinceMs, Date.now())}`,
    ...alignRows([
      heads.map(style.grey),
      ...tools.map((t) => [
        printableLine(t.profile),
        style.bold(printableLine(t.tool)),
        count(t.calls),
        share(t.succeeded, t.calls),
        duration(t.p50Ms),
        duration(t.p95Ms),
        duration(t.p99Ms),
        count(t.rateLimited),
        bytes(t.resultBytes),
        style.yellow(printableLine(errorWords(t.errors))),
      ]),
    ]),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${Math.floor((part / whole) * 1000) / 10}%`;
}

/** Error codes with their counts, most frequent first. */
function errorWords(errors: Readonly<Record<string, number>>): string {
  return Object.entries(errors)
    .sort(([, a], [, b]) => b - a)
    .map(([type, n]) => `${type.replaceAll('_', ' ')} ${count(n)}`)
    .join(', ');
}
