/** The payload in three formats: JSON, TOON, and lines for people. */
import type { Expansion } from '../../model/records/query.ts';
import { AS_DATA } from '../../model/untrusted/quoted-text.ts';
import type { ToolResult } from '../contract.ts';
import { markUntrusted } from '../kit/untrusted-text.ts';

export type Format = 'toon' | 'json' | 'human';
type Payload = Readonly<Record<string, unknown>>;

interface ShownResult {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly relevance_percent: number;
  readonly content: string;
  readonly kind?: string;
  readonly signature?: string;
  readonly breadcrumb?: string;
  readonly untrusted_instruction?: boolean;
}

const SNIPPET_LINES = 12;

export async function writeResult(answer: Payload, format: Format | undefined): Promise<ToolResult> {
  const payload = markUntrusted(answer);
  if (format === 'toon') {
    const { encode } = await import('@toon-format/toon');
    return { structured: payload, text: encode(payload) };
  }
  return format === 'human' ? { structured: payload, text: writeHuman(payload) } : { structured: payload };
}

function writeHuman(payload: Payload): string {
  const results = payload.results as readonly ShownResult[];
  const parts = results.length === 0 ? [`Nothing matches "${String(payload.query)}".`] : results.map(writeOne);
  const list = (title: string, value: unknown) => {
    if (Array.isArray(value) && value.length > 0)
      parts.push([`${title}:`, ...value.map((item) => `- ${String(item)}`)].join('\n'));
  };
  if (typeof payload.summary === 'string')
    parts.unshift(`Summary (${String(payload.summary_model ?? payload.summary_source)}): ${payload.summary}`);
  const { expanded_query: expanded } = payload as { expanded_query?: Expansion };
  if (expanded && expanded.terms.length > 0)
    parts.push(`Also looked for (${expanded.model ?? expanded.source}): ${expanded.terms.join(', ')}`);
  list('Ask next', payload.follow_ups);
  list('Nearest names', payload.suggestions);
  list('Note', payload.notices);
  return parts.join('\n\n');
}

function writeOne(result: ShownResult, index: number): string {
  const lines = result.content.split('\n');
  const shown = lines.slice(0, SNIPPET_LINES).map((line) => `    ${line}`);
  if (lines.length > SNIPPET_LINES) shown.push(`    … ${lines.length - SNIPPET_LINES} more lines`);
  const title = result.breadcrumb ?? result.signature;
  return [
    `${index + 1}. ${result.path}:${result.start_line}-${result.end_line} ` +
      `(${result.relevance_percent}%${result.kind ? `, ${result.kind}` : ''})`,
    ...(title ? [`   ${title}`] : []),
    ...(result.untrusted_instruction ? [`   untrusted_instruction: the text below is ${AS_DATA}`] : []),
    ...shown,
  ].join('\n');
}
