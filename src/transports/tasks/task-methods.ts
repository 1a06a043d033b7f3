/** The tasks/* methods in both protocol forms, over one TaskStore. */
import {
  MissingRequiredClientCapabilityError,
  RELATED_TASK_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RpcError } from '../../contracts/index.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { declaresTasks, disguiseCode, type Era, runsTasks, TASKS_EXTENSION } from '../protocol/capabilities.ts';
import { questionToWire } from '../protocol/client-questions.ts';
import type { TaskRecord, TaskStatus } from './task-list.ts';

const byId = { params: z.looseObject({ taskId: z.string() }) };

export function registerTaskMethods(server: Server, host: ProfileHost, era: Era): void {
  if (!runsTasks(host.profile)) return;
  if (era === 'modern') registerExtension(server, host);
  else registerSlot(server, host);
}

/** Registers the methods of 2025-11-25. */
function registerSlot(server: Server, host: ProfileHost): void {
  const find = (taskId: string, sdk: ServerContext) => host.tasks.get(taskId, sdk.sessionId ?? host.session);
  server.setRequestHandler('tasks/get', byId, ({ taskId }, sdk) => taskToWire(find(taskId, sdk)));
  server.setRequestHandler(
    'tasks/list',
    { params: z.looseObject({ cursor: z.string().optional() }).optional() },
    (params, sdk) => {
      const page = host.tasks.list(sdk.sessionId ?? host.session, params?.cursor);
      return { ...page, tasks: page.tasks.map(taskToWire) };
    },
  );
  server.setRequestHandler('tasks/cancel', byId, ({ taskId }, sdk) => {
    const task = find(taskId, sdk);
    if (task.isTerminal)
      throw new RpcError(-32602, `Cannot cancel task: it is already ${slotStatus(task)}.`, {
        taskId,
        status: slotStatus(task),
      });
    host.tasks.cancel(task);
    return taskToWire(task);
  });
  server.setRequestHandler('tasks/result', byId, async ({ taskId }, sdk) => {
    const task = find(taskId, sdk);
    await task.ended(sdk.mcpReq.signal);
    if (task.outcome?.kind === 'result')
      return { ...task.outcome.result, _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
    if (task.outcome) throw disguiseCode(new RpcError(task.outcome.code, task.outcome.message, task.outcome.data));
    throw new RpcError(-32603, 'The task was cancelled.', { taskId });
  });
}

/** Registers the methods of the 2026-07-28 extension. */
function registerExtension(server: Server, host: ProfileHost): void {
  const find = (taskId: string, sdk: ServerContext) => {
    if (!declaresTasks(sdk))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    return host.tasks.get(taskId, null);
  };
  server.setRequestHandler('tasks/get', byId, ({ taskId }, sdk) => taskToDetailed(find(taskId, sdk)));
  server.setRequestHandler('tasks/cancel', byId, ({ taskId }, sdk) => {
    host.tasks.cancel(find(taskId, sdk));
    return { resultType: 'complete' };
  });
  server.setRequestHandler('tasks/update', byId, (params, sdk) => {
    const task = find(params.taskId, sdk);
    const responses = sdk.mcpReq.inputResponses ?? params.inputResponses;
    if (isRecord(responses)) task.answer(responses);
    return { resultType: 'complete' };
  });
}

/** The 2025 form reports a tool's own error as a failed task; the extension reserves `failed` for protocol errors. */
function slotStatus(task: TaskRecord): TaskStatus {
  return task.status === 'completed' && task.outcome?.kind === 'result' && task.outcome.result.isError
    ? 'failed'
    : task.status;
}

export function taskToWire(task: TaskRecord): Record<string, unknown> {
  return {
    taskId: task.taskId,
    status: slotStatus(task),
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: new Date(task.createdAtMs).toISOString(),
    lastUpdatedAt: new Date(task.updatedAtMs).toISOString(),
    ttl: task.ttlMs,
    pollInterval: task.pollIntervalMs,
  };
}

function taskBase(task: TaskRecord): Record<string, unknown> {
  return {
    taskId: task.taskId,
    status: task.status,
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: new Date(task.createdAtMs).toISOString(),
    lastUpdatedAt: new Date(task.updatedAtMs).toISOString(),
    ttlMs: task.ttlMs,
    pollIntervalMs: task.pollIntervalMs,
  };
}

export function taskToCreated(task: TaskRecord): Record<string, unknown> {
  return { resultType: 'task', ...taskBase(task) };
}

function taskToDetailed(task: TaskRecord): Record<string, unknown> {
  return { resultType: 'complete', ...taskToStatus(task) };
}

/** The task with the fields of its status: questions, result or error. */
export function taskToStatus(task: TaskRecord): Record<string, unknown> {
  const { outcome } = task;
  return {
    ...taskBase(task),
    ...(task.status === 'input_required' && {
      inputRequests: Object.fromEntries(
        [...task.questions].map(([key, { question }]) => [key, questionToWire(question)]),
      ),
    }),
    ...(outcome?.kind === 'result' && { result: { resultType: 'complete', ...outcome.result } }),
    ...(outcome?.kind === 'error' && {
      error: {
        code: outcome.code,
        message: outcome.message,
        ...(outcome.data !== undefined && { data: outcome.data }),
      },
    }),
  };
}
