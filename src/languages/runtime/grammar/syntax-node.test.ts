/** Our reading of the parser's memory against web-tree-sitter's own: an upgrade that changes the layout fails here. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Node, Parser } from 'web-tree-sitter';
import { allMatches } from '../testing/all-matches.ts';
import { linkGrammars } from '../testing/grammar-folder.ts';
import { listFixtures } from '../testing/snapshots.ts';
import { loadGrammar } from './grammar.ts';
import { type SyntaxNode, SyntaxTree } from './syntax-node.ts';

const folders = linkGrammars();
after(() => folders.remove());

for (const id of ['go', 'rust', 'python', 'javascript', 'tsx']) {
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
