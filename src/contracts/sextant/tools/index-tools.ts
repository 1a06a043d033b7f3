/** index_codebase and get_status. */
import type { IndexReport, WorkspaceMember } from '../../../engine/engine.ts';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { parseScope } from '../../../model/records/scope.ts';
import type { CallContext, Tool } from '../../contract.ts';
import { reportIndexProgress } from '../../kit/index-progress.ts';
import { presentStatus } from '../present-answers.ts';
import { indexRef } from '../sextant-errors.ts';
import * as output from '../sextant-outputs.ts';
import * as schema from '../sextant-schemas.ts';
import { project, READS, sextantTool, WRITES } from './tool-kit.ts';

/** File errors that an answer lists. */
const MAX_PROBLEMS = 20;

/** Calls `indexed` when a run has published an index. */
export function indexCodebase(indexed: () => void): Tool {
  return sextantTool({
    name: 'index_codebase',
    title: 'Index',
    description:
      'Index a project, or bring its index up to date. Call it when an answer says not_indexed, or ' +
      'not_yet_indexed names a file that matters; not before every question. Gives counts and problems.',
    input: schema.INDEX_CODEBASE,
    output: output.INDEXED,
    annotations: WRITES,
    taskSupport: 'optional',
    async handle(args, ctx) {
      const place = await project(args.path, ctx);
      const options = {
        // An indexed project also answers for the folders inside it.
        enclosing: true,
        ...(args.force && { force: true }),
        ...(args.ref && { ref: args.ref }),
        ...(args.include_tests !== undefined && { includeTests: args.include_tests }),
        ...(args.include_vendor && { includeVendor: true }),
        onProgress: reportIndexProgress(ctx),
        signal: ctx.signal,
      };
      if (!parseScope(place)) {
        const report = await ctx.engine.index(place, options);
        indexed();
        return { structured: presentReport(report) };
      }
      const repositories = await eachMember(ctx, place, async ({ root }) =>
        presentReport(await ctx.engine.index(root, options)),
      );
      indexed();
      return { structured: { repositories } };
    },
  });
}

function presentReport(report: IndexReport) {
  return {
    root: report.project.root,
    ref: report.ref,
    mode: report.mode,
    files: report.filesTotal,
    read: report.filesIndexed,
    unchanged: report.filesUnchanged,
    removed: report.filesRemoved,
    skipped: report.filesSkipped,
    failed: report.filesFailed,
    symbols: report.symbolCount,
    chunks: report.chunkCount,
    seconds: Number((report.durationMs / 1000).toFixed(2)),
    ...(report.problems.length > 0 && { problems: report.problems.slice(0, MAX_PROBLEMS) }),
    ...(report.problems.length > MAX_PROBLEMS && { more_problems: report.problems.length - MAX_PROBLEMS }),
    ...(report.vectorError && { notices: [`${report.vectorError.message} ${report.vectorError.fix}`] }),
  };
}

/** Indexes one repository after another; each has its report or its error. */
async function eachMember(
  ctx: CallContext,
  scope: string,
  ask: (member: WorkspaceMember) => Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>>[]> {
  const answers: Readonly<Record<string, unknown>>[] = [];
  for (const member of await ctx.engine.members(scope)) {
    try {
      answers.push({ name: member.name, ...(await ask(member)) });
    } catch (error) {
      if (!(error instanceof EngineError) || ctx.signal.aborted) throw error;
      answers.push({ name: member.name, root: member.root, error: { code: error.code, message: error.message } });
    }
  }
  return answers;
}

/** The state of a project, or of each repository of a workspace. */
export async function statusOf(
  ctx: CallContext,
  place: string,
  ref?: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (!parseScope(place)) return presentStatus(await ctx.engine.status(place, ref));
  const states = async ({ root }: WorkspaceMember) => presentStatus(await ctx.engine.status(root, ref));
  return { repositories: await eachMember(ctx, place, states) };
}

/**
 * `ignoredFile`: the project's invalid configuration. The answer does not quote what is wrong with it, because that may
 * be the repository's text; `doctor` shows it to people.
 */
export function getStatus(ignoredFile: string | null): Tool {
  const notice = `${ignoredFile} is not valid and is ignored; the user can run \`sextant doctor\` to see why.`;
  return sextantTool({
    name: 'get_status',
    title: 'Status',
    description:
      'Tell what is indexed and how fresh it is. Not needed before a search. Gives counts, refs, and files newer ' +
      'than the index.',
    input: schema.GET_STATUS,
    output: output.STATUS,
    annotations: READS,
    async handle(args, ctx) {
      const status = await statusOf(ctx, await project(args.path, ctx), args.ref);
      return {
        structured: {
          ...status,
          ...(args.ref && status.hint !== undefined && { hint: indexRef(args.ref) }),
          ...(ignoredFile !== null && { configuration: notice }),
        },
      };
    },
  });
}
