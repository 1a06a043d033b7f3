/** Answers "what has no known references": a list with a reason for each symbol, never a claim that code is dead. */

import type { EvidenceTrail } from '../research/evidence-trail.ts';
import { membersOf } from '../research/find-places.ts';
import { findUnreferenced, type Reservation, type Unreferenced } from './find-unreferenced.ts';

const MAX_LINES = 60;
const RESERVED: Readonly<Record<Reservation, string>> = {
  inherited: 'override something, or belong to a type that inherits from outside of the index',
  annotated: 'carry an attribute or decorator that may register them',
  'named in a string': 'are named in a string or a configuration file',
  'named elsewhere': 'have a name that stands in code which could not be resolved',
};

/** `scope`: a path or module; '' for the whole program. */
export async function describeUnreferenced(trail: EvidenceTrail, scope: string): Promise<string[]> {
  const { input } = trail;
  const files = scope === '' ? input.view.files.map((_, index) => index) : membersOf(input, scope);
  if (files.length === 0) return [`No file or module ${scope} is in the index.`];
  const { found, reserved, total } = await findUnreferenced({ ...input, pause: () => trail.hop(1, 1, 0) }, files);
  const where = scope === '' ? '' : ` of ${scope}`;
  if (total === 0)
    return [`No code of the program${where} is in the index: tests, examples and dependencies are not looked at.`];
  const sorted = [...found].sort((a, b) => weight(a) - weight(b));
  const shown = sorted.slice(0, MAX_LINES);
  if (shown.length < sorted.length) trail.truncated = true;
  const lines = shown.map((each) => describeOne(trail, each));
  const head =
    sorted.length === 0
      ? `Every one of the ${total} symbols${where} that were looked at has a known reference, or may be used in a ` +
        'way that the index does not see.'
      : `${sorted.length} of ${total} symbols${where} ${sorted.length === 1 ? 'has' : 'have'} no known references. ` +
        'Reflection, names built at run time and other repositories are not seen, so none of them is proved to be ' +
        'unused:';
  const more = sorted.length - shown.length;
  return [
    head,
    ...lines,
    ...(more > 0 ? [`${more} more, the first: ${describeOne(trail, sorted[MAX_LINES]!).slice(2)}`] : []),
    ...describeReserved(reserved),
  ];
}

function describeOne(trail: EvidenceTrail, { place, isInternal, tests, others }: Unreferenced): string {
  const { kind } = trail.input.graph.symbol(place);
  if (trail.room.nodes) trail.node(place, 0);
  const reasons = [
    ...(others > 0 ? [`${places(others)} with this name mean${others === 1 ? 's' : ''} something else`] : []),
    ...(tests > 0 ? [`only tests name it (${places(tests)})`] : []),
    ...(others + tests === 0 ? ['its name stands nowhere else in code'] : []),
    isInternal ? 'nothing outside can see it' : 'other repositories may use it',
  ];
  return `- ${kind} ${trail.name(place)} (${trail.at(place)}): ${reasons.join('; ')}`;
}

/** Private symbols that no test names come first. */
function weight({ isInternal, tests }: Unreferenced): number {
  return (isInternal ? 0 : 2) + (tests > 0 ? 1 : 0);
}

function places(count: number): string {
  return count === 1 ? '1 place' : `${count} places`;
}

/** Symbols that the list leaves out, by reason. */
function describeReserved(reserved: ReadonlyMap<Reservation, number>): string[] {
  const parts = [...reserved].map(([reason, count]) => `${count} ${RESERVED[reason]}`);
  return parts.length > 0 ? [`Not listed, though nothing refers to them: ${parts.join('; ')}.`] : [];
}
