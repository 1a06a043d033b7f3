/**
 * The table of path conventions: one row per convention, with its flag and a reason for people. A language's own rows
 * are in its folder (`paths.ts`); the rows here belong to tools and habits that many languages share. path-flags.ts
 * applies them.
 *
 * Rule of evidence. A row states a convention that the language's own tools rely on (`_test.go`, `src/test/java`,
 * `__tests__`). Where a word is also an ordinary name for product code, weak evidence does not count:
 *  - a folder of product source (`src/main`, `Sources`, Ruby's and Elixir's `lib`) ends the search for test and example
 *    folders: what lies below is product code even when a package is called `test`;
 *  - `testing`, `test_support` and the like are testing libraries, shipped to users: no row names them;
 *  - in Python and Go a nested folder `test` may be a package (`django/test`): only the file's own name counts there,
 *    unless the folder stands at the top of the project or of a workspace member;
 *  - a file whose name says "helper for tests" (`test_utils.py`, `test_functions.bash`) is a test file only inside a
 *    test folder.
 */

import type { FolderRule, NameRule, PathConventions } from '../../languages/path-conventions.ts';
import { LANGUAGES } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { pattern } from '../../model/text/pattern.ts';

export type { FolderRule, NameRule };

/** The conventions of every language; languages of one folder share theirs. */
const CONVENTIONS: readonly PathConventions[] = [...new Set(LANGUAGES.flatMap(({ paths }) => paths ?? []))];
const extensionsOf = (field: 'packagesNamedTest' | 'productInLib' | 'testsInSpec'): ReadonlySet<string> =>
  new Set(CONVENTIONS.flatMap((conventions) => conventions[field] ?? []));

const WORKSPACE_FOLDERS = new Set(['packages', 'crates', 'apps', 'libs', 'modules', 'services', 'plugins', 'projects']);

const SOURCE_FOLDERS = new Set(['src', 'lib', 'pkg', 'internal', 'app', 'source', 'cmd']);

/** Whether the folder is at the top of the project or of a workspace member (`packages/x/test`). */
function isTop(above: readonly string[]): boolean {
  return above.length === 0 || (above.length === 2 && WORKSPACE_FOLDERS.has(above[0]!));
}

/** isTop(), or one folder deeper, where components of a project often are (`actionpack/test`). */
function isNearTop(above: readonly string[]): boolean {
  return above.length === 1 || isTop(above);
}

const PACKAGE_NAMED_TEST = extensionsOf('packagesNamedTest');
const LIB_IS_PRODUCT = extensionsOf('productInLib');
const TESTS_IN_SPEC = extensionsOf('testsInSpec');
const PRODUCT_FOLDERS = CONVENTIONS.flatMap(({ productFolders }) => productFolders ?? []);

/** The extensions on which a rule's `when` and isProductRoot() depend. */
export const EXTENSIONS_IN_FOLDER_RULES: ReadonlySet<string> = new Set([
  ...PACKAGE_NAMED_TEST,
  ...LIB_IS_PRODUCT,
  ...TESTS_IN_SPEC,
]);

/** Whether everything below the folder is product code, even a package called `test`. */
export function isProductRoot(above: readonly string[], name: string, extension: string): boolean {
  if (name === 'lib') return LIB_IS_PRODUCT.has(extension);
  return PRODUCT_FOLDERS.some((folder) => folder.name.test(name) && (!folder.below || folder.below === above.at(-1)));
}

/** Folders of reverse domain names and of application layers, below which `vendor` and `demo` are ordinary words. */
const DOMAIN_FOLDERS = new Set(
  (
    'app models model controllers controller views view services service domain entities entity pages routes api ' +
    'handlers components features com org net io'
  ).split(' '),
);
const notDomain = (above: readonly string[]) => !above.some((name) => DOMAIN_FOLDERS.has(name));

