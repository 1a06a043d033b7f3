/** Mines the configuration of editors, formatters, linters and compilers: one sentence that names the settings. */
import { parseLooseJson } from '../../languages/runtime/imports/loose-json.ts';
import type { Note } from './mined-note.ts';

interface Tool {
  readonly path: RegExp;
  readonly sentence: string;
  /** Syntax of the file: `code` is searched for rule names, `none` is not read. */
  readonly form: 'yaml' | 'ini' | 'code' | 'none';
  /** The settings of the file that count, such as `tool.ruff` of a pyproject.toml. */
  readonly section?: RegExp;
}

const TOOLS: readonly Tool[] = [
  { path: /(?:^|\/)\.editorconfig$/, sentence: 'Editor settings', form: 'ini' },
  {
    path: /(?:^|\/)\.eslintrc(?:\.json|\.ya?ml)?$/,
    sentence: 'JavaScript and TypeScript are linted with ESLint',
    form: 'yaml',
  },
  {
    path: /(?:^|\/)(?:eslint\.config\.\w+|\.eslintrc\.[cm]?js)$/,
    sentence: 'JavaScript and TypeScript are linted with ESLint',
    form: 'code',
  },
  { path: /(?:^|\/)biome\.jsonc?$/, sentence: 'Code is linted and formatted with Biome', form: 'yaml' },
  { path: /(?:^|\/)\.prettierrc(?:\.json|\.ya?ml)?$/, sentence: 'Code is formatted with Prettier', form: 'yaml' },
  { path: /(?:^|\/)\.?prettier(?:rc)?\.config\.\w+$/, sentence: 'Code is formatted with Prettier', form: 'code' },
  { path: /(?:^|\/)\.?stylelintrc(?:\.\w+)?$/, sentence: 'Style sheets are linted with Stylelint', form: 'yaml' },
  {
    path: /(?:^|\/)tsconfig\.json$/,
    sentence: 'TypeScript is compiled with',
    form: 'yaml',
    section: /^compilerOptions\.(?:strict|no|exact|use|isolated|verbatim|target|module$)/,
  },
  { path: /(?:^|\/)\.?ruff\.toml$/, sentence: 'Python is linted with Ruff', form: 'ini' },
  {
    path: /(?:^|\/)pyproject\.toml$/,
    sentence: 'Python tools are set up so',
    form: 'ini',
    section: /^tool\.(?:ruff|black|mypy|isort|pylint|pyright)\b/,
  },
  { path: /(?:^|\/)\.flake8$/, sentence: 'Python is linted with Flake8', form: 'ini' },
  {
    path: /(?:^|\/)(?:setup\.cfg|tox\.ini)$/,
    sentence: 'Python tools are set up so',
    form: 'ini',
    section: /^(?:flake8|isort|mypy|pycodestyle|pydocstyle|pylint)\b/,
  },
  { path: /(?:^|\/)\.?pylintrc$/, sentence: 'Python is linted with Pylint', form: 'ini' },
  { path: /(?:^|\/)pyrightconfig\.json$/, sentence: 'Python is type-checked with Pyright', form: 'yaml' },
  { path: /(?:^|\/)mypy\.ini$/, sentence: 'Python is type-checked with mypy', form: 'ini' },
  { path: /(?:^|\/)\.golangci\.toml$/, sentence: 'Go is linted with golangci-lint', form: 'ini' },
  { path: /(?:^|\/)\.golangci\.ya?ml$/, sentence: 'Go is linted with golangci-lint', form: 'yaml' },
  { path: /(?:^|\/)\.?rustfmt\.toml$/, sentence: 'Rust is formatted with rustfmt', form: 'ini' },
  { path: /(?:^|\/)\.?clippy\.toml$/, sentence: 'Rust is linted with Clippy', form: 'ini' },
  {
    path: /(?:^|\/)\.clang-(?:format|tidy)$/,
    sentence: 'C and C++ are formatted and checked with clang',
    form: 'yaml',
  },
  { path: /(?:^|\/)\.rubocop\.ya?ml$/, sentence: 'Ruby is linted with RuboCop', form: 'yaml' },
  {
    path: /(?:^|\/)phpcs\.xml(?:\.dist)?$|(?:^|\/)\.php-cs-fixer[.\w]*$/,
    sentence: 'PHP code style is checked',
    form: 'code',
  },
  { path: /(?:^|\/)\.swiftlint\.ya?ml$/, sentence: 'Swift is linted with SwiftLint', form: 'yaml' },
  { path: /(?:^|\/)\.swiftformat$/, sentence: 'Swift is formatted with SwiftFormat', form: 'none' },
  {
    path: /(?:^|\/)\.?hlint\.ya?ml$|(?:^|\/)fourmolu\.ya?ml$/,
    sentence: 'Haskell is formatted and linted',
    form: 'yaml',
  },
  { path: /(?:^|\/)\.scalafmt\.conf$/, sentence: 'Scala is formatted with scalafmt', form: 'ini' },
  { path: /(?:^|\/)\.formatter\.exs$|(?:^|\/)\.credo\.exs$/, sentence: 'Elixir is formatted and linted', form: 'none' },
  { path: /(?:^|\/)\.?stylua\.toml$/, sentence: 'Lua is formatted with StyLua', form: 'ini' },
  { path: /(?:^|\/)detekt(?:-config)?\.ya?ml$/, sentence: 'Kotlin is analysed with detekt', form: 'yaml' },
  { path: /(?:^|\/)\.?tslint\.json$/, sentence: 'TypeScript is linted with TSLint', form: 'yaml' },
  { path: /(?:^|\/)\.oxlintrc\.json$/, sentence: 'JavaScript and TypeScript are linted with Oxlint', form: 'yaml' },
  { path: /(?:^|\/)dprint\.jsonc?$/, sentence: 'Code is formatted with dprint', form: 'yaml' },
  { path: /(?:^|\/)\.markdownlint(?:-cli2)?\.(?:jsonc?|ya?ml)$/, sentence: 'Markdown is linted', form: 'yaml' },
  { path: /(?:^|\/)\.yamllint(?:\.ya?ml)?$/, sentence: 'YAML is linted with yamllint', form: 'yaml' },
  { path: /(?:^|\/)\.hadolint\.ya?ml$/, sentence: 'Dockerfiles are linted with Hadolint', form: 'yaml' },
  { path: /(?:^|\/)\.shellcheckrc$/, sentence: 'Shell scripts are linted with ShellCheck', form: 'ini' },
  { path: /(?:^|\/)\.sqlfluff$/, sentence: 'SQL is linted with SQLFluff', form: 'ini' },
  { path: /(?:^|\/)phpstan\.neon(?:\.dist)?$/, sentence: 'PHP is analysed with PHPStan', form: 'yaml' },
  { path: /(?:^|\/)checkstyle\.xml$/, sentence: 'Java is linted with Checkstyle', form: 'code' },
  { path: /(?:^|\/)\.swift-format$/, sentence: 'Swift is formatted with swift-format', form: 'yaml' },
  { path: /(?:^|\/)analysis_options\.ya?ml$/, sentence: 'Dart is analysed', form: 'yaml' },
  {
    path: /(?:^|\/)\.pre-commit-config\.ya?ml$/,
    sentence: 'Checks run before each commit (pre-commit)',
    form: 'yaml',
    section: /\bhooks\.id$/,
  },
  {
    path: /(?:^|\/)\.?commitlint(?:rc|\.config)(?:\.\w+)?$/,
    sentence: 'Commit messages are checked with commitlint',
    form: 'code',
  },
];

