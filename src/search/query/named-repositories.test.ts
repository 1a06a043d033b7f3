import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedRepositories } from './named-repositories.ts';

const REPOSITORIES = ['tokio', 'axum', 'lazy.nvim', 'telescope.nvim', 'api'];
const named = (query: string) => {
  const found = namedRepositories(query, REPOSITORIES);
  return found && [...found];
};

test('a question names a repository by its name, by a part that only it has, or inside an identifier', () => {
  assert.deepEqual(named('how does Tokio park a worker'), ['tokio']);
  assert.deepEqual(named('where does telescope sort entries'), ['telescope.nvim']);
  assert.deepEqual(named('AxumRouter'), ['axum']);
  assert.deepEqual(named('tokio and axum'), ['tokio', 'axum']);
});

test('a part that several repositories share names none of them', () => {
  assert.equal(named('nvim options'), null);
  assert.equal(named('where is the card charged'), null);
  assert.equal(namedRepositories('shop', ['shop']), null, 'the only one');
});
