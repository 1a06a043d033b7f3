/** The metadata block of every answer and error: index state, freshness and completeness. */
import type { ProjectStatus } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { CallContext } from '../contract.ts';
import { workspaceFolder } from '../kit/project-path.ts';

export type Completeness = 'complete' | 'partial' | 'truncated';

export interface Workspace {
  readonly path: string;
  readonly status: ProjectStatus;
}

/**
 * The project of this server and its state. The server fixes the project at start; no parameter changes it. Throws
 * project_not_found before `sextant init`.
 */
export async function openWorkspace(ctx: CallContext, ref: string | undefined): Promise<Workspace> {
  const path = await workspaceFolder(ctx);
  const status = await ctx.engine.status(path, ref);
  if (!status.project.registered) throw new EngineError('project_not_found', { path: status.project.root });
  return { path, status };
}

/** The state after the answer: a question may have waited for the first index and thereby created it. */
export async function stateAfter({ path, status }: Workspace, ctx: CallContext, ref?: string): Promise<ProjectStatus> {
  return status.lastIndexedAtMs === null ? ctx.engine.status(path, ref) : status;
}

export function metadataOf(status: ProjectStatus | null, completeness: Completeness, ref?: string) {
  return {
    codecompass_protocol_version: '1.0',
    freshness_status: status?.freshness ?? 'stale',
    indexing_status: status?.indexing ?? 'not_indexed',
    result_completeness: completeness,
    ref: status?.ref ?? ref ?? 'live',
    schema_status: status?.schema ?? 'not_indexed',
  } as const;
}
