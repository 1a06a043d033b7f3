/** Reads the parts of SCIP, the index format that rust-analyzer writes, that tell which symbol is at which place. */
export interface ScipDocument {
  readonly path: string;
  readonly occurrences: readonly ScipOccurrence[];
}
export interface ScipOccurrence {
  /** 0-based. */
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly symbol: string;
  readonly isDefinition: boolean;
}

const DEFINITION = 1;
/** Field numbers of the messages in scip.proto. */
const INDEX_DOCUMENTS = 2;
const DOCUMENT_PATH = 1;
const DOCUMENT_OCCURRENCES = 2;
const OCCURRENCE_RANGE = 1;
const OCCURRENCE_SYMBOL = 2;
const OCCURRENCE_ROLES = 3;

export function readScip(bytes: Uint8Array): ScipDocument[] {
  const documents: ScipDocument[] = [];
  for (const [field, value] of fieldsOf(bytes))
    if (field === INDEX_DOCUMENTS && typeof value !== 'number') documents.push(readDocument(value));
  return documents;
}

function readDocument(bytes: Uint8Array): ScipDocument {
  let path = '';
  const occurrences: ScipOccurrence[] = [];
  for (const [field, value] of fieldsOf(bytes)) {
    if (typeof value === 'number') continue;
    if (field === DOCUMENT_PATH) path = textOf(value);
    else if (field === DOCUMENT_OCCURRENCES) occurrences.push(readOccurrence(value));
  }
  return { path, occurrences };
}

function readOccurrence(bytes: Uint8Array): ScipOccurrence {
  let range: number[] = [];
  let symbol = '';
  let roles = 0;
  for (const [field, value] of fieldsOf(bytes)) {
    if (field === OCCURRENCE_RANGE) range = typeof value === 'number' ? [...range, value] : packed(value);
    else if (field === OCCURRENCE_SYMBOL && typeof value !== 'number') symbol = textOf(value);
    else if (field === OCCURRENCE_ROLES && typeof value === 'number') roles = value;
  }
  // A range on one line has three numbers, other ranges have four.
  return {
    line: range[0]!,
    column: range[1]!,
    endColumn: range.at(-1)!,
    symbol,
    isDefinition: (roles & DEFINITION) !== 0,
  };
}

/** The fields of a protobuf message: varints as numbers, length-delimited fields as bytes. */
function* fieldsOf(bytes: Uint8Array): Generator<[number, number | Uint8Array]> {
  const at = { offset: 0 };
  while (at.offset < bytes.length) {
    const tag = varint(bytes, at);
    const type = tag & 7;
    if (type === 0) yield [tag >>> 3, varint(bytes, at)];
    else if (type === 2) {
      const length = varint(bytes, at);
      yield [tag >>> 3, bytes.subarray(at.offset, at.offset + length)];
      at.offset += length;
    } else if (type === 1) at.offset += 8;
    else if (type === 5) at.offset += 4;
    else throw new Error(`not a SCIP index: wire type ${type}`);
  }
}

function varint(bytes: Uint8Array, at: { offset: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at.offset++]!;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
}

function packed(bytes: Uint8Array): number[] {
  const at = { offset: 0 };
  const values: number[] = [];
  while (at.offset < bytes.length) values.push(varint(bytes, at));
  return values;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
