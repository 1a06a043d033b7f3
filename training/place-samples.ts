/**
 * Computes the ranker's input for a question with the code that answers searches: candidate files and the definitions
 * of the best of them, with their features.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadStaticModel } from '../src/embed/index.ts';
import type { SearchMode } from '../src/model/records/query.ts';
import {
  addMentions,
  addRarity,
  addReportTexts,
  addTexts,
  addUses,
  collectDefinitions,
  definitionRows,
  findCandidates,
  loadSynonyms,
  type Ranker,
  synonymTerms,
  toQueryNames,
  understand,
  weightSetOf,
} from '../src/search/index.ts';
import { openReader } from '../src/store/index.ts';
import type { StoredDetail, StoreReader } from '../src/store/store.ts';

/** Files whose definitions are collected. */
export const FILES = 12;
/** More than a search collects, because learned weights may order files differently. */
const FILES_OF_REPORT = 16;

export interface SampledDefinition {
  /** Index of the file among the candidates. */
  readonly file: number;
  /** '' for a chunk without a symbol. */
  readonly symbol: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface PlaceSample {
  readonly repository: string;
  readonly query: string;
  readonly intent: string;
  readonly paths: readonly string[];
  readonly fileRows: Float32Array;
  readonly definitions: readonly SampledDefinition[];
  readonly definitionRows: Float32Array;
}

const models = fileURLToPath(new URL('../models', import.meta.url));
const embedder = loadStaticModel(models);
const synonyms = loadSynonyms(join(models, 'synonyms.tsv'));

export interface Tree {
  readonly storeFolder: string;
  readonly root: string;
  readonly ref: string;
}

/** Keeps readers open between questions about one store. */
export class Sampler {
  #open: { readonly folder: string; readonly reader: StoreReader } | null = null;
  readonly #ranker: Ranker;

  constructor(ranker: Ranker) {
    this.#ranker = ranker;
  }

  reader({ storeFolder }: Tree): StoreReader {
    if (this.#open?.folder !== storeFolder) {
      this.close();
      const reader = openReader({ folder: storeFolder, modelId: embedder.id, dims: embedder.dims });
      this.#open = { folder: storeFolder, reader };
    }
    return this.#open!.reader;
  }

  close(): void {
    this.#open?.reader.close();
    this.#open = null;
  }

  async sample(repository: string, tree: Tree, query: string, mode: SearchMode = 'hybrid'): Promise<PlaceSample> {
    const reader = this.reader(tree);
    const view = reader.openTree({ root: tree.root, ref: tree.ref })!;
    const understood = understand(query);
    const [vector] = await embedder.embed([understood.gist ?? understood.text], 'query');
    const related =
      understood.intent === 'natural_language' ? synonymTerms(understood, synonyms, { reader, view }) : [];
    const request = { query, mode };
    const input = {
      reader,
      view,
      moduleOf: () => '',
      request,
      understood,
      related,
      vector: mode === 'keyword' ? null : vector!,
      ranker: this.#ranker,
    };
    const found = findCandidates(input);
    const { files, rows, scores } = found;
    addMentions({ reader, view }, rows, files, [...files.keys()]);
    const fileScores = this.#ranker.score(rows, weightSetOf(understood));
    const looked = understood.report ? FILES_OF_REPORT : FILES;
    const order = [...files.keys()].sort((a, b) => fileScores[b]! - fileScores[a]! || a - b).slice(0, looked);
    const details = new Map<number, StoredDetail>();
    const detailOf = (file: number) => {
      const known = details.get(file) ?? reader.detail(view.contentOf[file]!);
      details.set(file, known);
      return known;
    };
    const top = order.map((i) => files[i]!);
    const { definitions, evidence } = collectDefinitions(input, found, top, detailOf);
    const names = toQueryNames(understood, scores.wordShares);
    const context = {
      view,
      queryNames: names,
      evidence,
      linesOf: (file: number, start: number, end: number) => reader.lines(view.contentOf[file]!, start, end),
      ...(understood.report && found.report ? { report: { evidence: understood.report, match: found.report } } : {}),
    };
    const made = definitionRows(definitions, detailOf, context);
    const hits = definitions.map((one, i) => addTexts(made, i, one, detailOf(one.file), context));
    addRarity(made, hits, context);
    addReportTexts(made, [...definitions.entries()], detailOf, context);
    const named = definitions.flatMap(({ file, symbol }, i) =>
      symbol < 0 ? [] : [[i, detailOf(file).symbol(symbol)!.name] as const],
    );
    addUses({ reader, view }, made, named);
    const indexOf = new Map(files.map((file, i) => [file, i]));
    return {
      repository,
      query,
      intent: understood.intent,
      paths: files.map((file) => view.files[file]!.path),
      fileRows: rows,
      definitionRows: made,
      definitions: definitions.map(({ file, symbol, chunk: ordinal }) => {
        const own = detailOf(file).symbol(symbol);
        const chunk = detailOf(file).chunks[ordinal]!;
        const { startLine, endLine } = own ?? chunk;
        return { file: indexOf.get(file)!, symbol: own?.qualifiedName ?? '', startLine, endLine };
      }),
    };
  }
}
