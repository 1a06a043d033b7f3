/** The WordPiece tokeniser of BERT-like models, read from tokenizer.json. Other tokenisers are refused. */

export interface WordPieceModel {
  /** A Map, because code contains words such as `constructor`, which every plain object has as a property. */
  readonly vocab: ReadonlyMap<string, number>;
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
  readonly prefix: string;
}

interface TokenizerFile {
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Record<string, number>;
    readonly continuing_subword_prefix?: string;
  };
  readonly normalizer?: { readonly lowercase?: boolean; readonly strip_accents?: boolean | null };
}

/** The model in the file, or the reason why it cannot be used. */
export function readWordPiece(json: string): WordPieceModel | string {
  let file: TokenizerFile;
  try {
    file = JSON.parse(json) as TokenizerFile;
  } catch {
    return 'tokenizer.json is not JSON';
  }
  const { model, normalizer } = file;
  // Older files have no type; only WordPiece has this prefix.
  const type = model?.type ?? (model?.continuing_subword_prefix ? 'WordPiece' : 'unknown');
  if (type !== 'WordPiece' || !model?.vocab)
    return `its tokeniser is of type ${type}; only WordPiece (BERT-like models) is supported`;
  const vocab = new Map(Object.entries(model.vocab));
  for (const token of ['[CLS]', '[SEP]', '[UNK]']) if (!vocab.has(token)) return `its vocabulary has no ${token}`;
  const lowercase = normalizer?.lowercase ?? false;
  return {
    vocab,
    lowercase,
    stripAccents: normalizer?.strip_accents ?? lowercase,
    prefix: model.continuing_subword_prefix ?? '##',
  };
}

/** Characters that are words of their own: punctuation, symbols, ideographs. */
const SEPARATE = /[\p{P}\p{S}\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff]/u;
const MAX_WORD_CHARACTERS = 100;

/** Token ids with [CLS] and [SEP], at most `limit`. */
export function wordPieces(model: WordPieceModel, text: string, limit: number): number[] {
  const ids = [model.vocab.get('[CLS]')!];
  for (const word of splitWords(model, text)) {
    for (const id of piecesOf(model, word)) {
      if (ids.length >= limit - 1) break;
      ids.push(id);
    }
    if (ids.length >= limit - 1) break;
  }
  ids.push(model.vocab.get('[SEP]')!);
  return ids;
}

function* splitWords(model: WordPieceModel, text: string): Generator<string> {
  let normal = model.lowercase ? text.toLowerCase() : text;
  if (model.stripAccents) normal = normal.normalize('NFD').replace(/\p{Mn}/gu, '');
  for (const run of normal.split(/[\s\p{Cc}\p{Cf}]+/u)) {
    let word = '';
    for (const char of run) {
      if (!SEPARATE.test(char)) {
        word += char;
        continue;
      }
      if (word) yield word;
      word = '';
      yield char;
    }
    if (word) yield word;
  }
}

/** Splits a word greedily into the longest known pieces; a word with an unknown rest is [UNK] as a whole. */
function piecesOf(model: WordPieceModel, word: string): number[] {
  const unknown = [model.vocab.get('[UNK]')!];
  if (word.length > MAX_WORD_CHARACTERS) return unknown;
  const ids: number[] = [];
  let start = 0;
  while (start < word.length) {
    let end = word.length;
    let id: number | undefined;
    for (; end > start; end--) {
      id = model.vocab.get((start > 0 ? model.prefix : '') + word.slice(start, end));
      if (id !== undefined) break;
    }
    if (id === undefined) return unknown;
    ids.push(id);
    start = end;
  }
  return ids;
}
