/**
 * Stores snapshots in the index `snapshots`. A manifest is written in parts under a unique name; then one document, the
 * head of the ref, is replaced by compare-and-set. Readers start at the head, so they see the previous snapshot or the
 * new one, never a mixture.
 */
import { randomUUID } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Snapshot } from '../../store/snapshot-source.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { VersionedDocuments } from '../opensearch/versioned-document.ts';

/** The fields of a snapshot that can be read without its manifest. */
export interface SnapshotSummary {
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
  readonly skipped: number;
}

export interface SnapshotHead {
  readonly kind: 'head';
  readonly repository: string;
  readonly ref: string;
  readonly commit: string;
  readonly generation: number;
  readonly publishedAtMs: number;
  readonly manifest: string;
  readonly parts: number;
  readonly summary: SnapshotSummary;
  /** Format version of its search documents (DOCUMENTS_FORMAT); absent in older snapshots. */
  readonly documents?: number;
}

/** Incremented when search documents change their form; workers then write them again. */
export const DOCUMENTS_FORMAT = 3;

type Draft = Omit<Snapshot, 'generation' | 'publishedAtMs'>;

const PART_BYTES = 2 << 20;
/** Attempts of a reader: if the next snapshot has replaced a part, it starts again at the head. */
const READ_ATTEMPTS = 5;

export class PublishedSnapshots {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #heads: VersionedDocuments<SnapshotHead>;

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'snapshots');
    this.#heads = new VersionedDocuments(cluster, this.#index);
  }

  async head(repository: string, ref: string): Promise<SnapshotHead | null> {
    return (await this.#heads.read(headId(repository, ref))).document;
  }

  /** The existing snapshots, in the order of `refs`; one request. */
  async headsOf(refs: readonly { readonly repository: string; readonly ref: string }[]): Promise<SnapshotHead[]> {
    if (refs.length === 0) return [];
    const { body } = await this.#cluster.ask<{ docs: { found: boolean; _source?: SnapshotHead }[] }>({
      method: 'POST',
      path: `/${this.#index}/_mget`,
      body: { ids: refs.map(({ repository, ref }) => headId(repository, ref)) },
    });
    return body.docs.flatMap(({ found, _source }) => (found ? [_source!] : []));
  }

  /** The files of a snapshot; null if the next snapshot has replaced it meanwhile. */
  async filesOf(head: SnapshotHead): Promise<Snapshot['files'] | null> {
    return (await this.#manifest(head))?.files ?? null;
  }

  async read(repository: string, ref: string): Promise<Snapshot | null> {
    for (let attempt = 1; ; attempt++) {
      const head = await this.head(repository, ref);
      if (!head) return null;
      const manifest = await this.#manifest(head);
      if (manifest) return { ...manifest, generation: head.generation, publishedAtMs: head.publishedAtMs };
      if (attempt < READ_ATTEMPTS) continue;
      const reason = `parts of the snapshot of ${repository} at ${ref} are missing`;
      throw new EngineError('store_corrupt', { path: this.#index, reason });
    }
  }

  /** Throws index_in_progress if another worker has published meanwhile: the comparison is then outdated. */
  async publish(repository: string, draft: Draft, expectedGeneration: number): Promise<SnapshotHead> {
    const before = await this.#heads.read(headId(repository, draft.ref));
    if ((before.document?.generation ?? 0) !== expectedGeneration) throw publishConflict(repository);
    const manifest = randomUUID();
    const parts = await this.#writeManifest(repository, draft, manifest);
    const head: SnapshotHead = {
      kind: 'head',
      repository,
      ref: draft.ref,
      commit: draft.commit,
      generation: expectedGeneration + 1,
      publishedAtMs: Date.now(),
      manifest,
      parts,
      summary: summarise(draft),
      documents: DOCUMENTS_FORMAT,
    };
    const isOurs = (now: SnapshotHead) => now.manifest === manifest;
    if (!(await this.#heads.replace(headId(repository, draft.ref), before, head, isOurs))) {
      await this.#dropManifest(manifest, parts);
      throw publishConflict(repository);
    }
    if (before.document) await this.#dropManifest(before.document.manifest, before.document.parts);
    return head;
  }

  async drop(repository: string, ref: string): Promise<void> {
    const head = await this.head(repository, ref);
    if (!head) return;
    await this.#heads.remove(headId(repository, ref));
    await this.#dropManifest(head.manifest, head.parts);
  }

  /** The heads of all refs of all repositories, up to a second old. */
  async heads(): Promise<readonly SnapshotHead[]> {
    return this.#heads.find({ term: { kind: 'head' } }, [{ repository: 'asc' }, { ref: 'asc' }]);
  }

  async #manifest(head: SnapshotHead): Promise<Draft | null> {
    const ids = Array.from({ length: head.parts }, (_, i) => partId(head.manifest, i));
    const { body } = await this.#cluster.ask<{ docs: { found: boolean; _source?: { data: string } }[] }>({
      method: 'POST',
      path: `/${this.#index}/_mget`,
      body: { ids },
    });
    if (body.docs.some(({ found }) => !found)) return null;
    const packed = Buffer.concat(body.docs.map(({ _source }) => Buffer.from(_source!.data, 'base64')));
    return JSON.parse(inflateRawSync(packed).toString('utf8')) as Draft;
  }

  async #writeManifest(repository: string, draft: Draft, manifest: string): Promise<number> {
    const packed = deflateRawSync(Buffer.from(JSON.stringify(draft)));
    let parts = 0;
    for (let from = 0; from < packed.length; from += PART_BYTES) {
      const data = packed.subarray(from, from + PART_BYTES).toString('base64');
      await this.#cluster.ask({
        method: 'PUT',
        path: this.#path(partId(manifest, parts++)),
        body: { kind: 'part', repository, ref: draft.ref, manifest, data },
      });
    }
    return parts;
  }

  async #dropManifest(manifest: string, parts: number): Promise<void> {
    for (let i = 0; i < parts; i++) await this.#heads.remove(partId(manifest, i));
  }

  #path(id: string): string {
    return `/${this.#index}/_doc/${encodeURIComponent(id)}`;
  }
}

function headId(repository: string, ref: string): string {
  return `head ${repository} ${ref}`;
}

function partId(manifest: string, part: number): string {
  return `part ${manifest} ${part}`;
}

function summarise({ files, skipped }: Draft): SnapshotSummary {
  return {
    files: files.length,
    lines: files.reduce((sum, file) => sum + file.lines, 0),
    bytes: files.reduce((sum, file) => sum + file.size, 0),
    skipped: skipped.length,
  };
}

function publishConflict(repository: string): EngineError {
  return new EngineError('index_in_progress', { path: repository });
}
