/**
 * Query expansion and answer summaries, from the configured language model or from the built-in methods. The answer
 * names its source; a language model that fails is replaced by the built-in method, with a notice.
 */
import { join } from 'node:path';
import { type LanguageModel, loadStaticModel, type WordModel } from '../../embed/index.ts';
import { expansionPrompt, readSummary, readTerms, summaryPrompt } from '../../model/records/assist-prompts.ts';
import { type EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { Expansion, Hit, SearchRequest, Synthesis } from '../../model/records/query.ts';
import { nameKey } from '../../model/text/terms.ts';
import {
  expandFromModel,
  type IndexedTree,
  loadSynonyms,
  modeOf,
  type RelatedTerm,
  type Synonyms,
  suggestedTerms,
  synonymTerms,
  type Understood,
  withForms,
} from '../../search/index.ts';
import type { EngineConfig } from '../engine-config.ts';
import { summarise } from './summarise.ts';
import type { GraphContext } from './symbol-detail.ts';

export interface Widened {
  readonly understood: Understood;
  readonly related: readonly RelatedTerm[];
  /** The text to embed: the query and the terms that a language model added. */
  readonly text: string;
  readonly expansion?: Expansion;
  /**
   * Why the language model failed. It is not called again for the same answer, because the caller has waited already.
   */
  readonly failure?: EngineError;
}

export class Assistance {
  readonly #languageModel: LanguageModel | null;
  readonly #modelFolder: string;
  readonly #synonyms: Synonyms;
  #words: WordModel | null = null;

  constructor({ languageModel, modelFolder }: Pick<EngineConfig, 'languageModel' | 'modelFolder'>) {
    this.#languageModel = languageModel ?? null;
    this.#modelFolder = modelFolder;
    this.#synonyms = loadSynonyms(join(modelFolder, 'synonyms.tsv'));
  }

  get languageModel(): string | null {
    return this.#languageModel?.id ?? null;
  }

  /** Adds related terms to the query. A single name is not expanded unless the request asks for it. */
  async widen(
    request: SearchRequest,
    question: Understood,
    vocabulary: IndexedTree,
    notices: string[],
  ): Promise<Widened> {
    const text = question.gist ?? question.text;
    const isInWords = question.intent === 'natural_language' && modeOf(request) !== 'vector';
    const understood = isInWords ? withForms(question, vocabulary) : question;
    const synonyms = isInWords ? synonymTerms(understood, this.#synonyms, vocabulary) : [];
    const plain = { understood, related: synonyms, text };
    if (!request.expandQuery && !request.expansion) return plain;
    const modelTerms = request.expansion ? null : await this.#askForTerms(text, request.signal, notices);
    const chosenExpansion = request.expansion ?? modelTerms?.expansion;
    if (chosenExpansion) {
      const compounds = [...new Set([...understood.compounds, ...chosenExpansion.terms.map((term) => nameKey(term))])];
      return {
        understood: { ...understood, compounds },
        related: merge(synonyms, suggestedTerms(chosenExpansion.terms, understood)),
        text: [text, ...chosenExpansion.terms].join(' '),
        expansion: chosenExpansion,
      };
    }
    this.#words ??= loadStaticModel(this.#modelFolder);
    const found = expandFromModel(understood, this.#synonyms, this.#words, vocabulary);
    const terms = found.map(({ shown }) => shown);
    return {
      ...plain,
      related: merge(synonyms, found),
      expansion: { source: 'builtin', terms: [...new Set(terms)] },
      ...(modelTerms?.failure && { failure: modelTerms.failure }),
    };
  }

  async synthesize(
    request: SearchRequest,
    hits: readonly Hit[],
    context: GraphContext,
    notices: string[],
    failure?: EngineError,
  ): Promise<Synthesis> {
    const model = this.#languageModel;
    const { answer: modelSummary } = await this.#ask('summary', notices, async () => {
      if (failure) throw failure;
      return readSummary(await model!.complete(summaryPrompt(request.query, hits), request.signal));
    });
    if (!modelSummary || !model) return { source: 'builtin', ...summarise(context, hits) };
    const followUps = modelSummary.followUps.length > 0 ? modelSummary.followUps : summarise(context, hits).followUps;
    return { source: 'llm', model: model.id, summary: modelSummary.summary, followUps };
  }

  async #askForTerms(
    query: string,
    signal: AbortSignal | undefined,
    notices: string[],
  ): Promise<Pick<Widened, 'expansion' | 'failure'>> {
    const model = this.#languageModel;
    const { answer: terms, failure } = await this.#ask('expansion', notices, async () => {
      const found = readTerms(await model!.complete(expansionPrompt(query), signal));
      return found.length > 0 ? found : null;
    });
    if (terms && model) return { expansion: { source: 'llm', model: model.id, terms } };
    return failure ? { failure } : {};
  }

  /** Calls the language model; on failure returns null and adds a notice. */
  async #ask<T>(
    what: string,
    notices: string[],
    question: () => Promise<T | null>,
  ): Promise<{ answer: T | null; failure?: EngineError }> {
    if (!this.#languageModel) return { answer: null };
    try {
      const answer = await question();
      if (answer === null) notices.push(`${this.#languageModel.id} gave no ${what}: the built-in one is used.`);
      return { answer };
    } catch (thrown) {
      const error = toEngineError(thrown);
      if (error.code === 'cancelled') throw error;
      notices.push(`${error.message} The built-in ${what} is used.`);
      return { answer: null, failure: error };
    }
  }
}

/** Merges lists of terms: each term once, with its highest weight. */
function merge(...lists: readonly (readonly RelatedTerm[])[]): RelatedTerm[] {
  const best = new Map<string, RelatedTerm>();
  for (const related of lists.flat())
    if (related.weight > (best.get(related.term)?.weight ?? 0)) best.set(related.term, related);
  return [...best.values()];
}
