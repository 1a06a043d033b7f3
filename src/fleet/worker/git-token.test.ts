import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenFor } from './git-token.ts';

test('a git token is sent to every host over HTTPS, or to the named hosts only', () => {
  for (const [url, hosts, gets] of [
    ['https://github.com/acme/web', [], true],
    ['http://github.com/acme/web', [], false],
    ['git@github.com:acme/web', [], false],
    ['file:///srv/web', [], false],
    ['https://GIT.acme.com/web', ['git.acme.com'], true],
    ['http://git.acme.com/web', ['git.acme.com'], true],
    ['https://git.acme.com.evil.example/web', ['git.acme.com'], false],
    ['https://git.acme.com@evil.example/web', ['git.acme.com'], false],
    ['https://git.acme.com:8443/web', ['git.acme.com'], false],
    ['https://git.acme.com:8443/web', ['git.acme.com:8443'], true],
  ] as const)
    assert.equal(tokenFor(url, { token: 'secret', hosts }), gets ? 'secret' : undefined, url);
});