const MAX_SETTINGS = 24;
const MAX_FOUND = 200;
const MAX_ITEMS = 12;
const MAX_VALUE = 80;
const MAX_LINE = 400;
const MAX_DEPTH = 20;
const MAX_LIST_LINES = 200;

export function isConfigurationPath(path: string): boolean {
  return TOOLS.some(({ path: pattern }) => pattern.test(path));
}

export function mineConfiguration(path: string, text: string): Note[] {
  const tool = TOOLS.find(({ path: pattern }) => pattern.test(path));
  if (!tool) return [];
  const read = { yaml: treeSettings, ini: iniSettings, code: ruleNames, none: () => [] }[tool.form];
  const all = read(text);
  const own = all.filter(([key]) => key !== '$schema' && (tool.section?.test(key) ?? true));
  if (tool.section && own.length === 0) return [];
  const settings = [...new Set(own.map(([key, value]) => `${key} = ${value}`))].slice(0, MAX_SETTINGS);
  return [
    {
      type: 'rule',
      content: `${tool.sentence}${settings.length > 0 ? `: ${settings.join(', ')}` : ''}.`,
      origin: 'config',
      confidence: 0.7,
      startLine: 1,
      endLine: Math.max(1, text.trimEnd().split('\n').length),
    },
  ];
}

type Setting = readonly [key: string, value: string];

