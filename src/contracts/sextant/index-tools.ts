/** The index itself: made, and looked at. */
import type { Tool } from '../contract.ts';
import { reportIndexProgress } from '../kit/index-progress.ts';
import { presentStatus } from './present-answers.ts';
import { indexRef } from './sextant-errors.ts';
import * as output from './sextant-outputs.ts';
import * as schema from './sextant-schemas.ts';
import { project, READS, sextantTool, WRITES } from './tool-kit.ts';

/** Faults of single files that an answer names. */
const MAX_PROBLEMS = 20;

/** `indexed` is told when an index has been published. */
export function indexCodebase(indexed: () => void): Tool {
  return sextantTool({
    name: 'index_codebase',
    title: 'Index',
    description:
      'Index a project, or bring its index up to date. Call it when an answer says not_indexed, or not_yet_indexed names a file that matters; not before every question. Gives counts and problems.',
    input: schema.INDEX_CODEBASE,
    output: output.INDEXED,
    annotations: WRITES,
    taskSupport: 'optional',
    async handle(args, ctx) {
      const report = await ctx.engine.index(await project(args.path, ctx), {
        // Where the project has an index, the folders inside it need none of their own.
        enclosing: true,
        ...(args.force && { force: true }),
        ...(args.ref && { ref: args.ref }),
        ...(args.include_tests !== undefined && { includeTests: args.include_tests }),
        ...(args.include_vendor && { includeVendor: true }),
        onProgress: reportIndexProgress(ctx),
        signal: ctx.signal,
      });
      indexed();
      return {
        structured: {
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
        },
      };
    },
  });
}

/**
 * `ignoredFile`: the project's configuration, where it is not valid. What is wrong with it may be a repository's words:
 * doctor tells people.
 */
export function getStatus(ignoredFile: string | null): Tool {
  const notice = `${ignoredFile} is not valid and is ignored; the user can run \`sextant doctor\` to see why.`;
  return sextantTool({
    name: 'get_status',
    title: 'Status',
    description:
      'Tell what is indexed and how fresh it is. Not needed before a search. Gives counts, refs, and files newer than the index.',
    input: schema.GET_STATUS,
    output: output.STATUS,
    annotations: READS,
    async handle(args, ctx) {
      const status = presentStatus(await ctx.engine.status(await project(args.path, ctx), args.ref));
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
