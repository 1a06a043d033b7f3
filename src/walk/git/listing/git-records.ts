/** Output of git that comes in pieces, as records. */

/** A commit message may have any length. */
const MAX_LENGTH = 1 << 20;

export interface RecordSplitter {
  push(piece: string): void;
  /** Passes on the bytes after the last separator. */
  finish(): void;
}

/** Calls `take` with each record that `mark` ends; of one that is too long, with its beginning. */
export function splitRecords(mark: string, take: (record: string) => void): RecordSplitter {
  let pending: string[] = [];
  let length = 0;
  const add = (text: string) => {
    if (length < MAX_LENGTH) pending.push(text.slice(0, MAX_LENGTH - length));
    length += text.length;
  };
  const finish = () => {
    const record = pending.join('');
    pending = [];
    length = 0;
    take(record);
  };
  return {
    push(piece) {
      const [first, ...others] = piece.split(mark);
      add(first!);
      for (const next of others) {
        finish();
        add(next);
      }
    },
    finish,
  };
}
