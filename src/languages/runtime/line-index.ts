/** Offsets of line starts, which turn an offset into a line without asking the parser. */
export class LineIndex {
  readonly starts: Int32Array | readonly number[];
  readonly lineCount: number;
  private last = 0;

  /** `starts`: the offsets, if the caller knows them. */
  constructor(text: string, starts?: Int32Array) {
    this.starts = starts ?? findStarts(text);
    this.lineCount = text.length === 0 ? 0 : this.starts.length - (text.charCodeAt(text.length - 1) === 10 ? 1 : 0);
  }

  /** The 1-based line of an offset. Lookups come mostly in order, so the last result is tried first. */
  lineAt(offset: number): number {
    const { starts } = this;
    const guess = this.last;
    if (offset >= starts[guess]! && (guess + 1 === starts.length || offset < starts[guess + 1]!)) return guess + 1;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    this.last = low;
    return low + 1;
  }

  /** The offset at which a 1-based line begins. */
  startOf(line: number): number {
    return this.starts[line - 1] ?? this.starts[this.starts.length - 1]!;
  }
}

function findStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
