import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findChangedRecords } from './git-listing-diff.ts';

interface Entry {
  readonly name: string;
  readonly id: string;
  readonly changed: boolean;
}

const listingOf = (entries: readonly Entry[], untracked: readonly string[]) =>
  Buffer.from(
    [
      ...untracked.map((name) => `? ${name}\0`),
      ...entries.map(
        ({ name, id, changed }) => `H 100644 ${id} 0\t${name}\0${changed ? `C 100644 ${id} 0\t${name}\0` : ''}`,
      ),
    ].join(''),
  );

const tracked = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-zé]{1,3}$/),
      id: fc.constantFrom('aa', 'ab', 'bb'),
      changed: fc.boolean(),
    }),
    { selector: ({ name }) => name, maxLength: 12 },
  )
  .map((entries) => entries.sort((a, b) => (a.name < b.name ? -1 : 1)));
const untracked = fc.constantFrom([], ['new'], ['new', 'other']);

test('findChangedRecords returns the paths whose records differ, and null if paths came or went', () => {
  fc.assert(
    fc.property(
      tracked,
      untracked,
      untracked,
      fc.infiniteStream(fc.integer({ min: 0, max: 5 })),
      (old, u, v, chance) => {
        const now = old.flatMap((entry) => {
          const roll = chance.next().value;
          if (roll === 0) return [{ ...entry, changed: !entry.changed }];
          if (roll === 1) return [{ ...entry, id: `${entry.id}c` }];
          return roll === 2 && chance.next().value === 0 ? [] : [entry];
        });
        const found = findChangedRecords(listingOf(old, u), listingOf(now, v), 100);
        if (now.length !== old.length || u.length !== v.length) assert.equal(found, null);
        else assert.deepEqual(found, new Set(now.filter((entry, i) => !same(entry, old[i]!)).map(({ name }) => name)));
      },
    ),
    { numRuns: 500 },
  );
});

const same = (a: Entry, b: Entry) => a.id === b.id && a.changed === b.changed;

test('findChangedRecords returns null for too many changes, and for a name that is not UTF-8', () => {
  const [a, b] = ['a', 'b'].map((id) =>
    listingOf(
      [...'xyz'].map((name) => ({ name, id, changed: false })),
      [],
    ),
  );
  assert.equal(findChangedRecords(a!, b!, 2), null);
  assert.equal(findChangedRecords(a!, b!, 3)?.size, 3);
  const odd = Buffer.concat([a!, Buffer.from('C 100644 a 0\t'), Buffer.of(0xff, 0)]);
  assert.equal(findChangedRecords(a!, odd, 9), null);
});
