/**
 * Content blocks of an answer, in the newest protocol's terms. The transport leaves out blocks that an older client
 * cannot read.
 */

export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 1 (required) to 0 (optional). */
  readonly priority?: number;
  readonly lastModified?: string;
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: ContentAnnotations;
}
/** Base64 data. */
export interface ImageBlock {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: ContentAnnotations;
}
/** Base64 data. */
export interface AudioBlock {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: ContentAnnotations;
}
export interface ResourceLinkBlock {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: ContentAnnotations;
}
export interface EmbeddedResourceBlock {
  readonly type: 'resource';
  readonly resource: ResourceContent;
  readonly annotations?: ContentAnnotations;
}
export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceLinkBlock | EmbeddedResourceBlock;

export type ResourceContent = {
  readonly uri: string;
  readonly mimeType?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
} & ({ readonly text: string } | { readonly blob: string });

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}
