/**
 * What share of universal-ctags' definitions we find with the same name, file and line:
 * `npm run check:ctags -- DIR --language go [--misses 40] [--exclude PART]…`
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { createParser, detectLanguage, type LanguageDescriptor, languageById } from '../src/languages/index.ts';
import { linkGrammars } from '../src/languages/runtime/testing/grammar-folder.ts';

/**
 * ctags' name of a language, and its kinds that count as functions, methods, classes, structs, interfaces, traits or
 * enums.
 */
const CTAGS: Readonly<Record<string, { readonly names: readonly string[]; readonly kinds: readonly string[] }>> = {
  go: { names: ['Go'], kinds: ['func', 'struct', 'interface', 'methodSpec'] },
  rust: { names: ['Rust'], kinds: ['function', 'method', 'struct', 'enum', 'interface', 'implementation', 'macro'] },
  python: { names: ['Python'], kinds: ['function', 'member', 'class'] },
  // ctags calls every object literal with members and every name assigned a member a class; only what says so on its
  // line counts.
  javascript: { names: ['JavaScript'], kinds: ['function', 'method', 'class', 'generator', 'getter', 'setter'] },
  typescript: {
    names: ['TypeScript'],
    kinds: ['function', 'method', 'class', 'interface', 'enum', 'generator', 'namespace'],
  },
  tsx: { names: ['TypeScript'], kinds: ['function', 'method', 'class', 'interface', 'enum', 'generator', 'namespace'] },
  java: { names: ['Java'], kinds: ['method', 'class', 'interface', 'enum', 'annotation'] },
  c: { names: ['C'], kinds: ['function', 'struct', 'enum', 'union'] },
  cpp: { names: ['C++'], kinds: ['function', 'class', 'struct', 'enum', 'union'] },
  csharp: { names: ['C#'], kinds: ['method', 'class', 'struct', 'interface', 'enum'] },
  kotlin: { names: ['Kotlin'], kinds: ['method', 'class', 'interface', 'object'] },
  scala: { names: ['Scala'], kinds: ['method', 'class', 'trait', 'object'] },
  php: { names: ['PHP'], kinds: ['function', 'method', 'class', 'interface', 'trait', 'enum'] },
  ruby: { names: ['Ruby'], kinds: ['method', 'singletonMethod', 'class', 'module'] },
  elixir: { names: ['Elixir'], kinds: ['function', 'module', 'macro', 'protocol'] },
  lua: { names: ['Lua'], kinds: ['function'] },
  haskell: { names: ['Haskell'], kinds: ['function', 'constructor', 'type'] },
  bash: { names: ['Sh'], kinds: ['function'] },
};

/**
 * Where we name a definition otherwise on purpose (docs/languages.md says why): ours on the same line, and why it is
 * the same one.
 */
const OTHERWISE: Readonly<
  Record<string, (tag: Tag, ours: { name: string; signature: string }, line: string) => boolean>
> = {
  // TEST_IMPL(name) { … } defines the test, HEAP_EXPORT(int f(void)) the function; ctags names both after the macro.
  c: (tag, ours, line) =>
    /^[A-Z][A-Z0-9_]+$/.test(tag.name) && new RegExp(`\\b${tag.name}\\(.*\\b${ours.name}\\b`).test(line),
  cpp: (tag, ours, line) =>
    tag.name.replace(/ /g, '') === ours.name.replace(/ /g, '') ||
    (/^[A-Z][A-Z0-9_]+$/.test(tag.name) && new RegExp(`\\b${tag.name}\\(.*\\b${ours.name}\\b`).test(line)),
  // An explicit implementation: ctags counts the interface to the name.
  csharp: (tag, ours) => tag.name.endsWith(`.${ours.name}`),
};

interface Tag {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly kind: string;
  readonly scope?: string;
}

const [folder, options] = readArguments();
const language = languageById(options.language);
const rules = language && CTAGS[language.id];
if (!language || !rules) throw new Error(`pass --language, one of ${Object.keys(CTAGS).join(', ')}`);
report(language, await compare(folder, language, runCtags(folder, rules)));

function readArguments(): [string, { language: string; misses: number; exclude: string[] }] {
  const found = { language: '', misses: 30, exclude: [] as string[] };
  let target = '';
  for (let i = 2; i < argv.length; i++) {
    if (argv[i] === '--language') found.language = argv[++i] ?? '';
    else if (argv[i] === '--misses') found.misses = Number(argv[++i]);
    else if (argv[i] === '--exclude') found.exclude.push(argv[++i] ?? '');
    else target = argv[i]!;
  }
  if (!target) throw new Error('pass a folder');
  return [target, found];
}

