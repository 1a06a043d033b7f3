/** The data of contents by ordinal. Ordinals are dense, while content rows have gaps. */
export class ContentDirectory {
  readonly #ordinals = new Map<number, number>();
  /** DocBlock.places with the process ids of chunks and symbols. */
  places = new Int32Array(0);
  /** The id of the content's first chunk in the file. */
  readonly storedChunk: number[] = [];
  readonly blobId: string[] = [];
  readonly language: string[] = [];
  readonly extractor: string[] = [];

  get count(): number {
    return this.#ordinals.size;
  }

  /** -1 for an unknown content. */
  ordinal(row: number): number {
    return this.#ordinals.get(row) ?? -1;
  }

  add(row: number): number {
    const ordinal = this.#ordinals.size;
    this.#ordinals.set(row, ordinal);
    return ordinal;
  }
}
