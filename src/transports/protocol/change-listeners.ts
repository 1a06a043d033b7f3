/**
 * `subscriptions/listen` of 2026-07-28 for what the SDK's own router does not support: the status of tasks (`taskIds`,
 * of the tasks extension) and changes of resources. A listener first gets the current state of each task, so that it
 * misses no change between the call and the subscription.
 */

import { isRecord } from '../../model/runtime/is-record.ts';
import type { ProfileHost } from '../host.ts';
import { taskToStatus } from '../tasks/task-methods.ts';

export const LISTEN = 'subscriptions/listen';
export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';

export interface Subscription {
  readonly id: string | number;
  readonly taskIds: readonly string[];
  readonly resources: readonly string[];
  readonly tools: boolean;
}

type Notify = (method: string, params: Record<string, unknown>) => void;

/** Returns null for every message but a request to listen for tasks or resources. */
export function readSubscription(message: unknown): Subscription | null {
  if (!isRecord(message) || message.method !== LISTEN || !isRecord(message.params)) return null;
  const { id, params } = message;
  if ((typeof id !== 'string' && typeof id !== 'number') || !isRecord(params.notifications)) return null;
  const { taskIds, resourceSubscriptions, toolsListChanged } = params.notifications;
  const subscription = {
    id,
    taskIds: texts(taskIds),
    resources: texts(resourceSubscriptions),
    tools: toolsListChanged === true,
  };
  return subscription.taskIds.length + subscription.resources.length > 0 ? subscription : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === 'string'))] : [];
}

export class SubscriptionFeed {
  /** The supported parts of the subscription, for the acknowledgement. */
  readonly honored: Readonly<Record<string, unknown>>;
  readonly #stops: (() => void)[] = [];
  readonly #notify: Notify;
  readonly #subscription: Subscription;
  readonly #host: ProfileHost;

  constructor(host: ProfileHost, subscription: Subscription, notify: Notify) {
    this.#host = host;
    this.#subscription = subscription;
    this.#notify = (method, params) => notify(method, { ...params, ...subscriptionMeta(subscription.id) });
    const taskIds = subscription.taskIds.filter((taskId) => host.tasks.has(taskId));
    const { resources } = host.profile;
    this.honored = {
      ...(taskIds.length > 0 && { taskIds }),
      ...(resources?.subscribe &&
        subscription.resources.length > 0 && { resourceSubscriptions: subscription.resources }),
      ...(subscription.tools && { toolsListChanged: true }),
    };
  }

  /** Starts to send notifications; called after the acknowledgement. */
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

  /** Also sends changes of the tool list, for streams that the SDK's router does not serve. */
  followTools(): void {
    if (this.#subscription.tools)
      this.#stops.push(this.#host.profile.tools.onChange(() => this.#notify('notifications/tools/list_changed', {})));
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** The `_meta` that marks a message as part of a subscription. */
export function subscriptionMeta(id: string | number): { readonly _meta: Record<string, unknown> } {
  return { _meta: { [SUBSCRIPTION_ID_KEY]: id } };
}

export function subscriptionIdOf(params: unknown): unknown {
  return isRecord(params) && isRecord(params._meta) ? params._meta[SUBSCRIPTION_ID_KEY] : undefined;
}
