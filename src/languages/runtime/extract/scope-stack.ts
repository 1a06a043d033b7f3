/** Tracks the definitions and scopes that contain an offset, and the visibility that a marker sets for what follows. */
import type { SymbolKind, Visibility } from '../../../model/records/symbol.ts';
import type { Found } from './collect.ts';
import { cleanType, nodeText } from './node-text.ts';

export interface Frame {
  readonly start: number;
  readonly end: number;
  /** Ordinal of the symbol, -1 for a scope that is none. */
  readonly symbol: number;
  readonly kind: SymbolKind;
  readonly name: string;
  readonly qualifiedName: string;
  visibility: Visibility | null;
}

/** Offsets must be passed in ascending order. */
export class ScopeStack {
  private readonly frames: Frame[] = [];
  private readonly scopes: readonly { start: number; end: number; name: string }[];
  private readonly markers: readonly { start: number; visibility: Visibility }[];
  private readonly separator: string;
  /** The caller adds types as it meets them; a scope named after a type belongs to that type. */
  private readonly typesByName: ReadonlyMap<string, number>;
  private nextScope = 0;
  private nextMarker = 0;

  constructor(found: Found, text: string, separator: string, typesByName: ReadonlyMap<string, number>) {
    this.separator = separator;
    this.typesByName = typesByName;
    this.scopes = found.scopes
      .map(({ node, name }) => ({
        start: node.startIndex,
        end: node.endIndex,
        name: name ? cleanType(nodeText(name, text)) : '',
      }))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    this.markers = found.markers
      .map(({ node, visibility }) => ({ start: node.startIndex, visibility }))
      .sort((a, b) => a.start - b.start);
  }

  get depth(): number {
    return this.frames.length;
  }

  /** The innermost frame around an offset, after entering the scopes and markers before it. */
  around(offset: number): Frame | undefined {
    for (;;) {
      const scope = this.scopes[this.nextScope];
      const marker = this.markers[this.nextMarker];
      if (scope && scope.start <= offset && (!marker || scope.start <= marker.start)) {
        this.nextScope++;
        this.enterScope(scope);
      } else if (marker && marker.start <= offset) {
        this.nextMarker++;
        const frame = this.enclosing(marker.start);
        if (frame) frame.visibility = marker.visibility;
      } else return this.enclosing(offset);
    }
  }

  enter(frame: Frame): void {
    this.frames.push(frame);
  }

  leave(): void {
    this.frames.pop();
  }

  private enterScope({ start, end, name }: { start: number; end: number; name: string }): void {
    const outer = this.enclosing(start);
    this.frames.push({
      start,
      end,
      symbol: this.typesByName.get(name) ?? outer?.symbol ?? -1,
      name,
      kind: name || !outer ? 'extension' : outer.kind,
      qualifiedName: [outer?.qualifiedName, name].filter(Boolean).join(this.separator),
      visibility: null,
    });
  }

  private enclosing(offset: number): Frame | undefined {
    while (this.frames.length > 0 && this.frames[this.frames.length - 1]!.end <= offset) this.frames.pop();
    return this.frames[this.frames.length - 1];
  }
}
