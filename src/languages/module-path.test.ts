/** Where a symbol may move and stay the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modulePathOf } from './module-path.ts';

test('files of one package, folder or target are one module', () => {
  assert.equal(modulePathOf('java', 'a/src/com/acme/A.java', 'com.acme', ''), 'com.acme');
  assert.equal(modulePathOf('go', 'cmd/a.go', 'main', ''), modulePathOf('go', 'cmd/b.go', 'main', ''));
  assert.equal(
    modulePathOf('swift', 'Sources/App/Deep/A.swift', '', ''),
    modulePathOf('swift', 'Sources/App/B.swift', '', ''),
  );
  assert.equal(modulePathOf('ruby', 'lib/a.rb', '', 'Cart'), modulePathOf('ruby', 'lib/b.rb', '', 'Cart'));
});

test('each program, crate or script of a folder is a module of its own', () => {
  assert.notEqual(modulePathOf('rust', 'examples/a.rs', '', ''), modulePathOf('rust', 'examples/b.rs', '', ''));
  assert.notEqual(modulePathOf('go', 'cmd/a/main.go', 'main', ''), modulePathOf('go', 'cmd/b/main.go', 'main', ''));
  assert.notEqual(modulePathOf('bash', 'a.sh', '', ''), modulePathOf('bash', 'b.sh', '', ''));
  assert.equal(modulePathOf('rust', 'src/net.rs', '', ''), modulePathOf('rust', 'src/net/mod.rs', '', ''));
});
