/**
 * `subscriptions/listen` of 2026-07-28 beyond what the SDK's own router knows: the status of tasks (`taskIds`, of the
 * tasks extension) and changes of resources. A listener gets each followed task's state at once, so that nothing is
 * missed between the call and the listening.
 */

import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { taskToStatus } from '../tasks/task-methods.ts';

export const LISTEN = 'subscriptions/listen';
export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';

export interface Wanted {
  readonly id: string | number;
  readonly taskIds: readonly string[];
  readonly resources: readonly string[];
  readonly tools: boolean;
}

type Notify = (method: string, params: Record<string, unknown>) => void;

/** Null for anything else than a request to listen for tasks or resources. */
export function wantedOf(message: unknown): Wanted | null {
  if (!isRecord(message) || message.method !== LISTEN || !isRecord(message.params)) return null;
  const { id, params } = message;
  if ((typeof id !== 'string' && typeof id !== 'number') || !isRecord(params.notifications)) return null;
  const { taskIds, resourceSubscriptions, toolsListChanged } = params.notifications;
  const wanted = {
    id,
    taskIds: texts(taskIds),
    resources: texts(resourceSubscriptions),
    tools: toolsListChanged === true,
  };
  return wanted.taskIds.length + wanted.resources.length > 0 ? wanted : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === 'string'))] : [];
}

export class Listening {
  /** The supported part of a subscription, for the acknowledgement. */
  readonly honored: Readonly<Record<string, unknown>>;
  readonly #stops: (() => void)[] = [];
  readonly #notify: Notify;
  readonly #wanted: Wanted;
  readonly #host: ProfileHost;

  constructor(host: ProfileHost, wanted: Wanted, notify: Notify) {
    this.#host = host;
    this.#wanted = wanted;
    this.#notify = (method, params) => notify(method, { ...params, ...stamp(wanted.id) });
    const taskIds = wanted.taskIds.filter((taskId) => host.tasks.has(taskId));
    const { resources } = host.profile;
    this.honored = {
      ...(taskIds.length > 0 && { taskIds }),
      ...(resources?.subscribe && wanted.resources.length > 0 && { resourceSubscriptions: wanted.resources }),
      ...(wanted.tools && { toolsListChanged: true }),
    };
  }

  /** After the acknowledgement. */
  start(): void {
    const { tasks, profile } = this.#host;
    for (const taskId of texts(this.honored.taskIds)) {
      const task = tasks.get(taskId, null);
      const notify = () => this.#notify('notifications/tasks', taskToStatus(task));
      this.#stops.push(task.onStatus(notify));
      notify();
    }
    for (const uri of texts(this.honored.resourceSubscriptions))
      this.#stops.push(
        profile.resources!.subscribe!(uri, () => this.#notify('notifications/resources/updated', { uri })),
      );
  }

  /** For streams of our own; the SDK's router tells it otherwise. */
  followTools(): void {
    if (this.#wanted.tools)
      this.#stops.push(this.#host.profile.tools.onChange(() => this.#notify('notifications/tools/list_changed', {})));
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** Marks a message as part of a subscription. */
export function stamp(id: string | number): { readonly _meta: Record<string, unknown> } {
  return { _meta: { [SUBSCRIPTION_ID_KEY]: id } };
}

export function subscriptionOf(params: unknown): unknown {
  return isRecord(params) && isRecord(params._meta) ? params._meta[SUBSCRIPTION_ID_KEY] : undefined;
}
