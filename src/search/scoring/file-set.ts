/** A set of files in insertion order, cheap to clear. */
export class FileSet {
  readonly #seen: Uint8Array;
  readonly #files: Int32Array;
  #count = 0;

  constructor(files: number) {
    this.#seen = new Uint8Array(files);
    this.#files = new Int32Array(files);
  }

  get size(): number {
    return this.#count;
  }

  /** A view of the current files; files added later do not appear in it. */
  get list(): Int32Array {
    return this.#files.subarray(0, this.#count);
  }

  add(file: number): void {
    if (this.#seen[file] === 1) return;
    this.#seen[file] = 1;
    this.#files[this.#count++] = file;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#seen[this.#files[i]!] = 0;
    this.#count = 0;
  }
}
