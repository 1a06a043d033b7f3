/**
 * What a path alone tells about a file, as data: one row per convention, with the reason in words. path-flags.ts applies the rows.
 *
 * Rule of evidence. A row states a convention that the language's own tools rely on (`_test.go`, `src/test/java`, `__tests__`). Where a word is
 * also an ordinary name for product code, weak evidence does not count:
 *  - a folder of product source (`src/main`, `Sources`, Ruby's and Elixir's `lib`) ends the search for test and example folders: what lies below
 *    is product code even when a package is called `test`;
 *  - `testing`, `test_support` and the like are libraries for testing, shipped to users: no row names them;
 *  - in Python and Go a nested folder `test` may be a package (`django/test`): only the file's own name counts there, unless the folder stands at
 *    the top of the project or of a workspace member;
 *  - a file whose name says "helper for tests" (`test_utils.py`, `test_functions.bash`) is a test file only inside a test folder.
 */
import { FileFlag } from '../model/source-file.ts';

export interface FolderRule {
  readonly name: RegExp;
  readonly flag: number;
  readonly why: string;
  /** Only when it holds: folders above (outermost first) and the file's extension with its dot, '' for none. */
  readonly when?: (above: readonly string[], extension: string) => boolean;
  /** The folder is left out as one entry when its flag is not wanted. */
  readonly whole?: boolean;
}

export interface NameRule {
  readonly name: RegExp;
  readonly flag: number;
  readonly why: string;
  /** Does not count below `src/main`, `Sources` and their like. */
  readonly notInProduct?: boolean;
}

const WORKSPACE_FOLDERS = new Set(['packages', 'crates', 'apps', 'libs', 'modules', 'services', 'plugins', 'projects']);

/** At the top of the project or of a workspace member (`packages/x/test`). */
export function isNearTop(above: readonly string[]): boolean {
  return above.length <= 1 || (above.length === 2 && WORKSPACE_FOLDERS.has(above[0]!));
}

const PACKAGE_NAMED_TEST = new Set(['.py', '.pyi', '.go']);
const LIB_IS_PRODUCT = new Set(['.rb', '.ex', '.exs', '.rake', '.tt', '.erb', '.eex']);

/** Below this folder lies product code, whatever its packages are called. */
export function isProductRoot(above: readonly string[], name: string, extension: string): boolean {
  if (name === 'main') return above.at(-1) === 'src';
  if (/^(?:common|jvm|js|native|android|ios|linux|macos|wasm\w*)Main$/.test(name)) return above.at(-1) === 'src';
  if (name === 'Sources') return true;
  return name === 'lib' && LIB_IS_PRODUCT.has(extension);
}

/** Reverse domain names (`com/example/…`) and domain folders that make `vendor`, `sample`, `demo` an ordinary word. */
const DOMAIN_FOLDERS = new Set(
  'app models model controllers controller views view services service domain entities entity pages routes api handlers components features com org net io'.split(
    ' ',
  ),
);
const notDomain = (above: readonly string[]) => !above.some((name) => DOMAIN_FOLDERS.has(name));

export const FOLDER_RULES: readonly FolderRule[] = [
  // Tests
  {
    name: /^tests?$/i,
    flag: FileFlag.Test,
    why: 'test folder',
    when: (above, extension) => !PACKAGE_NAMED_TEST.has(extension) || isNearTop(above),
  },
  { name: /^tests$/, flag: FileFlag.Test, why: 'test folder' },
  { name: /^specs?$/, flag: FileFlag.Test, why: 'spec folder', when: (above) => isNearTop(above) },
  {
    name: /^spec$/,
    flag: FileFlag.Test,
    why: 'spec folder',
    when: (_, extension) => extension === '.rb' || extension === '.lua',
  },
  { name: /^__(?:tests?|specs?|mocks|fixtures|snapshots)__$/, flag: FileFlag.Test, why: 'JavaScript test folder' },
  {
    name: /^(?:androidTest|testFixtures|intTest|functionalTest|integrationTest|jmh)$/,
    flag: FileFlag.Test,
    why: 'Gradle test source set',
  },
  {
    name: /^(?:common|jvm|js|native|android|androidUnit|androidInstrumented|ios|linux|macos|apple|nonJvm|concurrent|wasm\w*)Test$/,
    flag: FileFlag.Test,
    why: 'Kotlin test source set',
  },
  {
    name: /^(?:it|test)$/,
    flag: FileFlag.Test,
    why: 'sbt and Maven test sources',
    when: (above) => above.at(-1) === 'src',
  },
  { name: /^[A-Z][\w.]*(?:\.Tests?|Tests|\.UnitTests|\.IntegrationTests)$/, flag: FileFlag.Test, why: 'test target' },
  { name: /^(?:testdata|test-data|test_data)$/, flag: FileFlag.Test, why: 'test data' },
  {
    name: /^(?:e2e|cypress|unittests?|unit_tests?|unit-tests?|functional[_-]tests?|integration[_-]tests?|acceptance[_-]tests?|test[_-]fixtures)$/,
    flag: FileFlag.Test,
    why: 'test folder',
  },
  // Others' code
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
    name: /^(?:__pycache__|\.venv|\.tox|\.nox|\.mypy_cache|\.pytest_cache|\.ruff_cache|\.eggs|\.gradle|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.terraform|\.dart_tool|\.swiftpm|\.build|DerivedData|\.stack-work|dist-newstyle|\.zig-cache|zig-cache|zig-out|\.nyc_output|\.ipynb_checkpoints|\.angular|\.metals|\.bloop|\.elixir_ls|\.serverless)$/,
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
    when: isNearTop,
  },
];

