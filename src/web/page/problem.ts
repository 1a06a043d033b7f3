import { h } from './dom.ts';
import { fixForPeople } from './fixes.ts';
import { Refusal } from './mcp.ts';

/** What went wrong, with the step that mends it where there is one. */
export function problem(error: unknown): HTMLElement {
  if (!(error instanceof Refusal)) return h('p', { class: 'problem', role: 'alert' }, String(error));
  const fix = fixForPeople(error);
  return h('div', { class: 'problem', role: 'alert' }, h('p', {}, error.message), fix !== '' && h('p', {}, fix));
}
