/**
 * Handles that an agent can pass back. A symbol or chunk handle names its content (first 13 bytes of the git blob id)
 * and its ordinal inside that content, so it is the same in every store and survives re-indexing; the stable id names
 * what a symbol is, not where.
 */
import { blake3 } from '@noble/hashes/blake3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { SymbolRecord } from './symbol.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BLOB_BYTES = 13;

export type HandleKind = 'sym' | 'snip' | 'doc' | 'file';
export interface Handle {
  readonly kind: HandleKind;
  /** First 26 hex digits of the blob id. */
  readonly blobPrefix: string;
  readonly ordinal: number;
}

/** Of a hexadecimal number. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 57 ? code - 48 : (code | 32) - 87;
}

export function formatHandle(kind: HandleKind, blobId: string, ordinal: number): string {
  // 128 bits, five to a character; the first one holds three.
  let text = '';
  let bits = 0;
  let held = 2;
  for (let i = 0; i < BLOB_BYTES + 3; i++) {
    const byte =
      i < BLOB_BYTES
        ? (digitAt(blobId, i * 2) << 4) | digitAt(blobId, i * 2 + 1)
        : (ordinal >> (8 * (BLOB_BYTES + 2 - i))) & 255;
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
 * Chunks are counted below this; a result that shows one symbol of a packed chunk is named by the symbol's ordinal
 * above it.
 */
const SYMBOL_RESULTS = 1 << 23;

export function symbolResult(symbol: number): number {
  return SYMBOL_RESULTS | symbol;
}

/** The symbol that a result's ordinal names; null where it names a chunk. */
export function symbolOfResult(ordinal: number): number | null {
  return ordinal >= SYMBOL_RESULTS ? ordinal - SYMBOL_RESULTS : null;
}

/** The handle behind the text, or null where it is none. */
export function parseHandle(text: string): Handle | null {
  const match = /^(sym|snip|doc|file)_([0-9A-HJKMNP-TV-Z]{26})$/.exec(text);
  if (!match) return null;
  let value = 0n;
  for (const char of match[2]!) value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  const hex = (value & ((1n << 128n) - 1n)).toString(16).padStart(32, '0');
  return { kind: match[1] as HandleKind, blobPrefix: hex.slice(0, 26), ordinal: Number.parseInt(hex.slice(26), 16) };
}

export function isStableId(text: string): boolean {
  return /^b3:[0-9a-f]{64}$/.test(text);
}

/** True for texts that can only be a handle, so that a wrong one is "not found" and not a name to guess at. */
export function isHandle(text: string): boolean {
  return isStableId(text) || parseHandle(text) !== null;
}

/**
 * Location-insensitive identity: the same for a symbol that moved inside of its module, another one in another module
 * or for a changed signature. `block` is the signature of the extension or impl block that it stands in, which tells
 * apart what two traits ask of one type.
 */
export function stableSymbolId(language: string, modulePath: string, symbol: SymbolRecord, block = ''): string {
  const parts = ['2', language, modulePath, symbol.kind, symbol.qualifiedName, plain(symbol.signature)];
  return hashed(block === '' ? parts : [...parts, plain(block)]);
}

/**
 * As ids were made before modules were part of them. Such an id is understood for ever, and means every symbol that had
 * it.
 */
export function earlierStableSymbolId(language: string, packageName: string, symbol: SymbolRecord): string {
  const qualified = packageName ? `${packageName}.${symbol.qualifiedName}` : symbol.qualifiedName;
  return hashed([language, symbol.kind, qualified, plain(symbol.signature)]);
}

function plain(signature: string): string {
  return signature.replace(/\s+/g, ' ').trim();
}

function hashed(parts: readonly string[]): string {
  // In one piece: a text put together digit by digit takes ten times the memory for as long as somebody keeps it.
  return `b3:${Buffer.from(blake3(utf8ToBytes(parts.join('\0')))).toString('hex')}`;
}
