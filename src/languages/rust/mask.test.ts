import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskRust } from './mask.ts';

test('items inside of a macro are found', () => {
  const long = '    /// A long text about it.\n'.repeat(200);
  assert.equal(
    maskRust(`cfg_rt! {\n${long}    pub fn spawn() {}\n}\n`),
    `         \n${long}    pub fn spawn() {}\n;\n`,
  );
  assert.equal(
    maskRust('lazy_static! {\n  static ref RE: X = f("}");\n}'),
    '              \n  static     RE: X = f("}");\n;',
  );
});

test('macros with macro syntax are not masked', () => {
  for (const text of [
    'select! {\n  a = f() => {}\n}',
    'bitflags! {\n  pub struct Flags: u32 { const A = 1; }\n}',
    'quote! {\n  impl A {}\n}',
    'parse! {\n  impl #name {}\n}',
    'proptest! {\n  fn holds(x in 0..3) {}\n}',
    'join! {\n  async move { a() },\n}',
    'words! {\n  // use them\n  a, b\n}',
    'half! {\n  fn f() {',
  ])
    assert.equal(maskRust(text), text);
});
