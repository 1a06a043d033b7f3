/** The repositories that each judge judges. Labelled languages name theirs in labels/. */
export interface JudgedLanguage {
  readonly language: string;
  readonly title: string;
  readonly judge: string;
  /** `owner/name` as on GitHub. */
  readonly repositories: readonly string[];
  readonly endings: RegExp;
  /** Compiler flags that a judge cannot find out itself; include folders are relative to the root, after `-I=.`. */
  readonly flags?: Readonly<Record<string, readonly string[]>>;
}

export const JUDGED: readonly JudgedLanguage[] = [
  {
    language: 'go',
    title: 'Go',
    judge: 'go',
    repositories: ['spf13/cobra', 'caddyserver/caddy'],
    endings: /\.go$/,
  },
  {
    language: 'typescript',
    title: 'TypeScript',
    judge: 'typescript',
    repositories: ['reduxjs/redux', 'vitest-dev/vitest', 'honojs/hono'],
    endings: /\.[mc]?tsx?$/,
  },
  {
    language: 'javascript',
    title: 'JavaScript',
    judge: 'typescript',
    repositories: ['axios/axios', 'expressjs/express'],
    endings: /\.[mc]?jsx?$/,
  },
  {
    language: 'python',
    title: 'Python',
    judge: 'python',
    repositories: ['encode/httpx', 'encode/starlette', 'pallets/click'],
    endings: /\.py$/,
  },
  {
    language: 'java',
    title: 'Java',
    judge: 'java',
    repositories: ['google/gson', 'square/javapoet'],
    endings: /\.java$/,
  },
  { language: 'rust', title: 'Rust', judge: 'rust', repositories: ['BurntSushi/ripgrep'], endings: /\.rs$/ },
  {
    language: 'c',
    title: 'C',
    judge: 'clang',
    repositories: ['libuv/libuv'],
    endings: /\.[ch]$/,
    flags: { 'libuv/libuv': ['-I=./include', '-I=./src', '-I=./src/unix', '-I=./test', '-D_GNU_SOURCE'] },
  },
  {
    language: 'cpp',
    title: 'C++',
    judge: 'clang',
    repositories: ['google/leveldb'],
    endings: /\.(?:cc|cpp|h|hpp)$/,
    flags: { 'google/leveldb': ['-x', 'c++', '-std=c++17', '-I=.', '-I=./include', '-DLEVELDB_PLATFORM_POSIX=1'] },
  },
];

/** Repositories whose implementers are judged. */
export const IMPLEMENTERS: readonly Omit<JudgedLanguage, 'endings'>[] = [
  { language: 'go', title: 'Go', judge: 'go', repositories: ['gin-gonic/gin', 'spf13/cobra', 'caddyserver/caddy'] },
  {
    language: 'typescript',
    title: 'TypeScript',
    judge: 'typescript',
    repositories: ['honojs/hono', 'reduxjs/redux', 'vuejs/core'],
  },
  { language: 'java', title: 'Java', judge: 'java', repositories: ['google/gson', 'square/javapoet'] },
  {
    language: 'rust',
    title: 'Rust',
    judge: 'rust',
    repositories: ['BurntSushi/ripgrep', 'clap-rs/clap', 'tokio-rs/tokio'],
  },
  { language: 'swift', title: 'Swift', judge: 'labels', repositories: ['Alamofire/Alamofire', 'vapor/vapor'] },
];

/** Titles of the languages that are labelled by hand. */
export const TITLES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  csharp: 'C#',
  dart: 'Dart',
  elixir: 'Elixir',
  haskell: 'Haskell',
  kotlin: 'Kotlin',
  lua: 'Lua',
  php: 'PHP',
  ruby: 'Ruby',
  scala: 'Scala',
  scss: 'SCSS',
  svelte: 'Svelte',
  swift: 'Swift',
  vue: 'Vue',
  zig: 'Zig',
};