export const FOLDER_RULES: readonly FolderRule[] = [
  ...CONVENTIONS.flatMap(({ folders }) => folders ?? []),
  // Tests
  {
    name: /^test$/i,
    flag: FileFlag.Test,
    why: 'test folder',
    when: (above, extension) => !PACKAGE_NAMED_TEST.has(extension) || isTop(above),
  },
  { name: /^tests$/i, flag: FileFlag.Test, why: 'test folder' },
  { name: /^specs?$/, flag: FileFlag.Test, why: 'spec folder', when: (above) => isNearTop(above) },
  {
    name: /^spec$/,
    flag: FileFlag.Test,
    why: 'spec folder',
    when: (_, extension) => TESTS_IN_SPEC.has(extension),
  },
  { name: /^[A-Z][\w.]*(?:\.Tests?|Tests|\.UnitTests|\.IntegrationTests)$/, flag: FileFlag.Test, why: 'test target' },
  { name: /^test[-_]?(?:data|resources|assets)$/i, flag: FileFlag.Test, why: 'test data' },
  {
    name: pattern()`
      ^(?:e2e|cypress|unittests?|unit_tests?|unit-tests?|functional[_-]tests?|integration[_-]tests?|acceptance[_-]tests?
      |test[_-]fixtures)$
    `,
    flag: FileFlag.Test,
    why: 'test folder',
  },
  // Benchmarks use a project's code as tests do, and are as seldom the answer to a question about that code.
  { name: /^benches$/, flag: FileFlag.Test, why: 'benchmarks', when: (above) => !above.includes('src') },
  {
    name: /^(?:bench|benchmarks?|microbenchmarks?)$/i,
    flag: FileFlag.Test,
    why: 'benchmarks',
    when: (above) => isNearTop(above) && !SOURCE_FOLDERS.has(above.at(-1) ?? '') && above.at(-1) !== 'include',
  },
  // Vendored code
  {
    name: /^(?:node_modules|bower_components|jspm_packages|web_modules|site-packages|elm-stuff)$/,
    flag: FileFlag.Vendored,
    why: 'installed packages',
    whole: true,
  },
  {
    name: /^(?:Pods|Carthage|Godeps)$/,
    flag: FileFlag.Vendored,
    why: 'installed packages',
    whole: true,
    when: (above) => above.length <= 2,
  },
  {
    name: /^vendors?$/,
    flag: FileFlag.Vendored,
    why: 'vendor folder',
    whole: true,
    when: (above) => above.length === 0 || notDomain(above),
  },
  { name: /^(?:_vendor|_vendored_packages|vendored)$/, flag: FileFlag.Vendored, why: 'vendored packages', whole: true },
  {
    name: /^(?:third[-_]?party|thirdparty|3rd[-_]?party|3rdparty|ThirdParty)$/,
    flag: FileFlag.Vendored,
    why: 'third-party code',
    whole: true,
  },
  { name: /^\.yarn$/, flag: FileFlag.Vendored, why: 'package manager files', whole: true },
  // Generated
  {
    name: /^(?:__generated__|generated|generated-sources|generated-src|\.generated)$/,
    flag: FileFlag.Generated,
    why: 'folder of generated code',
    whole: true,
  },
  {
    name: pattern()`
      ^(?:__pycache__|\.venv|\.tox|\.nox|\.mypy_cache|\.pytest_cache|\.ruff_cache|\.eggs|\.gradle|\.next|\.nuxt
      |\.svelte-kit|\.turbo|\.parcel-cache|\.terraform|\.dart_tool|\.swiftpm|\.build|DerivedData|\.stack-work
      |dist-newstyle|\.zig-cache|zig-cache|zig-out|\.nyc_output|\.ipynb_checkpoints|\.angular|\.metals|\.bloop
      |\.elixir_ls|\.serverless)$
    `,
    flag: FileFlag.Generated,
    why: 'tool cache or build output',
    whole: true,
  },
  { name: /\.egg-info$/, flag: FileFlag.Generated, why: 'package metadata', whole: true },
  // Examples
  {
    name: /^(?:examples?|demos?|samples|tutorials?|playgrounds?|docs_src)$/i,
    flag: FileFlag.Example,
    why: 'example folder',
    when: (above) => isNearTop(above) || notDomain(above),
  },
  { name: /^sample$/i, flag: FileFlag.Example, why: 'example folder', when: isNearTop },
  {
    name: /^[\w.-]*[-_.](?:examples?|demo|samples?)$/i,
    flag: FileFlag.Example,
    why: 'example folder',
    when: isNearTop,
  },
  // Documentation
  {
    name: /^(?:docs?|documentation|doc_src|website|adr|adrs|rfcs?|man)$/i,
    flag: FileFlag.Documentation,
    why: 'documentation folder',
    when: (above) => isNearTop(above) && !SOURCE_FOLDERS.has(above.at(-1) ?? ''),
  },
];

const HELPER =
  '(?:utils?|utilities|helpers?|tools?|support|functions?|client|runner|case|cases|base|server|framework|lib|' +
  'library|kit|harness|fixtures?)';

/** Names of test helpers, which alone do not make a file a test. */
export const TEST_HELPER_NAME = new RegExp(`^test[-_]?${HELPER}\\.\\w+$`, 'i');

const words = (list: string): readonly string[] => list.split(' ');
const { Test, Generated, Example, Documentation, Config } = FileFlag;

