/** The recipe of docs/languages.md, followed for a language that we do not have: a folder, and one line. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..');

const FOLDER: Readonly<Record<string, string>> = {
  'gleam.ts': `import type { LanguageDescriptor } from '../language.ts';
import { nameRules } from '../name-rules.ts';
import { gleamImports } from './imports.ts';

export const gleam: LanguageDescriptor = {
  id: 'gleam',
  name: 'Gleam',
  aliases: [],
  extensions: ['.gleam'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  grammar: 'gleam',
  separator: '.',
  lineComment: '//',
  blockComment: null,
  doc: 'comment-before',
  commentNodes: ['statement_comment', 'comment'],
  wrapperNodes: [],
  bodyNodes: [],
  visibilityOf: (declaration) => (/^pub\\b/.test(declaration) ? 'public' : 'private'),
  names: nameRules({ family: 'gleam', declares: 'name-colon-type', importsAreModules: true }),
  imports: gleamImports,
};
`,
  'gleam.scm': `(function name: (identifier) @name) @definition.function
(function_call function: (identifier) @call)
(function_call function: (field_access record: (identifier) @call.receiver field: (label) @call))
(import module: (module) @import.source @import.alias) @import
`,
  'imports.ts': `import { found, type ImportRules } from '../runtime/imports/source-tree.ts';

/** \`import shop/cart\` is src/shop/cart.gleam. */
export const gleamImports: ImportRules = {
  over: (_tree, paths) => ({ resolve: (_file, { source }) => found(paths.endingWith(\`src/\${source}.gleam\`)) }),
};
`,
  'fixture/gleam.gleam': `import cart

/// What a customer pays.
pub fn pay(amount: Int) -> Int {
  cart.total(amount)
}
`,
};

const PROGRAM = `import { linkGrammars } from './src/languages/runtime/testing/grammar-folder.ts';
import { SymbolGraph } from './src/graph/index.ts';
import { workspace } from './test/workspace.ts';
const folders = linkGrammars();
const at = workspace({
  'src/cart.gleam': 'pub fn total(amount: Int) -> Int {\\n  amount\\n}\\n',
  'src/other.gleam': 'pub fn total(amount: Int) -> Int {\\n  amount\\n}\\n',
  'src/shop.gleam': 'import cart\\n\\npub fn pay(amount: Int) -> Int {\\n  cart.total(amount)\\n}\\n',
});
try {
  const { grammarFolder, queryFolder } = folders;
  const workerEntry = new URL('worker.mjs', import.meta.url).pathname;
  await at.anotherEngine({ grammarFolder, queryFolder, workerEntry }).index(at.root);
  const { reader, view } = await at.openTree();
  const graph = new SymbolGraph(reader, view);
  const shop = view.files.findIndex(({ path }) => path === 'src/shop.gleam');
  const edges = graph.outgoing({ file: shop, ordinal: 0 }, new Set(['call']));
  console.log(JSON.stringify(edges.map(({ confidence, candidates }) => [confidence, candidates.map(({ file }) => view.files[file].path)])));
} finally {
  await at.close();
  folders.remove();
}
`;

/** A worker process of the copied sources: the built one does not know the new language. */
const WORKER = `import { register } from 'tsx/esm/api';
register();
await import('./src/indexing/workers/worker.ts');
`;

test('a folder and a line add a language: its definitions, imports and calls are found', () => {
  const copy = mkdtempSync(join(tmpdir(), 'sextant-add-language-'));
  try {
    for (const name of [
      'src',
      'test/workspace.ts',
      'test/engine-config.ts',
      'scripts',
      'package.json',
      'tsconfig.json',
    ])
      cpSync(join(repository, name), join(copy, name), { recursive: true });
    for (const name of ['node_modules', 'models', 'dist']) symlinkSync(join(repository, name), join(copy, name), 'dir');
    const folder = join(copy, 'src/languages/gleam');
    for (const [name, text] of Object.entries(FOLDER)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    appendFileSync(join(copy, 'src/languages/all-languages.ts'), "export { gleam } from './gleam/gleam.ts';\n");
    const run = (...args: string[]) => {
      const tsx = pathToFileURL(join(repository, 'node_modules/tsx/dist/loader.mjs')).href;
      return execFileSync(process.execPath, ['--import', tsx, ...args], { cwd: copy, encoding: 'utf8' });
    };

    run('src/languages/runtime/testing/update.ts', 'gleam');
    const snapshot = JSON.parse(readFileSync(join(folder, 'fixture/gleam.snap.json'), 'utf8'));
    assert.deepEqual(
      snapshot.symbols.map((symbol: Record<string, unknown>) => [symbol.name, symbol.visibility, symbol.doc]),
      [['pay', 'public', 'What a customer pays.']],
    );

    writeFileSync(join(copy, 'worker.mjs'), WORKER);
    writeFileSync(join(copy, 'program.ts'), PROGRAM);
    assert.deepEqual(JSON.parse(run('program.ts')), [['exact', ['src/cart.gleam']]]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
