/**
 * Uploads a worker's derived contents to the fleet, a few batches at a time, while the next ones are derived. It
 * implements the interface of a store's writer; the plan already excludes contents that the fleet has.
 */
import type { ContentSink } from '../../indexing/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { ContentSource, KnownContent } from '../../store/snapshot-source.ts';
import type { ContentBatch, ContentKey } from '../../store/store.ts';

const IN_FLIGHT = 3;
/** Maximum batches that wait to be sent; with more, deriving pauses. */
const MAX_WAITING = 6;

export class ContentUploads implements ContentSink {
  readonly #source: ContentSource;
  readonly #known: readonly KnownContent[];
  readonly #rowOf: ReadonlyMap<string, number>;
  readonly #waiting: ContentBatch[] = [];
  readonly #sending = new Set<Promise<void>>();
  #failure: unknown = null;
  #created = 0;

  constructor(source: ContentSource, known: readonly KnownContent[]) {
    this.#source = source;
    this.#known = known;
    this.#rowOf = new Map(known.map((content, row) => [keyOf(content), row]));
  }

  /** Number of contents that were new to the fleet. */
  get created(): number {
    return this.#created;
  }

  findContents(keys: readonly ContentKey[]): Int32Array {
    return Int32Array.from(keys, (key) => this.#rowOf.get(keyOf(key)) ?? -1);
  }

  extentOf(contentRow: number): { readonly bytes: number; readonly lines: number } {
    const content = this.#known[contentRow];
    if (!content) throw new EngineError('internal_error', { reason: `no content ${contentRow} to measure` });
    return content;
  }

  write(batch: ContentBatch): void {
    this.heartbeat();
    this.#waiting.push(batch);
    this.#next();
  }

  flush(): void {}

  /**
   * Resolves when deriving may continue; null if it need not pause. Deriving pauses while uploads are slower, so that
   * memory stays bounded.
   */
  hold(): Promise<void> | null {
    if (this.#failure || this.#waiting.length < MAX_WAITING) return null;
    return Promise.race(this.#sending);
  }

  /** Throws after a failed upload, so that deriving stops at the next batch. */
  heartbeat(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Resolves when the fleet has everything. */
  async finish(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
    this.heartbeat();
  }

  #next(): void {
    if (this.#failure) return;
    while (this.#sending.size < IN_FLIGHT && this.#waiting.length > 0) {
      const sending = this.#source.write(this.#waiting.shift()!).then(
        (created) => {
          this.#created += created;
        },
        (error) => {
          this.#failure = error;
        },
      );
      const tracked = sending.then(() => {
        this.#sending.delete(tracked);
        this.#next();
      });
      this.#sending.add(tracked);
    }
  }
}

function keyOf({ blobId, language }: ContentKey): string {
  return `${blobId} ${language}`;
}
