/** The language of a path by its extension, for colouring code if an answer does not name it. */
const BY_ENDING: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    typescript: 'ts mts cts',
    tsx: 'tsx',
    javascript: 'js mjs cjs jsx',
    python: 'py pyi',
    go: 'go',
    rust: 'rs',
    java: 'java',
    kotlin: 'kt kts',
    swift: 'swift',
    scala: 'scala sc',
    csharp: 'cs',
    php: 'php',
    ruby: 'rb rake',
    dart: 'dart',
    zig: 'zig',
    lua: 'lua',
    elixir: 'ex exs',
    haskell: 'hs',
    c: 'c h',
    cpp: 'cc cpp cxx hpp hh hxx',
    bash: 'sh bash zsh',
    sql: 'sql',
    yaml: 'yml yaml',
    toml: 'toml',
    json: 'json',
    markdown: 'md',
    rst: 'rst',
    text: 'txt',
    proto: 'proto',
    css: 'css scss',
    html: 'html htm vue svelte',
    xml: 'xml',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language])),
);

export function languageOf(path: string): string {
  return BY_ENDING[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'text';
}
