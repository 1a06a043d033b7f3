/** Our reading of the parser's memory against web-tree-sitter's own: an upgrade that changes the layout fails here. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Node, Parser } from 'web-tree-sitter';
import { createParser } from '../parse-source.ts';
import { allMatches } from '../testing/all-matches.ts';
import { linkGrammars } from '../testing/grammar-folder.ts';
import { listFixtures } from '../testing/snapshots.ts';
import { loadGrammar } from './grammar.ts';
import { type SyntaxNode, SyntaxTree } from './syntax-node.ts';

const folders = linkGrammars();
/** With the queries that the build compiled. */
const dist = fileURLToPath(new URL('../../../../dist', import.meta.url));
const built = { grammarFolder: join(dist, 'grammars'), queryFolder: join(dist, 'queries') };
after(() => folders.remove());

const withGrammar = listFixtures().filter(({ language }) => language.grammar);

for (const id of new Set(withGrammar.map(({ language }) => language.id))) {
  test(`${id}: matches and nodes are those of the package`, async () => {
    const { language: descriptor, text } = listFixtures().find((fixture) => fixture.language.id === id)!;
    const grammar = await loadGrammar(descriptor, folders);
    const parser = new Parser();
    parser.setLanguage(grammar.language);
    const tree = parser.parse(text)!;
    const syntax = new SyntaxTree(grammar.runtime, grammar.buffer, tree, grammar.language);
    const ours = allMatches(grammar, syntax, syntax.wrap(tree.rootNode), text);
    const theirs = grammar.query.matches(tree.rootNode);
    assert.equal(ours.stoppedAt, -1);
    assert.deepEqual(
      ours.matches.map(({ pattern, captures, nodes }) => ({
        pattern,
        captures: nodes.map((node, i) => [grammar.query.captureNames[captures[i]!], placeOfOurs(node)]),
      })),
      theirs.map(({ patternIndex, captures }) => ({
        pattern: patternIndex,
        captures: captures.map(({ name, node }) => [name, placeOfTheirs(node)]),
      })),
    );
    ours.matches.forEach(({ nodes }, i) => {
      compareRelatives(nodes[0]!, theirs[i]!.captures[0]!.node);
    });
    tree.delete();
    parser.delete();
  });
}

function compareRelatives(ours: SyntaxNode, theirs: Node): void {
  assert.equal(ours.endRow, theirs.endPosition.row);
  assert.deepEqual([ours.hasError, ours.isError, ours.isMissing], [theirs.hasError, theirs.isError, theirs.isMissing]);
  assert.deepEqual(
    ours.children.map(placeOfOurs),
    theirs.children.map((child) => placeOfTheirs(child!)),
  );
  assert.deepEqual(ours.parent && placeOfOurs(ours.parent), theirs.parent && placeOfTheirs(theirs.parent));
  const body = theirs.childForFieldName('body');
  assert.deepEqual(ours.body && placeOfOurs(ours.body), body && placeOfTheirs(body));
  assert.deepEqual(
    ours.namedChildren.map(placeOfOurs),
    theirs.namedChildren.map((child) => placeOfTheirs(child!)),
  );
}

function placeOfOurs(node: SyntaxNode): unknown[] {
  return [node.id, node.type, node.startIndex, node.endIndex, node.row, node.column];
}

function placeOfTheirs(node: Node): unknown[] {
  return [node.id, node.type, node.startIndex, node.endIndex, node.startPosition.row, node.startPosition.column];
}

for (const { language: descriptor, text } of withGrammar) {
  test(`${descriptor.id}: the package's own nodes give the same file as the parser's memory`, async () => {
    const parser = createParser(built);
    await parser.load(descriptor, text);
    assert.equal(parser.readsSlowly(descriptor), false, 'the self-check failed');
    const fast = parser.parse({ language: descriptor, text });
    parser.close();
    const slowly = createParser(built, { readMemory: false });
    await slowly.load(descriptor, text);
    assert.deepEqual(slowly.parse({ language: descriptor, text }), fast);
    slowly.close();
  });
}
