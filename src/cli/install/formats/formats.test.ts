/** Edits of configuration files, over many files of each format: only the entry changes, and it comes off again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringify as tomlText } from 'smol-toml';
import { stringify as yamlText } from 'yaml';
import {
  type ConfigFormat,
  canonical,
  depthOf,
  removeSafely,
  setSafely,
  UnsafeEdit,
  valueAt,
} from './config-format.ts';
import { jsoncFormat } from './jsonc-format.ts';
import { tomlFormat } from './toml-format.ts';
import { yamlFormat } from './yaml-format.ts';

const ENTRY = { command: 'C:\\a "b"\\node', args: ['-y', 'sextant-mcp', 'ü'] };
const PATH = ['mcpServers', 'sextant'];
const RUNS = { numRuns: 300, seed: 7 };

const name = fc.constantFrom('a', 'b-c', 'other server', 'ü', 'x.y', 'theme', 'model');
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const server = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) });
/** A configuration: settings of the user's, and other servers, if any. */
const config = fc.tuple(
  fc.dictionary(name, scalar, { maxKeys: 3 }),
  fc.option(fc.dictionary(name, server, { maxKeys: 2 }), { nil: undefined }),
);

interface Style {
  readonly indent: string;
  readonly eol: string;
  readonly comments: boolean;
  readonly trailing: boolean;
  readonly final: boolean;
}
const style: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom('  ', '    ', '\t', ''),
  eol: fc.constantFrom('\n', '\r\n'),
  comments: fc.boolean(),
  trailing: fc.boolean(),
  final: fc.boolean(),
});

function jsonc(value: unknown, { indent, eol, comments, trailing, final }: Style): string {
  const write = (item: unknown, depth: number): string => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return JSON.stringify(item);
    const entries = Object.entries(item);
    if (entries.length === 0) return '{}';
    if (indent === '') return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${write(v, 0)}`).join(',')}}`;
    const pad = indent.repeat(depth + 1);
    const lines = entries.map(([key, child], i) => {
      const comma = i < entries.length - 1 || trailing ? ',' : '';
      return `${pad}${JSON.stringify(key)}: ${write(child, depth + 1)}${comma}${comments ? ' // why, "so"' : ''}`;
    });
    return ['{', ...(comments ? [`${pad}/* first */`] : []), ...lines, `${indent.repeat(depth)}}`].join(eol);
  };
  return `${comments ? `// the user's${eol}` : ''}${write(value, 0)}${final ? eol : ''}`;
}

/** Every line of the one is in the other, in its order; a comma may have come behind it. */
function keepsLines(before: string, after: string): void {
  const bare = (text: string) =>
    text.split('\n').map((line) => line.replace(/,(?=\s*(?:\/\/|$))/, '').replace(/\r$/, ''));
  const rest = bare(after);
  for (const line of bare(before)) {
    const at = rest.indexOf(line);
    assert.ok(at >= 0, `${JSON.stringify(line)} is gone from ${after}`);
    rest.splice(0, at + 1);
  }
}

function addsAndRemoves(format: ConfigFormat, before: string, path: readonly string[]): string {
  const kept = depthOf(format.parse(before), path);
  const after = setSafely(format, before, path, ENTRY);
  assert.equal(canonical(valueAt(format.parse(after), path)), canonical(ENTRY));
  assert.equal(setSafely(format, after, path, ENTRY), after, 'setting it again changes nothing');
  const again = setSafely(format, after, path, { command: 'other', args: [] });
  assert.equal(canonical(valueAt(format.parse(again), path)), canonical({ command: 'other', args: [] }));
  const removed = removeSafely(format, after, path, kept);
  assert.equal(canonical(format.parse(removed)), canonical(format.parse(before)));
  if (before.includes('\r\n')) assert.doesNotMatch(after, /(?<!\r)\n/);
  return removed;
}

