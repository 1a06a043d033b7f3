/** What calls mean, language by language, through the real index: scopes, receivers, packages, imports, overloads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolve } from './resolver.fixture.ts';

test('TypeScript: fields with declared types, inherited members, results of functions, re-exports', () => {
  assert.equal(resolve('ts/auth.ts', 6, 'load'), 'exact ts/store.ts:2');
  assert.equal(resolve('ts/use.ts', 7, 'createAuth'), 'exact ts/auth.ts:11');
  assert.equal(resolve('ts/use.ts', 8, 'refresh'), 'exact ts/auth.ts:5');
  assert.equal(resolve('ts/use.ts', 9, 'Shop'), 'exact ts/store.ts:5');
  assert.equal(resolve('ts/use.ts', 9, 'load'), 'exact ts/store.ts:2');
});

test('a parameter hides a function, and an external import resolves to nothing in the tree', () => {
  assert.equal(resolve('ts/use.ts', 5, 'load'), 'nothing');
  assert.equal(resolve('ts/use.ts', 6, 'readFile'), 'nothing');
  assert.equal(resolve('py/tests/test_client.py', 5, 'close'), 'nothing');
  assert.equal(resolve('py/app/client.py', 13, 'join'), 'nothing');
});

test('each callback block has names of its own', () => {
  assert.equal(resolve('ts/blocks.ts', 4, 'step'), 'exact ts/blocks.ts:2');
  assert.equal(resolve('ts/blocks.ts', 11, 'step'), 'exact ts/blocks.ts:9');
});

test('a method that delegates to a method of its name on an unknown value does not call itself', () => {
  assert.equal(resolve('py/app/wrap.py', 3, 'fetch'), 'ambiguous py/app/disk.py:2 py/app/wrap.py:2');
  assert.equal(resolve('py/app/wrap.py', 6, 'fetch'), 'ambiguous py/app/disk.py:2 py/app/wrap.py:2');
  assert.equal(resolve('py/app/code.py', 3, '__new__'), 'ambiguous py/app/code.py:2');
});

test('C#: a generic type and a plain type of one name are two types', () => {
  assert.equal(resolve('again/cs/Steps.cs', 3, 'Step', 'inherit'), 'exact again/cs/Step.cs:3');
  assert.equal(resolve('again/cs/Steps.cs', 10, 'Step', 'inherit'), 'exact again/cs/Step.T.cs:3');
  assert.equal(resolve('again/cs/Steps.cs', 6, 'Go'), 'exact again/cs/Step.T.cs:4');
  assert.equal(resolve('again/cs/Steps.cs', 13, 'Go'), 'exact again/cs/Step.cs:4');
});

test('Go: elements of slice, array and map literals have the element type', () => {
  for (const line of [8, 14, 19, 21, 24])
    assert.equal(resolve('go/table_test.go', line, 'Parse'), 'exact go/flags/flags.go:5');
  assert.equal(resolve('go/table_test.go', 27, 'Parse'), 'nothing');
});

test('CommonJS: a required variable means the export, not the variable', () => {
  assert.equal(resolve('js/use.js', 5, 'make'), 'exact js/lib/make.js:3');
  assert.equal(resolve('js/use.js', 6, 'use'), 'exact js/lib/app.js:3');
  assert.equal(resolve('js/use.js', 7, 'json'), 'exact js/lib/make.js:5');
  assert.equal(resolve('js/use.js', 8, 'json'), 'exact js/lib/make.js:5');
});

test('functions as objects: call and apply call them, bind makes values of them', () => {
  assert.equal(resolve('js/apply.js', 8, 'make'), 'exact js/made.js:1');
  assert.equal(resolve('js/apply.js', 9, 'make'), 'exact js/made.js:1');
  assert.equal(resolve('js/apply.js', 10, 'client'), 'nothing');
  assert.equal(resolve('js/apply.js', 10, 'call'), 'exact js/apply.js:6');
  assert.equal(resolve('js/apply.js', 11, 'stop'), 'exact js/apply.js:15');
  assert.equal(resolve('js/apply.js', 12, 'stop', 'read'), 'exact js/apply.js:15');
  assert.equal(resolve('js/apply.js', 12, 'make', 'read'), 'exact js/made.js:1');
  assert.equal(resolve('js/apply.js', 13, 'make', 'read'), 'nothing');
});

test('Python: assigned fields, base classes, with', () => {
  assert.equal(resolve('py/app/client.py', 7, '__init__'), 'exact py/app/base.py:2');
  assert.equal(resolve('py/app/client.py', 11, 'take'), 'exact py/app/client.py:17');
  assert.equal(resolve('py/app/client.py', 12, 'close'), 'exact py/app/base.py:5');
  assert.equal(resolve('py/tests/test_client.py', 7, 'get'), 'exact py/app/client.py:10');
});

test('a method of a literal is built in, and a built-in method on an unknown value is never likely', () => {
  for (const line of [5, 6, 7, 9]) assert.equal(resolve('py/app/text.py', line, 'join'), 'nothing', `line ${line}`);
  // What a dictionary holds may be ours, as may what nothing is known of.
  for (const line of [10, 11]) assert.equal(resolve('py/app/text.py', line, 'join'), 'ambiguous py/app/client.py:20');
});

test('Go: receivers, chains, loops, methods and functions in other files of the package', () => {
  assert.equal(resolve('go/cmd.go', 12, 'Root'), 'exact go/cmd.go:10');
  assert.equal(resolve('go/cmd.go', 18, 'Parse'), 'exact go/flags/flags.go:5');
  assert.equal(resolve('go/cmd.go', 20, 'Help'), 'exact go/help.go:3');
  assert.equal(resolve('go/cmd.go', 22, 'Parse'), 'exact go/flags/flags.go:5');
  assert.equal(resolve('go/help.go', 3, 'Print'), 'exact go/help.go:5');
});

test('Java: packages over several roots, overloads by number and by type, inherited methods', () => {
  assert.equal(resolve('java/a/src/com/acme/Json.java', 4, 'write'), 'exact java/a/src/com/acme/Json.java:6');
  assert.equal(resolve('java/b/src/com/other/Use.java', 9, 'write'), 'exact java/a/src/com/acme/Json.java:4');
  assert.equal(resolve('java/b/src/com/other/Use.java', 10, 'write'), 'exact java/a/src/com/acme/Json.java:5');
  const marks = 'java/c/src/com/acme/Marks.java';
  assert.equal(resolve(marks, 9, 'mark'), `ambiguous ${marks}:6 ${marks}:7`);
  assert.equal(resolve('java/b/src/com/other/Use.java', 11, 'size'), 'exact java/b/src/com/acme/Node.java:5');
});

test('Rust: impl blocks, traits, modules', () => {
  assert.equal(resolve('rust/src/lib.rs', 5, 'new'), 'exact rust/src/net/mod.rs:6');
  assert.equal(resolve('rust/src/lib.rs', 6, 'send'), 'exact rust/src/net/mod.rs:12');
  assert.equal(resolve('rust/src/lib.rs', 7, 'open'), 'exact rust/src/net/tcp.rs:1');
});

test('Rust: a question mark unwraps a Result', () => {
  assert.equal(resolve('rust/src/dial.rs', 20, 'send'), 'exact rust/src/net/mod.rs:12');
  assert.equal(resolve('rust/src/dial.rs', 21, 'send'), 'exact rust/src/dial.rs:6');
  assert.equal(resolve('rust/src/dial.rs', 23, 'send'), 'exact rust/src/dial.rs:6');
});

test('C: a call means the only definition of a declaration, else the header, never a static function', () => {
  assert.equal(resolve('c/main.c', 3, 'lib_open'), 'exact c/lib.h:3');
  assert.equal(resolve('c/main.c', 4, 'lib_close'), 'exact c/unix.c:3');
  assert.equal(resolve('c/main.c', 5, 'hidden'), 'nothing');
});

test('Swift: extensions, overloads by labels', () => {
  assert.equal(resolve('swift/Sources/App/Error.swift', 9, 'wrap'), 'exact swift/Sources/App/Error.swift:5');
});

test('C++: namespaces, using, methods outside of their class, overloads', () => {
  assert.equal(resolve('cpp/table.cc', 5, 'Encode'), 'exact cpp/table.cc:3');
  assert.equal(resolve('cpp/table.cc', 6, 'Size'), 'exact cpp/include/db/table.h:5');
  assert.equal(resolve('cpp/table.cc', 7, 'Put'), 'exact cpp/include/db/table.h:10');
  assert.equal(resolve('cpp/main.cc', 4, 'Table'), 'exact cpp/include/db/table.h:7');
  assert.equal(resolve('cpp/main.cc', 5, 'Put'), 'exact cpp/include/db/table.h:9');
  assert.equal(resolve('cpp/main.cc', 6, 'Size'), 'exact cpp/include/db/table.h:5');
});

test('Kotlin: expect declarations with platform bodies, extension functions, functions of the package', () => {
  assert.equal(resolve('kt/jvm/Run.kt', 5, 'now'), 'exact kt/jvm/Clock.kt:4');
  assert.equal(resolve('kt/jvm/Run.kt', 6, 'twice'), 'exact kt/jvm/Run.kt:11');
  assert.equal(resolve('kt/jvm/Run.kt', 7, 'helper'), 'exact kt/jvm/Helper.kt:3');
  assert.equal(resolve('kt/jvm/Handle.kt', 7, 'seek'), 'nothing');
  assert.equal(resolve('kt/jvm/Handle.kt', 8, 'whole'), 'likely kt/jvm/Handle.kt:14');
});

test('C#: partial classes, fields, extension methods', () => {
  assert.equal(resolve('cs/Service.cs', 10, 'Save'), 'exact cs/Store.cs:4');
  assert.equal(resolve('cs/Store.cs', 4, 'Log'), 'exact cs/Store.Log.cs:4');
  assert.equal(resolve('cs/Service.cs', 11, 'Twice'), 'likely cs/Service.cs:4');
});

test('PHP and Ruby: parents, the same namespace, instance variables', () => {
  assert.equal(resolve('php/src/Kernel.php', 6, 'boot'), 'exact php/src/Base.php:5');
  assert.equal(resolve('php/src/Kernel.php', 7, 'Mailer'), 'exact php/src/Mailer.php:4');
  assert.equal(resolve('php/src/Kernel.php', 8, 'send'), 'exact php/src/Mailer.php:5');
  assert.equal(resolve('rb/lib/shop.rb', 8, 'sum'), 'exact rb/lib/shop.rb:12');
  assert.equal(resolve('rb/lib/shop.rb', 9, 'rate'), 'exact rb/lib/shop.rb:17');
});

test('Elixir aliases and arities, Lua modules that return tables, and Zig files as types are resolved', () => {
  assert.equal(resolve('ex/lib/shop.ex', 5, 'sum'), 'exact ex/lib/shop.ex:8');
  assert.equal(resolve('ex/lib/shop.ex', 5, 'add'), 'exact ex/lib/shop.ex:12');
  assert.equal(resolve('ex/lib/shop/memory.ex', 2, 'Store', 'conform'), 'exact ex/lib/shop/store.ex:1');
  assert.equal(resolve('lua/lua/app/init.lua', 3, 'trim'), 'exact lua/lua/app/util.lua:3');
  assert.equal(resolve('zig/main.zig', 4, 'push'), 'exact zig/Ring.zig:3');
  assert.equal(resolve('zig/Ring.zig', 4, 'grow'), 'exact zig/Ring.zig:7');
});

test('modules that are re-exported under a name, or imported inside of a function', () => {
  assert.equal(resolve('again/ts/use.ts', 5, 'arrow'), 'exact again/ts/inner.ts:1');
  assert.equal(resolve('again/ts/use.ts', 7, 'arrow'), 'exact again/ts/inner.ts:1');
  assert.equal(resolve('again/py/use.py', 5, 'arrow'), 'exact again/py/pack/inner.py:1');
  assert.equal(resolve('again/dart/a.dart', 4, 'Helper', 'type'), 'exact again/dart/b.dart:1');
  assert.equal(resolve('again/php/use.php', 5, 'format'), 'exact again/php/util.php:4');
});

test('the type of a parameter is not a variable', () => {
  assert.equal(resolve('again/ts/use.ts', 8, 'Timer'), 'exact again/ts/inner.ts:2');
});

test('Rust: modules of a use group, the parent module, and the file that contains an inline module', () => {
  assert.equal(resolve('again/rust/src/lib.rs', 5, 'get'), 'exact again/rust/src/net/http.rs:1');
  assert.equal(resolve('again/rust/src/lib.rs', 7, 'get'), 'likely again/rust/src/net/http.rs:1');
  assert.equal(resolve('again/rust/src/lib.rs', 8, 'close'), 'exact again/rust/src/net/mod.rs:3');
  assert.equal(resolve('again/rust/src/net/http.rs', 2, 'open'), 'exact again/rust/src/net/mod.rs:2');
  assert.equal(resolve('again/rust/src/net/http.rs', 9, 'close'), 'exact again/rust/src/net/http.rs:5');
  assert.equal(resolve('again/rust/src/net/http.rs', 10, 'close'), 'exact again/rust/src/net/mod.rs:3');
});

test('C#: type arguments tell overloads apart', () => {
  assert.equal(resolve('again/cs/Store.cs', 7, 'Find'), 'exact again/cs/Store.cs:4');
  assert.equal(resolve('again/cs/Store.cs', 8, 'Find'), 'exact again/cs/Store.cs:5');
});
