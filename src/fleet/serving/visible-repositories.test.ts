import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import type { Subject } from './subjects.ts';
import { VisibleRepositories } from './visible-repositories.ts';

/** A catalogue in memory, that counts how often all of it is read. */
class Catalogue {
  readonly #records = new Map<string, { readonly record: RepositoryRecord; readonly seqNo: number }>();
  #seqNo = 0;
  reads = 0;
  looks = 0;
  isAway = false;

  put(name: string, groups: readonly string[]): void {
    const since = { addedAtMs: 0, wantedAtMs: null, checkedAtMs: null, branch: 'main', failure: null };
    const record: RepositoryRecord = { kind: 'repo', name, url: '/nowhere', ref: null, groups, ...since };
    this.#records.set(name, { record, seqNo: this.#seqNo++ });
  }

  remove(name: string): void {
    this.#records.delete(name);
    this.#seqNo++;
  }

  async list() {
    this.reads++;
    return [...this.#records.values()].map(({ record }) => record).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async latestChanges(limit: number) {
    this.looks++;
    if (this.isAway) throw new EngineError('fleet_unavailable', { reason: 'none answers', seconds: 15 });
    const changed = [...this.#records.values()].sort((a, b) => b.seqNo - a.seqNo).slice(0, limit);
    return { total: this.#records.size, changed };
  }
}

const ANN: Subject = { name: 'ann', groups: new Set(['a']) };
const LOOK_MS = 3_001;

function filled(): Catalogue {
  const catalogue = new Catalogue();
  for (let i = 0; i < 1_000; i++) catalogue.put(`r${String(i).padStart(4, '0')}`, [i % 2 === 0 ? 'a' : 'b']);
  return catalogue;
}

test('catalogue changes appear at the next poll, and the whole catalogue is read only if they are inconclusive', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const catalogue = filled();
  const visible = new VisibleRepositories(catalogue);
  const names = async () => {
    t.mock.timers.tick(LOOK_MS);
    return (await visible.of(ANN)).map(({ name }) => name);
  };
  const [first, together] = await Promise.all([visible.of(ANN), visible.of(ANN)]);
  assert.equal(first.length, 500);
  assert.equal(first, together, 'one list for one set of groups');
  assert.equal(catalogue.reads, 1);

  catalogue.put('r0002', ['b']);
  catalogue.put('r0003', ['a']);
  catalogue.put('r0500x', []);
  const changed = await names();
  assert.deepEqual(changed.slice(0, 4), ['r0000', 'r0003', 'r0004', 'r0006']);
  assert.equal(changed.indexOf('r0500x'), changed.indexOf('r0500') + 1, 'in the order of names');
  assert.equal(catalogue.reads, 1);
  assert.equal((await names()).length, changed.length);

  catalogue.remove('r0000');
  assert.equal((await names())[0], 'r0003');
  assert.equal(catalogue.reads, 2, 'one that is gone is among no changes');
  catalogue.remove('r0004');
  catalogue.put('r0004', ['b']);
  assert.deepEqual((await names()).slice(0, 2), ['r0003', 'r0006']);

  for (let i = 0; i < 400; i++) catalogue.put(`r${String(i).padStart(4, '0')}`, ['b']);
  assert.equal((await names())[0], 'r0400');
  assert.equal(catalogue.reads, 3, 'more changes than one answer has');
  t.mock.timers.tick(60_000);
  await names();
  assert.equal(catalogue.reads, 4, 'and all of it every minute');
});

test('while the catalogue is unavailable, the last list is used for five minutes', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const catalogue = filled();
  const visible = new VisibleRepositories(catalogue);
  assert.equal((await visible.of(ANN)).length, 500);
  catalogue.isAway = true;
  t.mock.timers.tick(200_000);
  assert.equal((await visible.of(ANN)).length, 500);
  const { looks } = catalogue;
  assert.equal((await visible.of(ANN)).length, 500);
  assert.equal(catalogue.looks, looks, 'the calls of a moment do not all wait for it');
  t.mock.timers.tick(LOOK_MS);
  await visible.of(ANN);
  assert.equal(catalogue.looks, looks + 1);
  t.mock.timers.tick(200_000);
  await assert.rejects(visible.of(ANN), /does not answer/);
});
