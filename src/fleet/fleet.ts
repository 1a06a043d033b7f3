/**
 * The fleet's face: all that the command line knows of it. Thousands of repositories in OpenSearch, any number of
 * workers that index them and of nodes that answer.
 */
import type { Engine } from '../engine/engine.ts';
import type { EngineError } from '../model/records/engine-errors.ts';
import type { IssuerOptions } from './admission/issuer-tokens.ts';
import type { NodeAdmission, OpenReply, OpenRequest } from './admission/node-admission.ts';
import type { Collected } from './blobs/collect-garbage.ts';
import type { CodeHost } from './catalogue/list-code-host.ts';
import type { NewRepository, RepositoryRecord } from './catalogue/repositories.ts';
import type { SnapshotHead } from './snapshots/published-snapshots.ts';
import type { SyncReport } from './worker/sync-repository.ts';

export type { IssuerOptions, SyncReport };

export interface RepositoryStatus extends RepositoryRecord {
  /** The published snapshot; null before the first one. */
  readonly snapshot: SnapshotHead | null;
  /** The worker that is at it now. */
  readonly worker: string | null;
}

export interface FleetStatus {
  readonly schema: number;
  /** Of the cluster: green, yellow (a copy is missing), red (data cannot be reached). */
  readonly health: string;
  readonly nodes: number;
  readonly repositories: readonly RepositoryStatus[];
  /** Derived contents, and what all indices take on disk, copies included. */
  readonly contents: number;
  readonly bytes: number;
}

export interface WorkOptions {
  readonly follow: boolean;
  readonly reconcileMs: number;
  readonly signal: AbortSignal;
  readonly onSynced: (report: SyncReport) => void;
  readonly onFailed: (name: string, error: EngineError) => void;
}

export interface NodeOptions {
  /** Lines of `NAME TOKEN GROUP,GROUP`, readable by their owner only; null where all tokens are an issuer's. */
  readonly tokensFile: string | null;
  /** An identity provider whose tokens are taken; null: none. */
  readonly issuer: IssuerOptions | null;
  /** Holds the secret of webhooks, readable by its owner only; null: none are taken. */
  readonly webhookSecretFile: string | null;
  /** Of one subject on this node. */
  readonly requestsPerMinute: number;
  readonly auditDays: number;
  /** Groups whose members may give contents to the fleet; nobody where there are none. */
  readonly giveGroups: readonly string[];
  /** Of one subject to this node. */
  readonly giveBytesPerDay: number;
  /** The disk space for hydrated repositories on this node. */
  readonly cacheBytes: number;
  readonly onRemark: (text: string) => void;
}

/** A node that answers: an engine for a server, and who may ask it. */
export interface FleetNode {
  readonly engine: Engine;
  /** Repositories are below it, each under its name: the workspace of a server. */
  readonly folder: string;
  readonly admission: Pick<NodeAdmission, 'admit' | 'answerOpen'> & {
    /** Answers requests of the node's own that were admitted; null for all others. */
    answerAdmitted(request: OpenRequest): Promise<OpenReply | null>;
    checkReady(): Promise<void>;
  };
  /** Writes what waits. */
  close(): Promise<void>;
}

export interface Fleet {
  /** Creates the indices, or carries those of an earlier version forward. */
  setUp(options: { readonly shards: number; readonly replicas: number }): Promise<{ from: number; to: number }>;
  /** Without a name it goes by its host and path. Either way it waits for a worker. */
  add(
    repository: Omit<NewRepository, 'name'> & { readonly name: string | null },
  ): Promise<{ readonly name: string; readonly isNew: boolean }>;
  /** Forgets a repository and its snapshots; contents that others share stay. False where there is none. */
  remove(name: string): Promise<boolean>;
  status(): Promise<FleetStatus>;
  /** Addresses of what a GitHub organisation or a GitLab group has. */
  listHost(host: Omit<CodeHost, 'token'>): Promise<readonly string[]>;
  /** Removes contents that no snapshot names. Throws index_in_progress while workers are at it. */
  clean(): Promise<Collected>;
  /** Works until nothing waits, or, with `follow`, until the signal. */
  work(options: WorkOptions): Promise<{ readonly synced: number; readonly failed: number }>;
  /** Throws invalid_input where the file of tokens is not a secret, and fleet_not_set_up. */
  serve(options: NodeOptions): Promise<FleetNode>;
  close(): Promise<void>;
}
