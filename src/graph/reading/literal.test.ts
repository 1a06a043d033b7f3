import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameRulesOf } from '../../languages/registry.ts';
import { beginsWithLiteral, isDictionary } from './literal.ts';

test('literals of every language are recognised', () => {
  for (const [language, ...texts] of [
    ['python', 'b","', 'rb"x"', "F'x'.strip()", 'f"""x"""', '(f"a" "b")', '("a" + b)', 'True'],
    ['rust', 'b"x"', 'r#"x"#', 'br##"x"##', "b'x'", 'c"x"', '10u64'],
    ['csharp', '@"x"', '$"x"', '$@"x"', '$$"""x"""'],
    ['cpp', 'L"x"', 'u8R"(x)"', 'R"(x)"', "u'x'"],
    ['scala', 's"x"', 'raw"""x"""'],
    ['swift', '"""x"""', '#"x"#', '[1, 2]', '-1.5'],
    ['ruby', '%w[a b]', '%(a)', ':name', '<<~TEXT', '/a.b/'],
    ['elixir', ':ets', '~w(a b)'],
    ['javascript', '`x`', '/a/g', '0xff'],
    ['lua', '("x")', '"x"'],
  ] as const)
    for (const text of texts) assert.ok(beginsWithLiteral(text, nameRulesOf(language)), `${language}: ${text}`);
});

test('names, calls and casts that look like literals are none', () => {
  for (const [language, ...texts] of [
    ['python', 'b', 'f("x")', 'br', 'None', '(a + "x")'],
    ['lua', 'f"x"', 'require "x"'],
    ['javascript', 'f`x`', '("x" as unknown as Name)', '{ run() {} }'],
    ['zig', '@"x"'],
    ['ruby', '::Rails', 'a'],
    ['scala', 'json"x"'],
    ['rust', 'r.b', '{ block }'],
  ] as const)
    for (const text of texts) assert.ok(!beginsWithLiteral(text, nameRulesOf(language)), `${language}: ${text}`);
});

test('dictionaries are distinguished from blocks and from lookups in them', () => {
  assert.ok(isDictionary('{"a": 1}', nameRulesOf('python')));
  assert.ok(isDictionary('{ a: 1,', nameRulesOf('ruby')));
  assert.ok(!isDictionary('{"a": one}["a"]', nameRulesOf('python')));
  assert.ok(!isDictionary('{ value }', nameRulesOf('rust')));
});
