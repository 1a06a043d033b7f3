/**
 * Checks that this process reads the parser's memory and a saved query as the package itself would. It runs once for
 * each grammar on loading, on the sample that the build saved with the query. Where it fails, the package's own way is
 * used.
 */
import { Parser, type Tree } from 'web-tree-sitter';
import { checksum } from '../../../model/runtime/checksum.ts';
import { runQuery } from '../extract/match.ts';
import type { Grammar } from './grammar.ts';
import { SyntaxTree } from './syntax-node.ts';

/** The sample for a grammar without a saved one. */
const ANY_TEXT = 'x = f(y, 1)\n';

/** A checksum of all matches in the sample, as the package reads them. */
export function packageSum({ query, language }: Pick<Grammar, 'query' | 'language'>, sample: string): number {
  return withTree(language, sample, (tree) =>
    sumOf(
      query
        .matches(tree.rootNode)
        .map(({ patternIndex, captures }) => [
          patternIndex,
          captures.map(({ name, node }) => [name, node.type, node.startIndex, node.endIndex, node.startPosition.row]),
        ]),
    ),
  );
}

/** Our reading of the parser's memory finds the same matches; false also where it throws. */
export function readsMemory(grammar: Grammar, sample = ANY_TEXT): boolean {
  try {
    return memorySum(grammar, sample) === packageSum(grammar, sample);
  } catch {
    return false;
  }
}

function memorySum(grammar: Grammar, sample: string): number {
  return withTree(grammar.language, sample, (tree) => {
    const syntax = new SyntaxTree(grammar.runtime, grammar.buffer, tree, grammar.language);
    const matches: unknown[] = [];
    let captures: unknown[] = [];
    runQuery(grammar, syntax, syntax.wrap(tree.rootNode), sample, Number.POSITIVE_INFINITY, {
      capture(index, at) {
        const node = syntax.read(at)!;
        captures.push([grammar.query.captureNames[index], node.type, node.startIndex, node.endIndex, node.row]);
      },
      end(pattern) {
        matches.push([pattern, captures]);
        captures = [];
      },
    });
    return sumOf(matches);
  });
}

function withTree<T>(language: Grammar['language'], sample: string, use: (tree: Tree) => T): T {
  const parser = new Parser();
  parser.setLanguage(language);
  const tree = parser.parse(sample)!;
  try {
    return use(tree);
  } finally {
    tree.delete();
    parser.delete();
  }
}

function sumOf(matches: unknown): number {
  return checksum(Buffer.from(JSON.stringify(matches)));
}
