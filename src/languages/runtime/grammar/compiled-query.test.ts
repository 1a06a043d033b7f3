/**
 * Saved queries against compiled ones, for every language: an upgrade of the runtime that changes its layout fails
 * here.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Parser } from 'web-tree-sitter';
import { allMatches } from '../testing/all-matches.ts';
import { linkGrammars } from '../testing/grammar-folder.ts';
import { listFixtures } from '../testing/snapshots.ts';
import { compiledName, type Grammar, loadGrammar } from './grammar.ts';
import { SyntaxTree } from './syntax-node.ts';

const linked = linkGrammars();
const queryFolder = mkdtempSync(join(tmpdir(), 'sextant-queries-'));
for (const name of readdirSync(linked.queryFolder).filter((file) => file.endsWith('.scm')))
  copyFileSync(join(linked.queryFolder, name), join(queryFolder, name));
const folders = { grammarFolder: linked.grammarFolder, queryFolder };
after(() => {
  linked.remove();
  rmSync(queryFolder, { recursive: true });
});

/** How many queries the runtime compiles meanwhile. */
async function compiling<T>(grammar: Grammar, work: () => Promise<T>): Promise<{ result: T; compiled: number }> {
  const { runtime } = grammar;
  const compile = runtime._ts_query_new;
  let compiled = 0;
  runtime._ts_query_new = (...args) => {
    compiled++;
    return compile(...args);
  };
  try {
    return { result: await work(), compiled };
  } finally {
    runtime._ts_query_new = compile;
  }
}

function matchesOf(grammar: Grammar, text: string): unknown {
  const parser = new Parser();
  parser.setLanguage(grammar.language);
  const tree = parser.parse(text)!;
  const syntax = new SyntaxTree(grammar.runtime, grammar.buffer, tree, grammar.language);
  const { matches } = allMatches(grammar, syntax, syntax.wrap(tree.rootNode), text);
  const found = matches.map(({ pattern, captures, nodes }) => [
    pattern,
    captures,
    nodes.map((node) => node.startIndex),
  ]);
  tree.delete();
  parser.delete();
  return found;
}

for (const { language, text } of listFixtures()) {
  if (!language.grammar) continue;
  test(`${language.id}: a saved query finds what a compiled one finds`, async () => {
    const fresh = await loadGrammar(language, folders);
    const file = join(queryFolder, compiledName(language));
    writeFileSync(file, fresh.compiled(text));
    const { result: loaded, compiled } = await compiling(fresh, () => loadGrammar(language, folders));
    assert.equal(compiled, 0, 'it was compiled again');
    assert.deepEqual(loaded.roles, fresh.roles);
    // Once more with something wrong in it.
    for (const source of [text, `${text.slice(0, text.length / 2)}\n)]}{[( ${text}`])
      assert.deepEqual(matchesOf(loaded, source), matchesOf(fresh, source));
    // Saved again, it is the same; released, its memory is the runtime's again.
    assert.deepEqual(loaded.compiled(text), fresh.compiled(text));
    loaded.query.delete();
  });
}

test('a saved query of another source, or a damaged one, is compiled again', async () => {
  const { language, text } = listFixtures().find((fixture) => fixture.language.id === 'lua')!;
  const fresh = await loadGrammar(language, folders);
  const file = join(queryFolder, compiledName(language));
  const bytes = Buffer.from(fresh.compiled(text));
  const compiledWith = async (change: () => void) => {
    writeFileSync(file, bytes);
    change();
    return (await compiling(fresh, () => loadGrammar(language, folders))).compiled;
  };
  assert.equal(await compiledWith(() => undefined), 0);
  assert.equal(await compiledWith(() => truncateSync(file, bytes.length - 1)), 1);
  assert.equal(await compiledWith(() => truncateSync(file, 3)), 1);
  assert.equal(await compiledWith(() => rmSync(file)), 1);
  const query = join(queryFolder, 'lua.scm');
  const source = readFileSync(query, 'utf8');
  assert.equal(await compiledWith(() => writeFileSync(query, `${source}\n(identifier) @read`)), 1);
  writeFileSync(query, source);
});

test('a saved query whose matches in its sample differ is compiled again', async () => {
  const { language, text } = listFixtures().find((fixture) => fixture.language.id === 'lua')!;
  const fresh = await loadGrammar(language, folders);
  const file = join(queryFolder, compiledName(language));
  const saved = Buffer.from(fresh.compiled(text)).toString('latin1');
  const sum = /"sampleSum":(\d+)/.exec(saved)![1]!;
  const other = `${sum.slice(0, -1)}${(Number(sum.at(-1)) + 1) % 10}`;
  writeFileSync(file, Buffer.from(saved.replace(`"sampleSum":${sum}`, `"sampleSum":${other}`), 'latin1'));
  const { result, compiled } = await compiling(fresh, () => loadGrammar(language, folders));
  assert.equal(compiled, 1);
  assert.deepEqual(matchesOf(result, text), matchesOf(fresh, text));
});
