/**
 * Searches with a language model's help: query expansion and a summary of the results. The engine's configured model is
 * used first, then the client's model (sampling), then the engine's built-in methods. The answer names the one that was
 * used.
 */
import {
  type AssistPrompt,
  expansionPrompt,
  readSummary,
  readTerms,
  summaryPrompt,
} from '../../model/records/assist-prompts.ts';
import type { SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import type { CallContext } from '../contract.ts';

export async function assistedSearch(ctx: CallContext, path: string, request: SearchRequest): Promise<SearchAnswer> {
  const { expandQuery, synthesize, query } = request;
  if ((!expandQuery && !synthesize) || ctx.engine.languageModel !== null || !ctx.canAsk('sampling'))
    return ctx.engine.search(path, request);
  const notices: string[] = [];
  const text = expandQuery ? await askClient(ctx, 'sextant.expand', expansionPrompt(query)) : null;
  const terms = text === null ? [] : readTerms(text);
  if (expandQuery && terms.length === 0) notices.push(withoutAssistance('expansion'));
  const expanded: SearchRequest = terms.length > 0 ? { ...request, expansion: { source: 'client', terms } } : request;
  const answer = await ctx.engine.search(path, { ...expanded, synthesize: false });
  if (!synthesize || answer.hits.length === 0) return withNotice(answer, notices);
  // A client that declined is not asked again during the same call.
  const declined = expandQuery && text === null;
  const written = declined ? null : await askClient(ctx, 'sextant.synthesize', summaryPrompt(query, answer.hits));
  const synthesis = written === null ? null : readSummary(written);
  if (synthesis && synthesis.followUps.length > 0)
    return withNotice({ ...answer, synthesis: { source: 'client', ...synthesis } }, notices);
  if (!synthesis) notices.push(withoutAssistance('summary'));
  const builtIn = await ctx.engine.search(path, { ...expanded, synthesize: true });
  if (!synthesis) return withNotice(builtIn, notices);
  const followUps = builtIn.synthesis?.followUps ?? [];
  return withNotice({ ...answer, synthesis: { source: 'client', summary: synthesis.summary, followUps } }, notices);
}

const withoutAssistance = (what: string) => `The client's model gave no ${what}: the built-in one is used.`;

function withNotice(answer: SearchAnswer, notices: readonly string[]): SearchAnswer {
  return notices.length === 0 ? answer : { ...answer, notices: [...answer.notices, ...notices] };
}

async function askClient(ctx: CallContext, key: string, prompt: AssistPrompt): Promise<string | null> {
  const answer = await ctx.ask(key, { kind: 'sampling', ...prompt });
  return answer?.kind === 'sampling' ? answer.text : null;
}
