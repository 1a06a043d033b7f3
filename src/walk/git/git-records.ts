/** Output of git that comes in pieces, as records. */

/** Of what a repository holds, a commit message may be of any length. */
const MAX_LENGTH = 1 << 20;

export interface RecordSplitter {
  push(piece: string): void;
  /** Hands over what came after the last mark. */
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
