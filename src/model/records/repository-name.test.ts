import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedName, nameOfUrl } from './repository-name.ts';

test('every form of a repository’s address gives the same name of host and path', () => {
  for (const url of [
    'https://github.com/acme/billing.git',
    'https://user:secret@GitHub.com:443/acme/billing/',
    'ssh://git@github.com/acme/billing',
    'git@github.com:acme/billing.git',
  ])
    assert.equal(nameOfUrl(url), 'github.com/acme/billing', url);
  assert.equal(nameOfUrl('/srv/git/billing.git'), 'srv/git/billing');
});

test('a name that leads out of its folder, or begins with a dot, is refused', () => {
  for (const name of ['', '../up', 'a//b', '.git', 'a/.hidden', 'a b', 'a\\b', '/a'])
    assert.throws(() => checkedName(name), /cannot be a repository's name/, name);
});
