/**
 * Settles the definitions of a file and their starts: patterns that match the same name are one definition, and
 * declarations of several names are split.
 */

import { cpuMs } from '../../../model/runtime/cpu-time.ts';
import type { LanguageDescriptor } from '../../language.ts';
import type { SyntaxNode } from '../grammar/syntax-node.ts';
import type { Found, FoundDefinition } from './collect.ts';
import { nodeText } from './node-text.ts';

const MAX_NAME = 200;

/** A definition with a settled start. */
export interface Placed {
  readonly found: FoundDefinition;
  readonly name: string;
  /** The start of the node or of its wrapper; it decides containment. */
  start: number;
  readonly end: number;
  wrapper: SyntaxNode | null;
  /** The keyword of a shared declaration (`const`), which begins the signature. */
  prefix: string;
}

export function placeDefinitions(
  descriptor: LanguageDescriptor,
  found: Found,
  text: string,
  deadlineMs: number,
): {
  placed: Placed[];
  hurried: boolean;
} {
  const byName = new Map<number, FoundDefinition>();
  for (const definition of found.definitions) {
    const key = definition.name.startIndex;
    const known = byName.get(key);
    if (
      !known ||
      definition.pattern < known.pattern ||
      (definition.pattern === known.pattern && definition.captureCount > known.captureCount)
    )
      byName.set(key, definition);
  }
  const wrappers = new Set(descriptor.wrapperNodes);
  /** The definitions of the first node in each wrapper. */
  const sharing = new Map<number, Placed[]>();
  const placed: Placed[] = [];
  let hurried = false;
  let count = 0;
  for (const definition of byName.values()) {
    const name = nameOf(definition.name, text, descriptor);
    if (!name) continue;
    const { node } = definition;
    const entry: Placed = {
      found: definition,
      name,
      start: node.startIndex,
      end: Math.max(node.endIndex, definition.body?.endIndex ?? 0),
      wrapper: null,
      prefix: '',
    };
    // A node finds its parent from the root down, which is quadratic for thousands of nested definitions, so the time
    // limit is checked.
    if ((++count & 63) === 0 && cpuMs() > deadlineMs) hurried = true;
    if (wrappers.size > 0 && !hurried) {
      let wrapper: SyntaxNode | null = null;
      for (let up = node.parent; up && wrappers.has(up.type); up = up.parent) wrapper = up;
      if (wrapper) {
        const brothers = sharing.get(wrapper.id);
        const first = brothers?.[0];
        if (!brothers || !first) {
          sharing.set(wrapper.id, [entry]);
          entry.wrapper = wrapper;
          entry.start = wrapper.startIndex;
        } else if (first.found.node.id !== node.id) {
          // In a declaration of several names, each has its own start, and its signature begins with the keyword of the
          // declaration.
          if (first.wrapper) {
            const prefix = keywordOf(text, first.start, first.found.node.startIndex);
            for (const brother of brothers) {
              brother.prefix = prefix;
              brother.start = first.found.node.startIndex;
              brother.wrapper = null;
            }
          }
          entry.prefix = first.prefix;
        } else {
          entry.start = first.start;
          entry.prefix = first.prefix;
          brothers.push(entry);
        }
      }
    }
    placed.push(entry);
  }
  placed.sort((a, b) => a.start - b.start || b.end - a.end || a.found.name.startIndex - b.found.name.startIndex);
  return { placed, hurried };
}

function keywordOf(text: string, start: number, end: number): string {
  return /^[\w\s]*/
    .exec(text.slice(start, Math.min(end, start + 80)))![0]
    .replace(/\s+/g, ' ')
    .trim();
}

function nameOf(node: SyntaxNode, text: string, descriptor: LanguageDescriptor): string {
  const raw = nodeText(node, text);
  if (raw.length > MAX_NAME * 4) return '';
  const name = descriptor.nameOf ? descriptor.nameOf(raw) : raw.replace(/^[`'"]|[`'"]$/g, '').replace(/\s+/g, ' ');
  return name.slice(0, MAX_NAME);
}
