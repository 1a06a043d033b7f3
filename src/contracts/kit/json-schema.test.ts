import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkValue, countUnits, type Schema } from './json-schema.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    count: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    share: { type: 'number', minimum: 0 },
    on: { type: 'boolean' },
    kind: { type: 'string', enum: ['a', 'b'] },
    list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    inner: { type: 'object', properties: { x: { type: 'integer', default: 7 } }, additionalProperties: false },
    free: { type: 'object' },
  },
  required: ['name'],
} as const;

const issues = (value: unknown, by: Schema = schema) =>
  checkValue(by, value).issues.map(({ path, kind }) => [path, kind]);

test('defaults are filled in, null counts as absent, unknown properties are dropped', () => {
  assert.deepEqual(checkValue(schema, { name: 'x', on: null, extra: 1, inner: {}, free: { any: [1] } }).value, {
    name: 'x',
    count: 3,
    inner: { x: 7 },
    free: { any: [1] },
  });
  assert.deepEqual(issues({ name: 'x', count: null }), []);
});

test('every kind of schema violation is reported with its path', () => {
  assert.deepEqual(issues({}), [['name', 'missing']]);
  assert.deepEqual(issues({ name: null }), [['name', 'type']]);
  assert.deepEqual(issues({ name: '' }), [['name', 'length']]);
  assert.deepEqual(issues({ name: 'abcdef' }), [['name', 'length']]);
  assert.deepEqual(issues({ name: 'x', count: 0 }), [['count', 'range']]);
  assert.deepEqual(issues({ name: 'x', count: 1.5 }), [['count', 'type']]);
  assert.deepEqual(issues({ name: 'x', count: '5' }), [['count', 'type']]);
  assert.deepEqual(issues({ name: 'x', share: -1 }), [['share', 'range']]);
  assert.deepEqual(issues({ name: 'x', share: Number.NaN }), [['share', 'type']]);
  assert.deepEqual(issues({ name: 'x', on: 'true' }), [['on', 'type']]);
  assert.deepEqual(issues({ name: 'x', kind: 'c' }), [['kind', 'enum']]);
  assert.deepEqual(issues({ name: 'x', list: ['a', 1] }), [['list[1]', 'type']]);
  assert.deepEqual(issues({ name: 'x', list: ['a', 'b', 'c'] }), [['list', 'length']]);
  assert.deepEqual(issues({ name: 'x', inner: { y: 1 } }), [['inner.y', 'unknown']]);
  assert.deepEqual(issues({ name: 'x', inner: [] }), [['inner', 'type']]);
  assert.deepEqual(issues([]), [['', 'type']]);
  assert.deepEqual(issues({ name: 1, count: 99 }), [
    ['name', 'type'],
    ['count', 'range'],
  ]);
});

test('string lengths count characters, or UTF-16 units if a contract does', () => {
  const name = '😀'.repeat(5);
  assert.deepEqual(issues({ name }), []);
  assert.deepEqual(issues({ name: `${name}x` }), [['name', 'length']]);
  assert.deepEqual(
    checkValue(schema, { name }, countUnits).issues.map(({ kind }) => kind),
    ['length'],
  );
});

test('names on Object.prototype are no properties', () => {
  assert.deepEqual(issues(JSON.parse('{"__proto__": {"name": "x"}}')), [['name', 'missing']]);
  assert.deepEqual(issues({ constructor: 'x' }), [['name', 'missing']]);
});
