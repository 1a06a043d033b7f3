/** Follows a link inside a client: calls the tool that answers the same. */
import type { Address } from '../data/addresses.ts';
import type { Host } from './connect-host.ts';
import { type Json, text } from './json-value.ts';

export interface Shown {
  readonly tool: string;
  readonly args: Json;
  readonly answer: Json;
}

/** Context lines around a place. */
const CONTEXT_LINES = 12;

/** Returns null for a link that no tool answers. Throws the tool's error. */
export async function follow(host: Host, address: Address, first: Json): Promise<Shown | null> {
  const call = callOf(address);
  if (!call) return null;
  // Keeps the project and ref of the shown answer.
  const project = call.tool === 'read_file' ? { project: first.path } : { path: first.path, ref: first.ref };
  const args = { ...call.args, ...(first.path !== undefined && project) };
  const { structuredContent = {}, isError, content } = await host.callTool(call.tool, args);
  if (isError) throw new Error(content?.find(({ type }) => type === 'text')?.text ?? 'The tool refused the call.');
  return { tool: call.tool, args, answer: structuredContent };
}

function callOf({ view, parameters }: Address): Omit<Shown, 'answer'> | null {
  if (view === 'file') {
    const [first = 0, last = first] = (parameters.get('lines') ?? '').split('-').map(Number);
    const lines =
      first > 0 ? { start_line: Math.max(1, first - CONTEXT_LINES), end_line: last + CONTEXT_LINES } : { end_line: 80 };
    return { tool: 'read_file', args: { path: parameters.get('path') ?? '', ...lines } };
  }
  const name = parameters.get('id') ?? parameters.get('name') ?? '';
  if (view === 'symbol') return { tool: 'locate_symbol', args: { name, detail: true } };
  if (view === 'search') return { tool: 'code_research', args: { query: text(parameters.get('q')) } };
  return null;
}
