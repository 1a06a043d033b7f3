/** context_search and remember. */
import type { ContextResult, Evidence } from '../../../model/records/discovery.ts';
import type { CallContext } from '../../contract.ts';
import { type LinkedPlace, linkFiles, linkRoots } from '../../kit/file-links.ts';
import { placeIn } from '../../kit/project-path.ts';
import { fitParts, listPart } from '../../kit/token-budget.ts';
import { shownContent } from '../../kit/untrusted-text.ts';
import { evidenceText } from '../present-answers.ts';
import * as output from '../sextant-outputs.ts';
import * as schema from '../sextant-schemas.ts';
import {
  omission,
  project,
  READS,
  SHORT_TOKENS,
  sextantTool,
  shortenContent,
  snapshotPart,
  WRITES,
} from './tool-kit.ts';

/** Discoveries listed if the caller sets no limit. */
const RECALLED = 5;
const COMMITS = 10;

export const contextSearch = sextantTool({
  name: 'context_search',
  title: 'Recall',
  description:
    'Find why code is as it is: decisions, rules, patterns, issues. Ask before you change what looks odd. Not for ' +
    'code (search_code). Gives entries with evidence.',
  input: schema.CONTEXT_SEARCH,
  output: output.RECALLED,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    if (args.history) return commitsOf(path, args, ctx);
    const answer = await ctx.engine.contextSearch(path, {
      query: args.query,
      type: args.type,
      limit: args.limit ?? RECALLED,
      ...(args.module && { module: args.module }),
      signal: ctx.signal,
    });
    const items = answer.results.map(({ dateMs, evidence, supersededBy, session, ...rest }) => ({
      ...rest,
      ...shownContent(rest.content, evidence[0]?.path),
      ...(session && { session }),
      date: new Date(dateMs).toISOString(),
      ...(supersededBy && { superseded_by: supersededBy }),
      ...(evidence.length > 0 && { evidence: evidence.map(evidenceText) }),
    }));
    const results = listPart({
      items,
      shorten: shortenContent,
      show: (shown, missing) => ({ results: shown, ...omission(missing) }),
    });
    const where = args.module ? ` in module ${args.module}` : '';
    const frame = {
      ...(items.length === 0 && { message: `Nothing is known about this${where}.` }),
      total: answer.totalFound,
      search_ms: Math.round(answer.durationMs),
      ...(answer.notices.length > 0 && { notices: answer.notices }),
    };
    return {
      structured: fitParts(args.max_tokens ?? SHORT_TOKENS, frame, [results, ...snapshotPart(answer)]),
      content: linkFiles(await linkRoots(ctx.engine, path), answer.results.flatMap(placesOf)),
    };
  },
});

/** The commits that changed a symbol or lines, or whose messages match. */
async function commitsOf(
  path: string,
  args: { readonly query: string; readonly limit?: number; readonly max_tokens?: number },
  ctx: CallContext,
) {
  const { subject, commits, notices } = await ctx.engine.commits(path, {
    query: args.query,
    limit: args.limit ?? COMMITS,
    signal: ctx.signal,
  });
  const items = commits.map(({ id, dateMs, subject: title, body, found, repository }) => ({
    id: id.slice(0, 12),
    type: found,
    ...(repository !== undefined && { module: repository }),
    date: new Date(dateMs).toISOString(),
    ...shownContent(body === '' ? title : `${title}\n${body.trim()}`, undefined),
  }));
  const frame = {
    message: items.length === 0 ? `No commit is known for ${subject}.` : `Commits of ${subject}.`,
    total: items.length,
    ...(notices.length > 0 && { notices }),
  };
  const part = listPart({
    items,
    shorten: shortenContent,
    show: (shown, missing) => ({ results: shown, ...omission(missing) }),
  });
  return { structured: fitParts(args.max_tokens ?? SHORT_TOKENS, frame, [part]) };
}

export const remember = sextantTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Record what the next reader should know and the code does not say. Not for progress notes or secrets. Gives ' +
    'its id and what it contradicts.',
  input: schema.REMEMBER,
  output: output.REMEMBERED,
  annotations: WRITES,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const places = await Promise.all((args.evidence ?? []).map((place) => placeIn(path, place, ctx)));
    const { discovery, outcome } = await ctx.engine.remember(path, {
      type: args.type,
      content: args.content,
      ...(args.module && { module: args.module }),
      ...(places.length > 0 && { evidence: places.map(parseEvidence) }),
      session: ctx.session,
      origin: 'agent',
    });
    return {
      structured: {
        id: discovery.id,
        outcome,
        module: discovery.module,
        ...(discovery.contradicts.length > 0 && { contradicts: discovery.contradicts }),
        ...(outcome === 'updated' && discovery.formerly && { formerly: discovery.formerly }),
      },
    };
  },
});

function placesOf({ evidence, content, score }: ContextResult): LinkedPlace[] {
  const title = content.slice(0, 80);
  return evidence.flatMap(({ path, startLine, endLine }) =>
    path ? [{ path, title, score, ...(startLine !== undefined && { startLine, endLine: endLine ?? startLine }) }] : [],
  );
}

function parseEvidence(text: string): Evidence {
  const [, path, start, end] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(text)!;
  if (start === undefined) return { path: path! };
  return { path: path!, startLine: Number(start), endLine: Number(end ?? start) };
}