function runCtags(root: string, { names, kinds }: { names: readonly string[]; kinds: readonly string[] }): Tag[] {
  const output = execFileSync(
    'ctags',
    [
      '-R',
      '--map-TypeScript=+.tsx',
      '--output-format=json',
      '--fields=+nKZl',
      '--sort=no',
      '--links=no',
      `--languages=${names.join(',')}`,
      '--exclude=.git',
      '--exclude=node_modules',
      '-f',
      '-',
      '.',
    ],
    { cwd: root, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] },
  ).toString('utf8');
  return output
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const tag = parseTag(line);
      // ctags numbers functions that have no name.
      return tag &&
        !/^(?:(?:AnonymousFunction|AnonymousClass|anonFunc|__anon)[0-9a-f]+|<.*>)$/.test(tag.name) &&
        kinds.includes(tag.kind) &&
        !options.exclude.some((part) => tag.path.includes(part))
        ? [tag]
        : [];
    });
}

/** A name with broken UTF-8 makes a broken line; such a tag cannot be compared. */
function parseTag(line: string): Tag | null {
  try {
    const tag = JSON.parse(line);
    return tag._type === 'tag' ? tag : null;
  } catch {
    return null;
  }
}

interface Comparison {
  readonly files: number;
  readonly byKind: Map<string, { total: number; found: number }>;
  /** Found under the name that we give it on purpose. */
  otherwise: number;
  readonly misses: Tag[];
}

async function compare(root: string, wanted: LanguageDescriptor, tags: readonly Tag[]): Promise<Comparison> {
  const folders = linkGrammars();
  const parser = createParser(folders);
  await parser.load(wanted);
  const byFile = new Map<string, Tag[]>();
  for (const tag of tags) byFile.set(tag.path, [...(byFile.get(tag.path) ?? []), tag]);
  const result: Comparison = { files: byFile.size, byKind: new Map(), otherwise: 0, misses: [] };
  for (const [path, expected] of byFile) {
    const text = readFileSync(join(root, path), 'utf8');
    if (text.length > 1_000_000 || detectLanguage(path, text.slice(0, 8000))?.id !== wanted.id) continue;
    await parser.load(wanted, text);
    const { symbols } = parser.parse({ language: wanted, text });
    const ours = new Set(symbols.map(({ name, nameLine }) => `${nameLine} ${name}`));
    const lines = text.split('\n');
    for (const tag of expected) {
      if (isObjectLiteral(tag, lines[tag.line - 1] ?? '')) continue;
      const count = result.byKind.get(tag.kind) ?? { total: 0, found: 0 };
      result.byKind.set(tag.kind, count);
      count.total++;
      if (ours.has(`${tag.line} ${tag.name}`)) count.found++;
      else if (
        OTHERWISE[wanted.id] &&
        symbols.some(
          (symbol) => symbol.nameLine === tag.line && OTHERWISE[wanted.id]!(tag, symbol, lines[tag.line - 1]!),
        )
      )
        result.otherwise++;
      else result.misses.push(tag);
    }
  }
  parser.close();
  folders.remove();
  return result;
}

function isObjectLiteral(tag: Tag, line: string): boolean {
  return language?.id === 'javascript' && tag.kind === 'class' && !/\b(?:class|function)\b/.test(line);
}

function report({ name }: LanguageDescriptor, { files, byKind, otherwise, misses }: Comparison): void {
  let total = 0;
  let found = 0;
  for (const [kind, count] of [...byKind].sort((a, b) => b[1].total - a[1].total)) {
    total += count.total;
    found += count.found;
    console.log(
      `  ${kind.padEnd(16)} ${String(count.found).padStart(7)} of ${String(count.total).padStart(7)}  ${percent(count.found, count.total)}`,
    );
  }
  const purpose =
    otherwise > 0 ? `; ${percent(found + otherwise, total)} with ${otherwise} named otherwise on purpose` : '';
  console.log(`${name}: ${percent(found, total)} of ${total} definitions in ${files} files${purpose}`);
  const step = Math.max(1, Math.floor(misses.length / options.misses));
  for (let i = 0; i < misses.length; i += step)
    console.log(
      `  missed ${misses[i]!.kind} ${misses[i]!.name} at ${misses[i]!.path}:${misses[i]!.line}${misses[i]!.scope ? ` in ${misses[i]!.scope}` : ''}`,
    );
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((part / whole) * 100).toFixed(2)} %`;
}