test('an entry is added to JSON with comments without changing its neighbours, and removed again', () => {
  fc.assert(
    fc.property(config, style, ([settings, servers], written) => {
      const value = servers === undefined ? settings : { ...settings, mcpServers: servers };
      const before = jsonc(value, written);
      const removed = addsAndRemoves(jsoncFormat, before, PATH);
      // What is empty is opened.
      if (written.indent === '' || Object.keys(servers ?? settings).length === 0) return;
      keepsLines(before, setSafely(jsoncFormat, before, PATH, ENTRY));
      if (Object.keys(servers ?? {}).length > 0) assert.equal(removed, before);
    }),
    RUNS,
  );
});

test('an entry is added at the end of TOML, and removed again byte for byte', () => {
  const path = ['mcp_servers', 'sextant'];
  fc.assert(
    fc.property(config, fc.constantFrom('\n', '\r\n'), fc.boolean(), ([settings, servers], eol, comments) => {
      const value = servers === undefined ? settings : { ...settings, mcp_servers: servers };
      const text = `${comments ? '# mine\nnote = """\n[mcp_servers.sextant]\n"""\n' : ''}${tomlText(value)}`;
      const before = text.replaceAll('\n', eol);
      assert.ok(setSafely(tomlFormat, before, path, ENTRY).startsWith(before));
      const removed = addsAndRemoves(tomlFormat, before, path);
      if (before.endsWith(eol) || before === '') assert.equal(removed, before);
    }),
    RUNS,
  );
});

test('an entry is added to YAML beside its neighbours, and removed again', () => {
  const path = ['extensions', 'sextant'];
  fc.assert(
    fc.property(config, fc.constantFrom(2, 4), fc.boolean(), ([settings, servers], indent, comments) => {
      const value = servers === undefined ? settings : { extensions: servers, ...settings };
      const body = Object.keys(value).length === 0 ? '' : yamlText(value, { indent });
      const before = `${comments ? '# mine\n' : ''}${body}`;
      const after = setSafely(yamlFormat, before, path, ENTRY);
      if (Object.keys(servers ?? {}).length > 0) keepsLines(before, after);
      const removed = removeSafely(yamlFormat, after, path, depthOf(yamlFormat.parse(before), path));
      const isOpened = servers !== undefined && Object.keys(servers).length === 0;
      if (!isOpened) assert.equal(canonical(yamlFormat.parse(removed)), canonical(yamlFormat.parse(before)));
      if (Object.keys(servers ?? {}).length > 0) assert.equal(removed, before);
    }),
    RUNS,
  );
});

test('a file with a byte order mark keeps it, and an empty file becomes a whole one', () => {
  for (const [format, path] of [
    [jsoncFormat, PATH],
    [tomlFormat, ['mcp_servers', 'sextant']],
    [yamlFormat, ['extensions', 'sextant']],
  ] as const) {
    assert.ok(setSafely(format, '\ufeff', path, ENTRY).startsWith('\ufeff'));
    assert.equal(canonical(valueAt(format.parse(setSafely(format, '', path, ENTRY)), path)), canonical(ENTRY));
  }
});

test('a file that cannot be edited without changing other bytes is refused', () => {
  const refused = (format: ConfigFormat, text: string, path: readonly string[]) =>
    assert.throws(() => setSafely(format, text, path, ENTRY), UnsafeEdit);
  refused(jsoncFormat, '{ "mcpServers": [] }', PATH);
  refused(tomlFormat, 'mcp_servers = { other = { command = "x" } }\n', ['mcp_servers', 'sextant']);
  refused(yamlFormat, 'extensions: { other: { cmd: x } }\n', ['extensions', 'sextant']);
  for (const [format, text] of [
    [jsoncFormat, '{ "a": '],
    [jsoncFormat, '[]'],
    [tomlFormat, 'a = = 1'],
    [yamlFormat, 'a: [1'],
    [yamlFormat, '- a'],
  ] as const)
    assert.throws(() => format.parse(text));
});