/** Settings of JSON with comments or of simple YAML: every plain value with its path of keys. */
function treeSettings(text: string): Setting[] {
  if (!text.trimStart().startsWith('{')) return yamlSettings(text);
  const json = parseLooseJson(text);
  return json === null ? ruleNames(text) : jsonSettings(json);
}

function jsonSettings(value: unknown): Setting[] {
  const found: Setting[] = [];
  const visit = (key: string, at: unknown, depth = 0) => {
    if (found.length > MAX_FOUND || depth > MAX_DEPTH) return;
    if (Array.isArray(at)) {
      const plain = at.filter((item) => typeof item !== 'object');
      if (plain.length > 0) found.push([key, plain.slice(0, MAX_ITEMS).join(' ')]);
      for (const item of at) if (typeof item === 'object' && item !== null) visit(key, item, depth + 1);
    } else if (typeof at === 'object' && at !== null)
      for (const [name, below] of Object.entries(at)) visit(key ? `${key}.${name}` : name, below, depth + 1);
    else if (at !== null && String(at).length < MAX_VALUE) found.push([key, String(at)]);
  };
  visit('', value);
  return found;
}

/** Reads YAML by indentation: loading a parser would take longer than everything else here. */
function yamlSettings(text: string): Setting[] {
  const found: Setting[] = [];
  const above: { readonly indent: number; readonly key: string }[] = [];
  const lists = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const match = /^(\s*)(-\s+)?(?:["']?([\w./$*-]+)["']?\s*:(?:\s+|$))?(.*?)(?:\s+#.*)?$/.exec(line);
    if (!match || line.trim() === '' || line.trimStart().startsWith('#') || found.length > MAX_FOUND) continue;
    const [, lead = '', dash = '', key, rest = ''] = match;
    const indent = lead.length + dash.length;
    while (above.length > 0 && above.at(-1)!.indent >= (dash && key === undefined ? indent - 1 : indent)) above.pop();
    const path = above.map((each) => each.key).join('.');
    const value = rest.trim().replace(/^["']|["']$/g, '');
    if (key === undefined) {
      const items = lists.get(path) ?? [];
      if (dash && value !== '' && items.length < MAX_ITEMS) lists.set(path, [...items, value]);
    } else if (value === '' || /^[|>&]/.test(value)) above.push({ indent, key });
    else if (value.length < MAX_VALUE) found.push([path ? `${path}.${key}` : key, value]);
  }
  return [...[...lists].map(([key, items]) => [key, items.join(' ')] as const), ...found];
}

function iniSettings(text: string): Setting[] {
  const found: Setting[] = [];
  let section = '';
  for (const line of joinLists(linesOf(text))) {
    const head = /^\s*\[(.+)\]\s*(?:[#;].*)?$/.exec(line)?.[1]?.replace(/^\[(.+)\]$/, '$1');
    if (head !== undefined) section = head === '*' ? '' : head;
    const [, key, value = ''] = /^\s*([\w.-]+)\s*[=:]\s*([^#;]+?)\s*(?:[#;].*)?$/.exec(line) ?? [];
    if (head !== undefined || key === undefined || key === 'root') continue;
    const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
    found.push([section ? `${section}.${key}` : key, shown]);
  }
  return found;
}

/** Joins a TOML list over several lines into one line. */
function joinLists(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const opens = /=\s*\[\s*(?:#.*)?$/.test(lines[i]!);
    const close = opens ? lines.slice(i + 1, i + 1 + MAX_LIST_LINES).findIndex((line) => line.includes(']')) : -1;
    if (close < 0) {
      joined.push(lines[i]!);
      continue;
    }
    const items = lines.slice(i + 1, i + 2 + close).map((item) => item.replace(/(?:^|\s)#.*$/, '').trim());
    joined.push(`${lines[i]!.split('[', 1)[0]}[${items.filter(Boolean).join(' ').replace(' ]', ']')}`);
    i += close + 1;
  }
  return joined;
}

/** Lines cut to MAX_LINE: longer ones contain no settings. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.slice(0, MAX_LINE));
}

/** Rules in a configuration written as code: `'no-console': 'error'`. */
function ruleNames(text: string): Setting[] {
  const folded = text.replace(/\s+/g, ' ');
  return [...folded.matchAll(/["']([\w@/-]{3,60})["'] ?: ?\[? ?["']?(error|warn|off|always|never|2|1)\b/g)].map(
    (match) => [match[1]!, match[2]!] as const,
  );
}
