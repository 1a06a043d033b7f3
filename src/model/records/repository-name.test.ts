import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedName, nameOfUrl } from './repository-name.ts';

test('a repository goes by its host and path, however its address is written', () => {
  for (const url of [
    'https://github.com/acme/billing.git',
    'https://user:secret@GitHub.com:443/acme/billing/',
    'ssh://git@github.com/acme/billing',
    'git@github.com:acme/billing.git',
  ])
    assert.equal(nameOfUrl(url), 'github.com/acme/billing', url);
  assert.equal(nameOfUrl('/srv/git/billing.git'), 'srv/git/billing');
});

test('a name that would leave its folder, or hide in it, is refused', () => {
  for (const name of ['', '../up', 'a//b', '.git', 'a/.hidden', 'a b', 'a\\b', '/a'])
    assert.throws(() => checkedName(name), /cannot be a repository's name/, name);
});
