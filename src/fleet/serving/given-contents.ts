/**
 * Accepts texts from laptops for files that the fleet lacks. The node derives them itself, as a worker would: a client
 * decides which texts the fleet has, but nothing of what is derived from them. A text is stored under the id of its
 * bytes, belongs to no repository, and can be read by that id only, until a snapshot names it.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineConfig } from '../../engine/index.ts';
import { IdlePool } from '../../engine/runs/idle-pool.ts';
import { ERROR_TABLE, toEngineError } from '../../model/records/engine-errors.ts';
import type { ContentSource } from '../../store/snapshot-source.ts';
import type { ContentBatch, ContentKey } from '../../store/store.ts';
import type { OpenReply, OpenRequest } from '../admission/node-admission.ts';
import { SubjectQuota } from '../admission/subject-quota.ts';
import { GIVEN_AT_ONCE, GIVEN_BYTES, type GivenText, isOriginal, nameOfGiven } from '../blobs/given-text.ts';
import type { AuditLog } from './audit-log.ts';
import { type BlobRequest, isKey, readBlobRequest, readExtractor } from './shared-blobs.ts';
import { currentSubject, type Subject } from './subjects.ts';

export const MISSING_PATH = '/blobs/missing';
export const GIVEN_PATH = '/blobs/given';

interface GivenParts {
  readonly config: EngineConfig;
  /** This node's extractor version. */
  readonly extractor: string;
  readonly contents: ContentSource;
  readonly audit: AuditLog;
  /** Folder for texts while they are derived. */
  readonly scratch: string;
  /** Groups whose members may give; empty for nobody. */
  readonly groups: readonly string[];
  /** Limit per subject. */
  readonly bytesPerDay: number;
}

interface GivenRequest {
  readonly extractor: string;
  readonly contents: readonly GivenText[];
}

const DAY_MS = 86_400_000;
const BUSY_SECONDS = 1;

export class GivenContents {
  readonly #parts: GivenParts;
  readonly #quota: SubjectQuota;
  readonly #idle: IdlePool;
  /** One request at a time: questions have priority, and waiting texts would fill the memory. */
  #isBusy = false;

  constructor(parts: GivenParts) {
    this.#parts = parts;
    this.#quota = new SubjectQuota(parts.bytesPerDay, DAY_MS);
    // Removes files of a killed node.
    rmSync(parts.scratch, { recursive: true, force: true });
    this.#idle = new IdlePool({ ...parts.config, inline: false });
  }

  /** Answers the two paths of this module; null for any other. */
  async answer({ method, path, body }: OpenRequest): Promise<OpenReply | null> {
    if (method !== 'POST' || (path !== MISSING_PATH && path !== GIVEN_PATH)) return null;
    const subject = currentSubject()!;
    const bytes = await body();
    return path === MISSING_PATH ? this.#tellMissing(subject, bytes) : this.#takeGiven(subject, bytes);
  }

  async #tellMissing(subject: Subject, body: Buffer): Promise<OpenReply> {
    const request = readBlobRequest(body);
    if (!request) return refusal(400, 'No list of contents.');
    const refused = this.#refuse(subject, request.extractor);
    if (refused) return refused;
    const known = new Set((await this.#parts.contents.known(request.keys)).map(keyOf));
    return { status: 200, json: { missing: request.keys.filter((key) => !known.has(keyOf(key))) } };
  }

  async #takeGiven(subject: Subject, body: Buffer): Promise<OpenReply> {
    const request = readGiven(body);
    if (!request) return refusal(400, 'No list of texts, or one of a text that has another id.');
    const refused = this.#refuse(subject, request.extractor);
    if (refused) return refused;
    if (this.#isBusy) return later(BUSY_SECONDS, 'The node derives other contents at the moment.');
    const size = request.contents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const seconds = this.#quota.take(subject.name, size);
    if (seconds > 0) return later(seconds, 'You gave this node as much as --give-megabytes allows in a day.');
    this.#isBusy = true;
    try {
      const { created, refused: left } = await this.#store(request.contents);
      this.#note(subject, created, 'ok');
      return { status: 200, json: { created, refused: left } };
    } catch (thrown) {
      const { code, message } = toEngineError(thrown);
      this.#note(subject, null, code);
      return refusal(ERROR_TABLE[code].http, message);
    } finally {
      this.#isBusy = false;
    }
  }

  #refuse({ name, groups }: Subject, extractor: string): OpenReply | null {
    if (!this.#parts.groups.some((group) => groups.has(group))) {
      this.#note({ name, groups }, null, 'gift_refused');
      return refusal(403, `the node takes them from members of the groups in --give-groups, and ${name} is in none.`);
    }
    if (extractor === this.#parts.extractor) return null;
    return refusal(409, 'the node is of another version, or has other settings of redaction or of embedding.');
  }

  #note({ name }: Subject, results: number | null, outcome: string): void {
    this.#parts.audit.add({ subject: name, tool: 'give', repositories: [], results, outcome });
  }

  /** Derives and stores texts; returns the numbers of new and of rejected ones. */
  async #store(given: readonly GivenText[]): Promise<{ readonly created: number; readonly refused: number }> {
    const batches = await this.#derive(given);
    let created = 0;
    for (const batch of batches) created += await this.#parts.contents.write(batch);
    const derived = batches.reduce((sum, { contents }) => sum + contents.length, 0);
    return { created, refused: given.length - derived };
  }

  async #derive(given: readonly GivenText[]): Promise<readonly ContentBatch[]> {
    const batches: ContentBatch[] = [];
    const { scratch, config } = this.#parts;
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    const root = mkdtempSync(join(realpathSync(scratch), 'given-'));
    try {
      const jobs = given.flatMap((content, i) => {
        const name = nameOfGiven(content);
        if (name === null || Buffer.byteLength(content.text) > config.index.maxFileBytes) return [];
        mkdirSync(join(root, String(i)));
        writeFileSync(join(root, String(i), name), content.text, { mode: 0o600 });
        return [{ path: `${i}/${name}`, root, gitBlob: null, flags: 0 }];
      });
      if (jobs.length === 0) return [];
      const pool = await this.#idle.take();
      try {
        await pool.run([jobs], { workers: 1, workload: 'few' }, ({ batch }) => {
          if (batch.contents.length > 0) batches.push(batch);
        });
      } catch (error) {
        pool.close();
        throw error;
      }
      this.#idle.giveBack(pool);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
    return batches;
  }

  close(): void {
    this.#idle.close();
  }
}

/** Parses a request; null unless each text has its id and all limits hold. */
function readGiven(body: Buffer): GivenRequest | null {
  const request = readExtractor<GivenRequest>(body);
  if (!request) return null;
  const { extractor, contents } = request;
  if (!Array.isArray(contents) || contents.length > GIVEN_AT_ONCE) return null;
  let bytes = 0;
  for (const content of contents as readonly (Partial<GivenText> | null)[]) {
    if (!isKey(content as BlobRequest['keys'][number] | null) || typeof content?.text !== 'string') return null;
    bytes += Buffer.byteLength(content.text);
    if (bytes > GIVEN_BYTES || !isOriginal(content as GivenText)) return null;
  }
  return { extractor, contents };
}

function refusal(status: number, error: string): OpenReply {
  return { status, json: { error } };
}

function later(seconds: number, error: string): OpenReply {
  return { ...refusal(429, error), headers: { 'Retry-After': String(seconds) } };
}

function keyOf({ blobId, language }: ContentKey): string {
  return `${blobId} ${language}`;
}
