/**
 * Help with a question and its answer: related words and a summary, from the language model that is configured, else
 * from what is built in. The answer says which it was; a model that does not answer is replaced by the built-in means,
 * with a notice.
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
} from '../../search/index.ts';
import type { EngineConfig } from '../engine-config.ts';
import { summarise } from './summarise.ts';
import type { GraphContext } from './symbol-detail.ts';

export interface Widened {
  readonly understood: Understood;
  readonly related: readonly RelatedTerm[];
  /** The text to embed: the question, with the words that a language model added. */
  readonly text: string;
  readonly expansion?: Expansion;
  /**
   * Why the language model did not help; it is not asked a second time for the same answer: the caller has waited
   * already.
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

  /**
   * The question with the words beside its own. A single name is not expanded unless the request asks for it.
   */
  async widen(
    request: SearchRequest,
    understood: Understood,
    vocabulary: IndexedTree,
    notices: string[],
  ): Promise<Widened> {
    const text = understood.gist ?? understood.text;
    const synonyms =
      understood.intent === 'natural_language' && modeOf(request) !== 'vector'
        ? synonymTerms(understood, this.#synonyms, vocabulary)
        : [];
    const plain = { understood, related: synonyms, text };
    if (!request.expandQuery && !request.expansion) return plain;
    const modelTerms = request.expansion ? null : await this.#askForTerms(text, request.signal, notices);
    const given = request.expansion ?? modelTerms?.expansion;
    if (given) {
      const compounds = [...new Set([...understood.compounds, ...given.terms.map((term) => nameKey(term))])];
      return {
        understood: { ...understood, compounds },
        related: merge(synonyms, suggestedTerms(given.terms, understood)),
        text: [text, ...given.terms].join(' '),
        expansion: given,
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
    const { answer: written } = await this.#ask('summary', notices, async () => {
      if (failure) throw failure;
      return readSummary(await model!.complete(summaryPrompt(request.query, hits), request.signal));
    });
    if (!written || !model) return { source: 'builtin', ...summarise(context, hits) };
    const followUps = written.followUps.length > 0 ? written.followUps : summarise(context, hits).followUps;
    return { source: 'llm', model: model.id, summary: written.summary, followUps };
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

  /** Null, with a notice, where the model does not help. */
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

/** Each term once, at its highest weight. */
function merge(...lists: readonly (readonly RelatedTerm[])[]): RelatedTerm[] {
  const best = new Map<string, RelatedTerm>();
  for (const related of lists.flat())
    if (related.weight > (best.get(related.term)?.weight ?? 0)) best.set(related.term, related);
  return [...best.values()];
}
