import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensitiveKind } from './sensitive.ts';

test('ordinary text about code contains no secret', () => {
  for (const text of [
    'skipUnnecessaryValidations is called before rendering.',
    'Call skeleton_loader_placeholder first.',
    'Clone git@github.com:acme/shop.git and run it.',
    'The password field is hashed with argon2.',
    'The password is base64-encoded before it is sent.',
    'password: mandatory, at least twelve signs.',
    'Call read() 10000000 times, or call it at 03:15.',
    'apiKey: string | undefined, refreshToken: string',
    'Since 2024-01-02 calls go to 192.168.0.1:8080.',
    'Use the secret store instead of constants.',
    'AKIA is the prefix of access keys.',
    'Set password = config.database.password; never a literal.',
    'api_key: process.env.API_KEY is read once.',
    'client_secret=<your secret here>',
    'The run 4111222233334444555 is an id, 1234567890123456 too.',
    'Mail of robots goes to no-reply@corp.org.',
    'The commit 0123456789abcdef0123456789abcdef01234567 broke it.',
  ])
    assert.equal(sensitiveKind(text), null, text);
});
