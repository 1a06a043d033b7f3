/**
 * Searches exact text across repositories: fetches the files that have all words of the pattern, writes them to a
 * temporary folder and runs ripgrep there. Matches are exact; a pattern without a whole word is rejected with the
 * reason.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { GrepAnswer, GrepRequest } from '../../model/records/query.ts';
import { forEachIdentifier, identifierTerms } from '../../model/text/terms.ts';
import { contentTree } from '../../store/index.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { placeOf } from '../serving/hydrate.ts';
import type { CandidateFiles } from './candidate-files.ts';
import { type CandidateSearch, filterQueries, type Query } from './candidate-queries.ts';
import { repositorySet } from './repository-set.ts';
import { describeSnapshots } from './tell-snapshots.ts';

/** Maximum files that are fetched and searched. */
const MAX_FETCHED_FILES = 400;
const CHUNKS = 1_000;

export async function grepAcross(
  candidates: CandidateFiles,
  folder: string,
  repositories: readonly RepositoryRecord[],
  request: GrepRequest,
): Promise<GrepAnswer> {
  const paths = request.filePattern ? { paths: [request.filePattern] } : {};
  const filter = filterQueries(repositorySet(repositories), paths);
  const searches = wordsOf(request).map((words) => searchFor(words, filter));
  const { files, heads, left } = await candidates.find(searches, repositories, MAX_FETCHED_FILES);
  const root = realpathSync(mkdtempSync(join(folder, 'grep-')));
  try {
    const { reader, view } = contentTree(files, { root, modelId: '', dims: 1, publishedAtMs: 0 });
    view.files.forEach(({ path }, i) => {
      const file = placeOf(root, path);
      if (file === null) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, reader.text(view.contentOf[i]!));
    });
    const { grepFiles } = await import('../../search/grep/grep.ts');
    // The texts are redacted already, since they were derived.
    const answer = await grepFiles(root, request, { inGit: false, redact: true, tokenFiles: [] });
    return { ...answer, truncated: answer.truncated || left > 0, ...describeSnapshots(heads) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function searchFor(words: readonly string[], filter: readonly Query[]): CandidateSearch {
  const must = words.map((term) => ({
    bool: { should: ['body', 'names', 'docs'].map((field) => ({ term: { [field]: term } })) },
  }));
  return { query: { bool: { filter: [...filter, { term: { kind: 'chunk' } }, ...must] } }, size: CHUNKS };
}

/**
 * Returns the words that a match must have, for each alternative of the pattern. They must be whole words or parts of
 * compound names: text that ends inside a word can be found in a single repository only. Throws invalid_input for an
 * alternative without a word.
 */
function wordsOf({ pattern, literal }: Pick<GrepRequest, 'pattern' | 'literal'>): string[][] {
  const alternatives = literal ? [pattern] : pattern.split('|').map(withoutSyntax);
  return alternatives.map((alternative) => {
    const words = new Set<string>();
    forEachIdentifier(alternative, (identifier) => {
      for (const part of identifierTerms(identifier).parts) words.add(part);
    });
    if (words.size > 0) return [...words];
    const what = `Across repositories a pattern needs a whole word, and ${JSON.stringify(pattern)} has none.`;
    const fix = 'Pass the name of a repository as path to search that one for any pattern.';
    throw new EngineError('invalid_input', { reason: `${what} ${fix}` });
  });
}

/** The literal parts of a regular expression, with spaces in place of everything else. */
function withoutSyntax(pattern: string): string {
  return pattern
    .replace(/\\[A-Za-z<>]|\[[^\]]*\]/g, ' ')
    .replace(/\([^()]*\)[*?]/g, ' ')
    .replace(/\w+(?=[*?{])/g, ' ')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/[()^$+*?]/g, ' ');
}