const HELPER =
  '(?:utils?|utilities|helpers?|tools?|support|functions?|client|runner|case|cases|base|server|framework|lib|library|kit|harness|fixtures?)';

/** Names that speak of a helper for tests: no evidence by themselves. */
export const TEST_HELPER_NAME = new RegExp(`^test[-_]?${HELPER}\\.\\w+$`, 'i');

const HOST = '(?:[jt]sx?|[cm][jt]s|vue|svelte)';

export const NAME_RULES: readonly NameRule[] = [
  // Tests
  {
    name: /_test\.(?:go|exs?|dart|cc|cpp|cxx|c|rs|zig|lua|ml|jl|sh|bash|ts|js)$/,
    flag: FileFlag.Test,
    why: 'name ends with _test',
  },
  { name: /_tests\.(?:rs|zig|py|cc|cpp)$/, flag: FileFlag.Test, why: 'name ends with _tests' },
  { name: /_unittest\.(?:cc|cpp|c|py)$/, flag: FileFlag.Test, why: 'name ends with _unittest' },
  { name: /^(?:test_.+|.+_test|conftest|tests)\.py$/, flag: FileFlag.Test, why: 'pytest or Django name' },
  { name: /_(?:test|spec)\.rb$/, flag: FileFlag.Test, why: 'minitest or RSpec name' },
  { name: /^test_.+\.rb$/, flag: FileFlag.Test, why: 'minitest name' },
  { name: /_spec\.(?:lua|cr|moon)$/, flag: FileFlag.Test, why: 'busted name' },
  {
    name: new RegExp(`\\.(?:test|spec|e2e|cy|test-d|e2e-spec)\\.${HOST}$`),
    flag: FileFlag.Test,
    why: 'JavaScript test name',
  },
  {
    name: /^.+(?:Test|Tests|TestCase|IT)\.(?:java|kt|kts|groovy|scala)$/,
    flag: FileFlag.Test,
    why: 'JUnit name',
    notInProduct: true,
  },
  {
    name: /^.+(?:Spec|Suite|Specs)\.(?:scala|kt|groovy|hs)$/,
    flag: FileFlag.Test,
    why: 'spec or suite name',
    notInProduct: true,
  },
  {
    name: /^.+(?:Test|Tests)\.(?:cs|fs|vb|php|hs|swift|m|mm)$/,
    flag: FileFlag.Test,
    why: 'test class name',
    notInProduct: true,
  },
  { name: /\.(?:bats|feature)$/, flag: FileFlag.Test, why: 'test file type' },
  { name: /^test[-_].+\.(?:sh|bash|c|cc|cpp|pl|jl)$/, flag: FileFlag.Test, why: 'name begins with test' },
  { name: /^tests\.rs$/, flag: FileFlag.Test, why: 'test module' },
  { name: /\.t$/, flag: FileFlag.Test, why: 'Perl test' },
  // Generated
  {
    name: /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|composer\.lock|Gemfile\.lock|Cargo\.lock|Pipfile\.lock|poetry\.lock|uv\.lock|pdm\.lock|pixi\.lock|mix\.lock|rebar\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved|Cartfile\.resolved|go\.sum|go\.work\.sum|flake\.lock|deno\.lock|gradle\.lockfile|packages\.lock\.json|conan\.lock|stack\.yaml\.lock|cabal\.project\.freeze|\.terraform\.lock\.hcl|Manifest\.toml|paket\.lock|project\.assets\.json)$/,
    flag: FileFlag.Generated,
    why: 'lock file',
  },
  {
    name: /\.pb(?:\.gw|_test)?\.(?:go|cc|h|c|swift|dart)$|_grpc\.pb\.(?:go|cc|h)$|\.pb\.validate\.go$/,
    flag: FileFlag.Generated,
    why: 'protobuf output',
  },
  {
    name: /_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|d\.ts|rb)$|_grpc_pb\.(?:js|d\.ts)$|\.pbobjc\.[hm]$/,
    flag: FileFlag.Generated,
    why: 'protobuf output',
  },
  { name: /\.(?:g|freezed|gr|mocks|config|chopper)\.dart$/, flag: FileFlag.Generated, why: 'Dart generator output' },
  { name: /\.(?:designer|g|g\.i|generated)\.(?:cs|vb)$/i, flag: FileFlag.Generated, why: '.NET generator output' },
  {
    name: /^(?:zz_generated[\w.]*|bindata(?:_assetfs)?|wire_gen)\.go$|\.gen\.go$/,
    flag: FileFlag.Generated,
    why: 'Go generator output',
  },
  { name: /[._-]generated\.\w+$/i, flag: FileFlag.Generated, why: 'named as generated' },
  {
    name: /[.-]min\.(?:js|css|mjs|cjs)$|\.(?:js|css|mjs|cjs|ts)\.map$|[.-](?:bundle|chunk)\.(?:js|css)$/,
    flag: FileFlag.Generated,
    why: 'bundler output',
  },
  {
    name: /^(?:\.pnp\.(?:cjs|js|loader\.mjs)|R\.java|\.DS_Store|Thumbs\.db|desktop\.ini)$/,
    flag: FileFlag.Generated,
    why: 'tool output',
  },
  {
    name: /\.(?:snap|xliff|po|pot|tsbuildinfo|pbxproj|xcworkspacedata|storyboard|xib|ipynb_checkpoint)$/,
    flag: FileFlag.Generated,
    why: 'tool output',
  },
  // Examples
  {
    name: new RegExp(`\\.(?:stories|story)\\.${HOST}$|^example_.*_?test\\.go$|\\.(?:example|sample)(?:\\.\\w+)?$`),
    flag: FileFlag.Example,
    why: 'example name',
  },
  // Documentation
  {
    name: /\.(?:md|mdx|markdown|rst|adoc|asciidoc|textile|rdoc|org|pod|[1-8]|mdown|qmd|tex|lhs\.md|livemd)$/i,
    flag: FileFlag.Documentation,
    why: 'document',
  },
  {
    name: /^(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|CONTRIBUTING|CODE_OF_CONDUCT|LICENSE|LICENCE|COPYING|NOTICE|AUTHORS|MAINTAINERS|SECURITY|UPGRADING|INSTALL|TODO)(?:[._-]\w+)*$/i,
    flag: FileFlag.Documentation,
    why: 'project document',
  },
  // Configuration
  {
    name: /\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|editorconfig|plist|hcl|tf|csproj|fsproj|vbproj|sln|props|targets|gradle|gemspec|cabal|nix|cmake|mk|am|ac|xcconfig)$/i,
    flag: FileFlag.Config,
    why: 'configuration format',
  },
  {
    name: /^\.[\w-]+rc(?:\.\w+)?$|^\.(?:gitignore|gitattributes|dockerignore|npmignore|sextantignore|gitmodules|editorconfig|mailmap|nvmrc|tool-versions|clang-format|clang-tidy|formatter\.exs)$/,
    flag: FileFlag.Config,
    why: 'tool configuration',
  },
  { name: new RegExp(`\\.(?:config|conf|workspace)\\.${HOST}$`), flag: FileFlag.Config, why: 'tool configuration' },
  {
    name: /^(?:Dockerfile|Containerfile|Makefile|GNUmakefile|CMakeLists\.txt|Rakefile|Gemfile|Podfile|Cartfile|Procfile|Vagrantfile|Brewfile|Jenkinsfile|Justfile|justfile|BUILD|BUILD\.bazel|WORKSPACE|MODULE\.bazel|meson\.build|SConstruct|build\.gradle\.kts|settings\.gradle\.kts|pom\.xml|build\.sbt|Package\.swift|mix\.exs|build\.zig|build\.zig\.zon|setup\.py|setup\.cfg|go\.mod|go\.work|Gulpfile\.js|gulpfile\.js|Gruntfile\.js|requirements[\w-]*\.txt|MANIFEST\.in|Setup\.hs|stack\.yaml|rebar\.config|conanfile\.(?:py|txt))$|^Dockerfile\.|\.Dockerfile$/,
    flag: FileFlag.Config,
    why: 'build or project file',
  },
  // Barrels
  {
    name: new RegExp(`^index\\.${HOST}$|^__init__\\.pyi?$|^mod\\.(?:rs|ts)$|^package-info\\.java$`),
    flag: FileFlag.Barrel,
    why: 'entry file of a folder',
  },
];
