/**
 * Handles that an agent can pass back. A chunk's handle names its content (first 13 bytes of the git blob id) and its
 * ordinal inside that content. A symbol's handle names its file by the path and the symbol by what it is, so it
 * outlives changes to other parts of the file. Both are the same in every store and survive re-indexing. The stable id
 * names what a symbol is in its module, in whatever file.
 */
import { crc32 } from 'node:zlib';
import { blake3 } from '@noble/hashes/blake3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { SymbolRecord } from './symbol.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BLOB_BYTES = 13;

export type HandleKind = 'sym' | 'snip' | 'doc' | 'file';
export interface Handle {
  readonly kind: HandleKind;
  /** All 32 hexadecimal digits. */
  readonly digits: string;
  /** First 26 hex digits of the blob id. */
  readonly blobPrefix: string;
  readonly ordinal: number;
}

/** Digits of a hexadecimal number. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 57 ? code - 48 : (code | 32) - 87;
}

export function formatHandle(kind: Exclude<HandleKind, 'sym'>, blobId: string, ordinal: number): string {
  return encode(kind, blobId.slice(0, BLOB_BYTES * 2) + ordinal.toString(16).padStart(6, '0'));
}

/** The symbol with this ordinal among those of the file. */
export function formatSymbolHandle(path: string, symbols: readonly SymbolRecord[], ordinal: number): string {
  return encode('sym', pathDigits(path) + symbolDigits(symbols, ordinal));
}

/** The ordinal of the symbol that the handle identifies in this file; -1 if there is none. */
export function symbolOfHandle(handle: Handle, path: string, symbols: readonly SymbolRecord[]): number {
  if (!handle.digits.startsWith(pathDigits(path))) return -1;
  return allSymbolDigits(symbols).indexOf(handle.digits.slice(PATH_DIGITS));
}

/** The handles of all symbols of a file, in the order of the symbols. */
export function formatSymbolHandles(path: string, symbols: readonly SymbolRecord[]): string[] {
  const digits = pathDigits(path);
  return allSymbolDigits(symbols).map((own) => encode('sym', digits + own));
}

export function namesPath(handle: Handle, path: string): boolean {
  return handle.digits.startsWith(pathDigits(path));
}

const PATH_DIGITS = 8;
const SYMBOL_DIGITS = 24;

function pathDigits(path: string): string {
  return crc32(path).toString(16).padStart(PATH_DIGITS, '0');
}

/** Declarations that are otherwise equal are told apart by their order. */
function symbolDigits(symbols: readonly SymbolRecord[], ordinal: number): string {
  const { kind, qualifiedName, signature } = symbols[ordinal]!;
  let earlier = 0;
  for (let i = 0; i < ordinal; i++) {
    const other = symbols[i]!;
    if (other.qualifiedName === qualifiedName && other.kind === kind && other.signature === signature) earlier++;
  }
  return digitsOf(symbols[ordinal]!, earlier);
}

function allSymbolDigits(symbols: readonly SymbolRecord[]): string[] {
  const counts = new Map<string, number>();
  return symbols.map((symbol) => {
    const key = [symbol.qualifiedName, symbol.kind, symbol.signature].join('\0');
    const earlier = counts.get(key) ?? 0;
    counts.set(key, earlier + 1);
    return digitsOf(symbol, earlier);
  });
}

function digitsOf({ kind, qualifiedName, signature }: SymbolRecord, earlier: number): string {
  return hashDigits([kind, qualifiedName, plain(signature), String(earlier)]).slice(0, SYMBOL_DIGITS);
}

/** Encodes 32 hexadecimal digits as 26 characters of five bits; the first one has three bits. */
function encode(kind: HandleKind, digits: string): string {
  let text = '';
  let bits = 0;
  let held = 2;
  for (let i = 0; i < digits.length; i += 2) {
    const byte = (digitAt(digits, i) << 4) | digitAt(digits, i + 1);
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += ALPHABET[(bits >> held) & 31]!;
    }
    bits &= 31;
  }
  return `${kind}_${text}`;
}

/**
 * Ordinals of chunks are lower. A result that shows one symbol of a packed chunk has this plus the symbol's ordinal.
 */
const SYMBOL_RESULTS = 1 << 23;

export function symbolResult(symbol: number): number {
  return SYMBOL_RESULTS | symbol;
}

/** The symbol that an ordinal stands for; null if it stands for a chunk. */
export function symbolOfResult(ordinal: number): number | null {
  return ordinal >= SYMBOL_RESULTS ? ordinal - SYMBOL_RESULTS : null;
}

/** Parses a handle; null if the text is none. */
export function parseHandle(text: string): Handle | null {
  const match = /^(sym|snip|doc|file)_([0-9A-HJKMNP-TV-Z]{26})$/.exec(text);
  if (!match) return null;
  let value = 0n;
  for (const char of match[2]!) value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  const hex = (value & ((1n << 128n) - 1n)).toString(16).padStart(32, '0');
  return {
    kind: match[1] as HandleKind,
    digits: hex,
    blobPrefix: hex.slice(0, BLOB_BYTES * 2),
    ordinal: Number.parseInt(hex.slice(BLOB_BYTES * 2), 16),
  };
}

export function isStableId(text: string): boolean {
  return /^b3:[0-9a-f]{64}$/.test(text);
}

/** Whether a text can only be a handle, so that an unknown one is "not found" instead of a name to search for. */
export function isHandle(text: string): boolean {
  return isStableId(text) || parseHandle(text) !== null;
}

/**
 * An id that does not depend on the place of a symbol: it stays when the symbol moves inside its module, and changes
 * with the module or the signature. `block` is the signature of the extension or impl block around the symbol, which
 * tells apart methods of two traits for one type.
 */
export function stableSymbolId(language: string, modulePath: string, symbol: SymbolRecord, block = ''): string {
  const parts = ['2', language, modulePath, symbol.kind, symbol.qualifiedName, plain(symbol.signature)];
  return hashed(block === '' ? parts : [...parts, plain(block)]);
}

/**
 * The stable id of earlier versions, without the module. It is accepted for ever, and means every symbol that had it.
 */
export function earlierStableSymbolId(language: string, packageName: string, symbol: SymbolRecord): string {
  const qualified = packageName ? `${packageName}.${symbol.qualifiedName}` : symbol.qualifiedName;
  return hashed([language, symbol.kind, qualified, plain(symbol.signature)]);
}

function plain(signature: string): string {
  return signature.replace(/\s+/g, ' ').trim();
}

function hashed(parts: readonly string[]): string {
  return `b3:${hashDigits(parts)}`;
}

function hashDigits(parts: readonly string[]): string {
  // Make the text in one call: V8 keeps a string that is concatenated from digits in ten times the memory.
  return Buffer.from(blake3(utf8ToBytes(parts.join('\0')))).toString('hex');
}
