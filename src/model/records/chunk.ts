import type { DocSection, ImportRecord, ParseProblem, Reference, SymbolRecord } from './symbol.ts';

/**
 * A chunk is a range of whole lines of one content, with what is needed to rank and show it. Its text is cut from the
 * stored content.
 */

export const CHUNK_TYPES = ['definitions', 'symbols', 'documentation', 'data'] as const;
/**
 * `definitions`: code of one or more definitions; `symbols`: overview of a file; `documentation`: a section; `data`:
 * constants, configuration, enums.
 */
export type ChunkType = (typeof CHUNK_TYPES)[number];

export const DDD_ROLES = ['aggregate', 'entity', 'value_object', 'repository', 'service'] as const;
export type DddRole = (typeof DDD_ROLES)[number];

export interface Chunk {
  readonly type: ChunkType;
  readonly startLine: number;
  readonly endLine: number;
  /** The index of the chunk's symbol (the first one, if small neighbours are packed), -1 for none. */
  readonly symbol: number;
  /** The number of consecutive symbols in the chunk. */
  readonly symbolCount: number;
  /** 0 for a whole definition or the first part of a split one; 1… for its further parts. */
  readonly part: number;
  /** "AuthService.refresh", "Installation > Linux", "auth.ts symbols". */
  readonly title: string;
  /** The tags from the content (front matter, hashtags, language, type). Tags of the path are added in answers. */
  readonly tags: readonly string[];
}

/** A symbol's domain-driven-design role and the evidence for it ("name ends with Repository"). */
export interface DddMark {
  readonly symbol: number;
  readonly role: DddRole;
  readonly reason: string;
}

/** All data derived from one content, except text, postings and vectors. It is stored as one compressed record. */
export interface ContentDetail {
  readonly language: string;
  readonly package: string;
  readonly lineCount: number;
  readonly symbols: readonly SymbolRecord[];
  readonly references: readonly Reference[];
  readonly imports: readonly ImportRecord[];
  readonly sections: readonly DocSection[];
  readonly problems: readonly ParseProblem[];
  readonly chunks: readonly Chunk[];
  readonly ddd: readonly DddMark[];
}
