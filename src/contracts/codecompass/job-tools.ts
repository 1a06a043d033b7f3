/** Indexing as jobs: a call starts one, the server runs it in the background, index_status reports on it. */
import type { JobInfo } from '../../engine/engine.ts';
import { type CallContext, defineTool } from '../contract.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import {
  INDEX_INPUT,
  INDEX_OUTPUT,
  STATUS_INPUT,
  STATUS_OUTPUT,
  SYNC_INPUT,
  SYNC_OUTPUT,
} from './codecompass-schemas.ts';
import { metadataOf, openWorkspace } from './metadata.ts';

const STARTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const indexRepo = defineTool({
  name: 'index_repo',
  title: 'Index repository',
  description: 'Trigger full or incremental indexing of a registered project.',
  input: INDEX_INPUT,
  output: INDEX_OUTPUT,
  annotations: STARTS,
  icons: pathIcon(ICON_PATHS.index),
  async handle(args, ctx) {
    const { job, metadata } = await start(ctx, args);
    return { structured: { job_id: job.jobId, status: job.status, mode: job.mode, file_count: null, metadata } };
  },
});

export const syncRepo = defineTool({
  name: 'sync_repo',
  title: 'Sync repository',
  description: 'Trigger incremental sync based on file changes since last indexed state.',
  input: SYNC_INPUT,
  output: SYNC_OUTPUT,
  annotations: STARTS,
  icons: pathIcon(ICON_PATHS.index),
  async handle(args, ctx) {
    const { job, metadata } = await start(ctx, args);
    return { structured: { job_id: job.jobId, status: job.status, mode: job.mode, changed_files: null, metadata } };
  },
});

/** The job belongs to the server and outlives the call that started it, so the call's signal does not cancel it. */
async function start(ctx: CallContext, { force, ref }: { readonly force: boolean; readonly ref?: string }) {
  const { path } = await openWorkspace(ctx, ref);
  const job = await ctx.engine.startIndex(path, { force, keepBranch: true, ...(ref && { ref }) });
  const status = await ctx.engine.status(path, ref);
  // The job's ref, because the published tree may still be that of another branch.
  return { job, metadata: metadataOf({ ...status, ref: job.ref }, 'partial') };
}

export const indexStatus = defineTool({
  name: 'index_status',
  title: 'Index status',
  description: 'Get current indexing status and job history for a project.',
  input: STATUS_INPUT,
  output: STATUS_OUTPUT,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  icons: pathIcon(ICON_PATHS.status),
  async handle(args, ctx) {
    const { status } = await openWorkspace(ctx, args.ref);
    return {
      structured: {
        project_id: status.project.projectId,
        repo_root: status.project.root,
        index_status: status.indexing,
        schema_status: status.schema,
        current_schema_version: status.schemaVersion,
        required_schema_version: status.requiredSchemaVersion,
        last_indexed_at: status.lastIndexedAtMs === null ? null : new Date(status.lastIndexedAtMs).toISOString(),
        ref: status.ref,
        file_count: status.fileCount,
        symbol_count: status.symbolCount,
        active_job: status.activeJob && {
          ...presentJob(status.activeJob),
          progress: { done: status.activeJob.done, total: status.activeJob.total },
        },
        recent_jobs: status.recentJobs.map(presentJob),
        metadata: metadataOf(status, 'complete'),
      },
    };
  },
});

function presentJob(job: JobInfo): Record<string, unknown> {
  return {
    job_id: job.jobId,
    ref: job.ref,
    mode: job.mode,
    status: job.status,
    changed_files: job.changedFiles,
    duration_ms: job.durationMs === null ? null : Math.round(job.durationMs),
    created_at: new Date(job.createdAtMs).toISOString(),
    ...(job.error !== null && { error: job.error }),
  };
}
