import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FileFlag } from '../../model/records/source-file.ts';
import { pathFlags } from './path-flags.ts';

/** Examples for each convention of path-rules.ts: paths that it flags, and similar paths of product code. */
const EXAMPLES: Record<Exclude<keyof typeof FileFlag, 'Redacted'>, { readonly yes: string; readonly no: string }> = {
  Test: {
    yes: `
      pkg/server_test.go  internal/x/testdata/in.txt  test/e2e/run.go
      tests/test_api.py  pkg/test_core.py  pkg/core_test.py  pkg/conftest.py  app/tests.py  pkg/sub/tests/util.py
      test/support.py
      src/a.test.ts  src/a.spec.jsx  src/__tests__/a.js  src/__mocks__/fs.js  src/__testfixtures__/a.input.js
      e2e/login.ts  a.cy.ts  types.test-d.ts  packages/x/test/a.ts
      spec/models/user_spec.rb  spec/rails_helper.rb  actionpack/test/routing_test.rb  test_router.rb
      lib/shop/cart_test.rb  test/test_helper.rb
      src/test/java/com/acme/Foo.java  gson/FooTest.java  app/src/androidTest/A.kt  common/FooTests.kt
      src/jvmTest/kotlin/A.kt  core/common/test/Flow.kt  src/jmhTest/kotlin/B.kt  src/test/kotlin/RouterSpec.kt
      plugin/testData/openapi/Nesting.kt  src/Identity/testassets/App/A.cs  modules/core/src/test/scala/A.scala
      core/DecoderSuite.scala
      Tests/AppTests/RouterTests.swift  MyAppTests/A.swift  App/RouterTests.swift  Foo.Tests/A.cs  test/FooTest.cs
      tests/Unit/UserTest.php  packages/a/UserTest.php  test/plug/router_test.exs  integration_test/repo.exs
      absl/strings/str_cat_test.cc  base/x_unittest.cc  lib/queue-test.c  test/test-tcp-open.c  tests/unit.cpp
      tokio/tests/io.rs  tokio/src/runtime/tests/task.rs  src/codec_test.rs  src/net/tests.rs  std/json/scanner_test.zig
      std/fs/test.zig
      benches/spawn.rs  tokio/benches/io.rs  benchmark/src/main.rs  packages/x/bench/run.mjs  benchmarks/test_speed.py
      absl/strings/cord_benchmark.cc  test/benchmark-loop-count.c  src/parse.bench.ts
      tests/plenary/a_spec.lua  lua/x/a_spec.lua  test/Spec.hs  src/FooSpec.hs  test/nvm.bats  test/fast/run
      scripts/test_install.sh  test/widget_test.dart`,
    no: `
      testing/helpers.go  internal/testutil/db.go  pkg/test/client.go  pkg/contest.go
      django/test/client.py  aiohttp/test_utils.py  pkg/latest.py  starlette/testclient.py
      src/testing/index.ts  src/latest.ts  src/inspect.ts  lib/spectrum.js  src/contest.tsx
      lib/rails/test_unit/runner.rb  lib/active_support/testing/time.rb  lib/plug/test.ex  lib/phoenix/test/conn_test.ex
      lib/action_dispatch/testing/test_request.rb  lib/sidekiq/test_api.rb  lib/foo/test/conn.ex
      src/main/java/org/junit/Test.java  src/main/java/com/acme/SmokeTest.java  src/main/kotlin/test/Runner.kt
      junit/Test.java
      Sources/VaporTesting/App.swift  Sources/XCTVapor/Tests/App.swift  Sources/App/LoadTest.swift
      src/Illuminate/Testing/TestCase.php  src/Illuminate/Console/CreatesMatchingTest.php
      include/benchmark/benchmark.h  src/benchmark/runner.ts  src/benchmark.cc  packages/vitest/src/runtime/benchmark.ts
      lib/workbench.rb
      tokio-test/src/io.rs  src/testing.rs  lib/std/testing.zig  scripts/test_functions.bash  lib/test-helpers.sh
      kotlinx-coroutines-test/common/src/TestScope.kt
      okhttp/src/commonJvmAndroid/kotlin/okhttp3/CipherSuite.kt  core/common/src/ConnectionSpec.kt`,
  },
  Vendored: {
    yes: `vendor/github.com/x/y.go  node_modules/a/index.js  web/node_modules/a.js  third_party/re2/re2.cc
      ios/Pods/A/a.swift
      assets/vendor/jquery.js  pip/_vendor/requests/api.py  lib/thirdparty/a.c  bower_components/a.js
      Carthage/Checkouts/a.swift  .yarn/releases/yarn.cjs`,
    no:
      'src/vendors.ts  app/models/vendor/account.rb  src/main/java/com/acme/vendor/Vendor.java  ' +
      'src/pages/vendor/list.tsx  deps/graph.ts  src/pods/controller.ts',
  },
  Generated: {
    yes: `api.pb.go  api_grpc.pb.go  api_pb2.py  api_pb2_grpc.py  api_pb.js  model.g.dart  model.freezed.dart
      Form1.Designer.cs  a.g.cs  obj/Debug/App.AssemblyInfo.cs  moc_window.cpp  src/parser.tab.h  lex.yy.c
      _ide_helper.php  a.min.js  a-min.css  main.bundle.js  2.chunk.css
      package-lock.json  sub/Cargo.lock  go.sum  src/__generated__/q.ts  src/generated/client.ts
      zz_generated.deepcopy.go  types_generated.go  schema.generated.ts
      app.js.map  __snapshots__/a.snap  .venv/lib/a.py  x/__pycache__/a.py  foo.egg-info/PKG-INFO  web/.next/a.js`,
    no: `code/q3_ui/ui_menu.c  src/ui_manager.h  scripts/measure-bundle.mjs  src/config_vars_non_generated.cc
      src/generate.ts  src/mocked.cpp  src/Properties/AssemblyInfo.cs  src/tab.c  generator/main.go  lock.ts
      src/minify.js  regenerated.go  Gemfile  codegen/pb.go  src/flock.json  src/map.ts`,
  },
  Example: {
    yes: `examples/echo/main.go  example/a.py  demo/app.ts  demos/a.js  samples/a.cs  packages/x/examples/a.ts
      docs_src/first.py
      src/Button.stories.tsx  example_reader_test.go  config.example.yml`,
    no:
      'src/main/java/com/example/App.java  src/example.ts  src/audio/sample/rate.rs  app/models/demo/user.rb  ' +
      'src/samples.py',
  },
  Documentation: {
    yes:
      'README.md  docs/guide.rst  docs/conf.py  CHANGELOG  ChangeLog  ChangeLog.1  readme.txt  changes.txt  ' +
      'LICENSE  packages/x/README.mdx  doc/manual.txt  man/nvm.1  rfcs/0001.txt',
    no: `src/docs.ts  src/document.py  src/doc/render.go  readme-generator.js  License.swift  changes.rs`,
  },
  Config: {
    yes: `package.json  tsconfig.json  .eslintrc.js  vite.config.ts  Dockerfile  ci/Dockerfile.dev  Makefile
      pyproject.toml  setup.py  .github/workflows/ci.yml
      build.gradle.kts  pom.xml  Package.swift  mix.exs  go.mod  x.gemspec  .gitignore  CMakeLists.txt
      requirements.txt`,
    no: `src/config.ts  src/config/loader.go  lib/settings.rb  docker.go  Makefile.rs  src/package.ts`,
  },
  Barrel: {
    yes: `src/index.ts  index.js  pkg/__init__.py  src/net/mod.rs  src/components/index.tsx`,
    no: `src/indexer.ts  src/main.rs  index.html  src/index.css  init.py`,
  },
};

for (const [name, { yes, no }] of Object.entries(EXAMPLES)) {
  const flag = FileFlag[name as keyof typeof FileFlag];
  const paths = (text: string) => text.trim().split(/\s+/);
  test(`paths are flagged as ${name} by the conventions of each language`, () => {
    assert.deepEqual(
      paths(yes).filter((path) => (pathFlags(path) & flag) === 0),
      [],
      'not recognised',
    );
    assert.deepEqual(
      paths(no).filter((path) => (pathFlags(path) & flag) !== 0),
      [],
      'misjudged',
    );
  });
}

test('the flags of a path do not depend on the order in which paths are judged', () => {
  const path = fc.array(
    fc.constantFrom(
      'src',
      'test',
      'lib',
      'vendor',
      'main',
      'a.ts',
      'x_test.go',
      '',
      '.',
      'é',
      '__proto__',
      'constructor',
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(path, (segments) => {
      const joined = segments.join('/');
      const flags = pathFlags(joined);
      assert.ok(Number.isInteger(flags) && flags >= 0 && flags < 128);
      assert.equal(pathFlags(joined), flags);
    }),
  );
});