export const NAME_RULES: readonly NameRule[] = [
  ...CONVENTIONS.flatMap(({ names }) => names ?? []),
  // Tests of languages that have no folder of their own
  { extensions: words('ml jl'), pattern: /_test\.\w+$/, flag: Test, why: 'name ends with _test' },
  { extensions: words('cr moon'), pattern: /_spec\.\w+$/, flag: Test, why: 'Crystal or Moonscript spec name' },
  {
    extensions: words('fs vb m mm'),
    pattern: /.Tests?\.\w+$/,
    flag: Test,
    why: 'test class name',
    notInProduct: true,
  },
  { extensions: words('feature t'), flag: Test, why: 'test file type' },
  { extensions: words('pl jl'), pattern: /^test[-_]/, flag: Test, why: 'name begins with test' },
  // Generated
  {
    names: words(
      'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb composer.lock ' +
        'Gemfile.lock Cargo.lock Pipfile.lock poetry.lock uv.lock pdm.lock pixi.lock mix.lock rebar.lock ' +
        'pubspec.lock Podfile.lock Package.resolved Cartfile.resolved go.sum go.work.sum flake.lock deno.lock ' +
        'gradle.lockfile packages.lock.json conan.lock stack.yaml.lock cabal.project.freeze .terraform.lock.hcl ' +
        'paket.lock',
    ),
    flag: Generated,
    why: 'lock file',
  },
  {
    extensions: words('go cc h c swift dart'),
    pattern: /\.pb(?:\.\w+)?\.\w+$/,
    flag: Generated,
    why: 'protobuf output',
  },
  {
    extensions: words('py pyi js ts rb h m'),
    pattern: /_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|d\.ts|rb)$|\.pbobjc\.[hm]$/,
    flag: Generated,
    why: 'protobuf output',
  },
  {
    extensions: ['vb'],
    pattern: /\.(?:designer|g|g\.i|AssemblyInfo|AssemblyAttributes|GlobalUsings\.g)\.\w+$/i,
    flag: Generated,
    why: '.NET generator output',
  },
  {
    pattern: /(?<![Nn]o[nt])[._-][Gg]enerated\.\w+$|\.gen\.(?:go|[jt]sx?|rs|kt|swift|cs|dart|java|c|h|cc|hpp?)$/,
    flag: Generated,
    why: 'named as generated',
  },
  { extensions: words('map'), pattern: /\.(?:js|css|mjs|cjs|ts)\.map$/, flag: Generated, why: 'source map' },
  {
    names: words('.pnp.cjs .pnp.js .pnp.loader.mjs .DS_Store Thumbs.db desktop.ini'),
    flag: Generated,
    why: 'tool output',
  },
  { extensions: words('snap tsbuildinfo pbxproj xcworkspacedata storyboard xib'), flag: Generated, why: 'tool output' },
  // Examples
  { pattern: /\.(?:example|sample)(?:\.\w+)?$/, flag: Example, why: 'example name' },
  // Documentation
  {
    extensions: words('md mdx markdown mdown rst adoc asciidoc textile rdoc org pod qmd tex livemd 1 2 3 4 5 6 7 8'),
    flag: Documentation,
    why: 'document',
  },
  {
    pattern: pattern()`
      ^(?:README|Read[Mm]e|readme|CHANGELOG|Change[Ll]og|changelog|CHANGES|Changes|changes|HISTORY|History|NEWS
      |RELEASE[_-]NOTES|release[_-]notes|CONTRIBUTING|CODE_OF_CONDUCT|LICEN[CS]E|COPYING|NOTICE|AUTHORS|MAINTAINERS
      |SECURITY|UPGRADING|INSTALL|TODO)(?:[._-](?:txt|md|html|[A-Z]+|\d.*))*$
    `,
    flag: Documentation,
    why: 'project document',
  },
  // Configuration
  {
    extensions: words(
      'json jsonc json5 yml yaml toml ini cfg conf properties editorconfig plist hcl tf csproj fsproj vbproj sln ' +
        'props targets gradle gemspec cabal nix cmake mk am ac xcconfig bazel',
    ),
    flag: Config,
    why: 'configuration format',
  },
  { pattern: /^\.[\w-]+rc(?:\.\w+)?$|^\.[\w-]+ignore$/, flag: Config, why: 'tool configuration' },
  {
    names: words('.gitattributes .gitmodules .mailmap .tool-versions .clang-format .clang-tidy .formatter.exs'),
    flag: Config,
    why: 'tool configuration',
  },
  {
    names: words(
      'Dockerfile Containerfile Makefile makefile GNUmakefile CMakeLists.txt Rakefile Gemfile Podfile Cartfile ' +
        'Procfile Vagrantfile Brewfile Jenkinsfile Justfile justfile BUILD WORKSPACE meson.build SConstruct ' +
        'build.gradle.kts settings.gradle.kts pom.xml build.sbt Package.swift mix.exs build.zig build.zig.zon ' +
        'setup.py go.mod go.work requirements.txt MANIFEST.in Setup.hs rebar.config conanfile.py conanfile.txt',
    ),
    flag: Config,
    why: 'build or project file',
  },
  { pattern: /^Dockerfile\.|\.Dockerfile$|^requirements[-_]\w+\.txt$/, flag: Config, why: 'build or project file' },
];
