/** Targets of imports, language by language, in trees of a few files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolver, resolverOf } from './tree.fixture.ts';

test('TypeScript: relative files, extensions, index files; packages are external', () => {
  const find = resolver(
    'src/a.ts',
    'src/b.ts',
    'src/lib/index.ts',
    'src/ui/Button.tsx',
    'src/ui/Button.css',
    'util.ts',
  );
  assert.deepEqual(find('src/a.ts', './b'), ['src/b.ts']);
  assert.deepEqual(find('src/a.ts', './b.ts'), ['src/b.ts']);
  assert.deepEqual(find('src/a.ts', './b.js'), ['src/b.ts']);
  assert.deepEqual(find('src/a.ts', './lib'), ['src/lib/index.ts']);
  assert.deepEqual(find('src/lib/index.ts', '../../util'), ['util.ts']);
  assert.deepEqual(find('src/a.ts', './ui/Button'), ['src/ui/Button.tsx']);
  assert.deepEqual(find('src/a.ts', './ui/Button.css'), ['src/ui/Button.css']);
  assert.deepEqual(find('src/a.ts', './gone'), []);
  assert.deepEqual(find('src/a.ts', 'b'), []);
  assert.deepEqual(find('src/a.ts', '@/lib'), ['src/lib/index.ts']);
});

test('TypeScript: a test beside a file is not that file', () => {
  const find = resolver('src/cart.test.ts', 'src/cart.ts', 'src/cart.d.ts', 'src/main.ts');
  assert.deepEqual(find('src/main.ts', './cart'), ['src/cart.ts']);
  assert.deepEqual(find('src/main.ts', './cart.js'), ['src/cart.ts']);
  assert.deepEqual(find('src/cart.test.ts', './cart'), ['src/cart.ts']);
  assert.deepEqual(find('src/main.ts', './cart.test'), ['src/cart.test.ts']);
  assert.deepEqual(resolver('a.ts', 'b.component.ts')('a.ts', './b.component'), ['b.component.ts']);
  assert.deepEqual(resolver('a.ts', 'types.d.ts')('a.ts', './types'), ['types.d.ts']);
});

test('Python: relative and absolute modules, packages, names that are modules', () => {
  const find = resolver(
    'app/__init__.py',
    'app/models.py',
    'app/views/__init__.py',
    'app/views/home.py',
    'other/models.py',
  );
  assert.deepEqual(find('app/views/home.py', '..models', 'User'), ['app/models.py']);
  assert.deepEqual(find('app/views/home.py', '.'), ['app/views/__init__.py']);
  assert.deepEqual(find('app/models.py', '.views'), ['app/views/__init__.py']);
  assert.deepEqual(find('app/__init__.py', '.', 'models'), ['app/models.py']);
  assert.deepEqual(find('other/models.py', 'app.models', 'User'), ['app/models.py']);
  assert.deepEqual(find('other/models.py', 'app.views.home'), ['app/views/home.py']);
  assert.deepEqual(find('other/models.py', 'app.views', 'home'), ['app/views/home.py']);
  assert.deepEqual(find('other/models.py', 'app', 'create'), ['app/__init__.py']);
  assert.deepEqual(find('app/models.py', 'collections.abc'), []);
  assert.deepEqual(resolver('app/run.py', 'app/path.py')('app/run.py', 'os.path'), []);
});

test('Go: a package is the files of its folder', () => {
  const find = resolver('cmd/main.go', 'internal/auth/a.go', 'internal/auth/b.go', 'pkg/auth/c.go');
  assert.deepEqual(find('cmd/main.go', 'github.com/acme/shop/internal/auth'), [
    'internal/auth/a.go',
    'internal/auth/b.go',
  ]);
  assert.deepEqual(find('cmd/main.go', 'github.com/acme/shop/pkg/auth'), ['pkg/auth/c.go']);
  assert.deepEqual(find('cmd/main.go', 'fmt'), []);
  assert.deepEqual(find('cmd/main.go', 'net/http'), []);
  const shadowed = resolver('cmd/main.go', 'internal/http/http.go', 'fmt/fmt.go');
  assert.deepEqual(shadowed('cmd/main.go', 'net/http'), []);
  assert.deepEqual(shadowed('cmd/main.go', 'shop/internal/http'), ['internal/http/http.go']);
});

test('Go: the manifest decides which packages are in the tree', () => {
  const find = resolverOf({
    'go.mod': 'module github.com/acme/tool\n\ngo 1.22\n',
    'root.go': '',
    'doc/doc.go': '',
    'sub/go.mod': 'module github.com/acme/tool/sub\n',
    'sub/api/api.go': '',
    'cmd/main.go': '',
  });
  assert.deepEqual(find('cmd/main.go', 'github.com/acme/tool'), ['root.go']);
  assert.deepEqual(find('cmd/main.go', 'github.com/acme/tool/doc'), ['doc/doc.go']);
  assert.deepEqual(find('cmd/main.go', 'github.com/acme/tool/sub/api'), ['sub/api/api.go']);
  assert.deepEqual(find('cmd/main.go', 'github.com/other/lib/doc'), []);
});

test('Rust: modules of the crate, items in them, and external paths', () => {
  const find = resolver('src/main.rs', 'src/parser.rs', 'src/net/mod.rs', 'src/net/tcp.rs');
  assert.deepEqual(find('src/main.rs', 'crate::parser', 'Parser'), ['src/parser.rs']);
  assert.deepEqual(find('src/main.rs', 'crate::parser::Parser'), ['src/parser.rs']);
  assert.deepEqual(find('src/main.rs', 'crate::net::tcp'), ['src/net/tcp.rs']);
  assert.deepEqual(find('src/main.rs', 'crate::net', 'Socket'), ['src/net/mod.rs']);
  assert.deepEqual(find('src/net/tcp.rs', 'super::Socket'), ['src/net/mod.rs']);
  assert.deepEqual(find('src/net/tcp.rs', 'super::super::parser', 'Parser'), ['src/parser.rs']);
  assert.deepEqual(find('src/main.rs', 'crate::net', 'tcp'), ['src/net/tcp.rs']);
  assert.deepEqual(find('src/main.rs', 'std::net::tcp'), []);
  assert.deepEqual(find('src/net/mod.rs', 'super::tcp', 'Stream'), ['src/net/tcp.rs']);
});

test('Java: a class by its package, a whole package by a star import', () => {
  const find = resolver('src/com/acme/Main.java', 'src/com/acme/util/Text.java', 'src/com/acme/util/Numbers.java');
  assert.deepEqual(find('src/com/acme/Main.java', 'com.acme.util.Text'), ['src/com/acme/util/Text.java']);
  assert.deepEqual(find('src/com/acme/Main.java', 'com.acme.util', '*'), [
    'src/com/acme/util/Numbers.java',
    'src/com/acme/util/Text.java',
  ]);
  assert.deepEqual(find('src/com/acme/Main.java', 'com.acme.util.Text.trim'), ['src/com/acme/util/Text.java']);
  assert.deepEqual(find('src/com/acme/Main.java', 'java.util.List'), []);
  assert.deepEqual(resolver('src/a/Main.java', 'src/b/List.java')('src/a/Main.java', 'java.util.List'), []);
});

test('C: a header beside the file, or below an include folder; the header, not its source', () => {
  const find = resolver('src/main.c', 'src/util.c', 'src/util.h', 'include/net/http.h', 'src/http.c', 'src/net/http.c');
  assert.deepEqual(find('src/main.c', 'util.h'), ['src/util.h']);
  assert.deepEqual(find('src/util.c', 'util.h'), ['src/util.h']);
  assert.deepEqual(find('src/main.c', 'net/http.h'), ['include/net/http.h']);
  assert.deepEqual(find('src/main.c', 'stdio.h'), []);
  const own = resolver(
    'src/ae.c',
    'deps/adapters/poll.h',
    'deps/compat/strings.h',
    'deps/lua/lua.h',
    'libc/include/time.h',
    'libc/src/clock.c',
  );
  for (const header of ['poll.h', 'strings.h', 'sys/time.h', 'time.h']) assert.deepEqual(own('src/ae.c', header), []);
  assert.deepEqual(own('src/ae.c', 'lua.h'), ['deps/lua/lua.h']);
  const brought = resolver('src/config.h', 'deps/lua/lua.h', 'deps/line/line.c', 'deps/line/config/line.h');
  assert.deepEqual(brought('deps/line/line.c', 'config.h'), [], "a dependency has none of the program's headers");
  assert.deepEqual(brought('deps/line/line.c', 'lua.h'), ['deps/lua/lua.h']);
  assert.deepEqual(brought('deps/line/line.c', 'config/line.h'), ['deps/line/config/line.h']);
  assert.deepEqual(own('libc/src/clock.c', 'time.h'), ['libc/include/time.h'], 'a C library means its own');
});

test('PHP: a class by its namespace; Ruby: a file by its path', () => {
  const php = resolver('src/App.php', 'src/Model/User.php', 'src/Admin/User.php');
  assert.deepEqual(php('src/App.php', 'Acme\\Model\\User'), ['src/Model/User.php']);
  assert.deepEqual(php('src/App.php', 'Acme\\Admin\\User'), ['src/Admin/User.php']);
  const ruby = resolver('lib/shop.rb', 'lib/shop/cart.rb', 'test/cart_test.rb');
  assert.deepEqual(ruby('lib/shop.rb', './shop/cart'), ['lib/shop/cart.rb']);
  assert.deepEqual(ruby('test/cart_test.rb', 'shop/cart'), ['lib/shop/cart.rb']);
  assert.deepEqual(ruby('lib/shop.rb', 'json'), []);
});

test('a file does not import itself', () => {
  const find = resolver('a/x.py', 'b/y.py');
  assert.deepEqual(find('a/x.py', 'x'), []);
});
