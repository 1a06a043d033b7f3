/**
 * WORK/pairs.jsonl -> numbers for training, with the very tokeniser that the engine uses. Writes into WORK/tokens/:
 * terms.txt (a term a line; the line number is its id), surfaces.txt (the commonest unstemmed spelling of each), df.i32
 * (pairs that hold it), pieces.u32 + pieces-at.i32 (hashes of its sub-words), query.i32 + query-at.i32, passage.i32 +
 * passage-n.u8 + passage-at.i32 (distinct ids and counts of each pair), package.i32, language.u8, kind.u8, and
 * meta.json. usage: node --import tsx training/tokenise.ts WORK
 */
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { subwordBuckets } from '../src/embed/static/subwords.ts';
import { forEachIdentifier, identifierTerms, rawParts, stem, TERMS_VERSION } from '../src/model/text/terms.ts';

const HASH_RANGE = 2 ** 32;
const MAX_QUERY_TERMS = 48;
const MAX_PASSAGE_TERMS = 160;

interface Pair {
  readonly l: string;
  readonly t: string;
  readonly q: string;
  readonly c: string;
  readonly p: number;
}

/** A typed array on disk that grows at its end. */
class Column {
  readonly #stream;
  length = 0;
  constructor(path: string) {
    this.#stream = createWriteStream(path, { highWaterMark: 1 << 22 });
  }
  add(values: Int32Array | Uint32Array | Uint8Array): void {
    this.#stream.write(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    this.length += values.length;
  }
  close(): Promise<void> {
    return new Promise((done) => this.#stream.end(() => done()));
  }
}

const work = process.argv[2]!;
const folder = join(work, 'tokens');
mkdirSync(folder, { recursive: true });

/** Packages that check-exclusions.py found to share contents with the benchmark. */
const refusals = join(work, 'refused.json');
const refused = new Set<number>(existsSync(refusals) ? (JSON.parse(readFileSync(refusals, 'utf8')) as number[]) : []);

const ids = new Map<string, number>();
const terms: string[] = [];
const df: number[] = [];
const seenIn: number[] = [];
const identifiers = new Map<string, number>();
const languages: string[] = [];
const kinds: string[] = [];

function idOf(term: string): number {
  let id = ids.get(term);
  if (id === undefined) {
    id = terms.length;
    ids.set(term, id);
    terms.push(term);
    df.push(0);
    seenIn.push(-1);
  }
  return id;
}

function count(text: string, limit: number, pair: number): Map<number, number> {
  const counts = new Map<number, number>();
  forEachIdentifier(text, (identifier) => {
    if (identifiers.size < 2_000_000 || identifiers.has(identifier))
      identifiers.set(identifier, (identifiers.get(identifier) ?? 0) + 1);
    for (const part of identifierTerms(identifier).parts) {
      const id = idOf(part);
      if (counts.size >= limit && !counts.has(id)) continue;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (seenIn[id] !== pair) {
        seenIn[id] = pair;
        df[id]!++;
      }
    }
  });
  return counts;
}

function indexOf(list: string[], value: string): number {
  const at = list.indexOf(value);
  return at >= 0 ? at : list.push(value) - 1;
}

const column = (name: string) => new Column(join(folder, name));
const query = column('query.i32');
const passage = column('passage.i32');
const passageN = column('passage-n.u8');
const queryAt: number[] = [0];
const passageAt: number[] = [0];
const packages: number[] = [];
const pairLanguages: number[] = [];
const pairKinds: number[] = [];

for await (const line of createInterface({ input: createReadStream(join(work, 'pairs.jsonl')), crlfDelay: Infinity })) {
  const pair = JSON.parse(line) as Pair;
  if (refused.has(pair.p)) continue;
  const number = packages.length;
  const q = count(pair.q, MAX_QUERY_TERMS, number);
  const p = count(pair.c, MAX_PASSAGE_TERMS, number);
  if (q.size < 1 || p.size < 4) continue;
  query.add(Int32Array.from(q.keys()));
  passage.add(Int32Array.from(p.keys()));
  passageN.add(Uint8Array.from(p.values(), (n) => Math.min(255, n)));
  queryAt.push(query.length);
  passageAt.push(passage.length);
  packages.push(pair.p);
  pairLanguages.push(indexOf(languages, pair.l));
  pairKinds.push(indexOf(kinds, pair.t));
}

const surfaces = new Map<string, [string, number]>();
const spelled = new Map<string, number>();
for (const [identifier, n] of identifiers)
  for (const part of rawParts(identifier)) spelled.set(part, (spelled.get(part) ?? 0) + n);
for (const [part, n] of spelled) {
  const key = stem(part);
  const best = surfaces.get(key);
  if (!best || n > best[1]) surfaces.set(key, [part, n]);
}

const pieces = column('pieces.u32');
const piecesAt: number[] = [0];
for (const term of terms) {
  pieces.add(Uint32Array.from(subwordBuckets(term, HASH_RANGE)));
  piecesAt.push(pieces.length);
}
const save = (name: string, values: Int32Array | Uint8Array) => writeFileSync(join(folder, name), values);
save('query-at.i32', Int32Array.from(queryAt));
save('passage-at.i32', Int32Array.from(passageAt));
save('pieces-at.i32', Int32Array.from(piecesAt));
save('package.i32', Int32Array.from(packages));
save('language.u8', Uint8Array.from(pairLanguages));
save('kind.u8', Uint8Array.from(pairKinds));
save('df.i32', Int32Array.from(df));
writeFileSync(join(folder, 'terms.txt'), terms.join('\n'));
writeFileSync(join(folder, 'surfaces.txt'), terms.map((t) => surfaces.get(t)?.[0] ?? t).join('\n'));
await Promise.all([query, passage, passageN, pieces].map((c) => c.close()));
const meta = { termsVersion: TERMS_VERSION, pairs: packages.length, terms: terms.length, languages, kinds };
writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta, null, 1));
console.error(JSON.stringify(meta));
