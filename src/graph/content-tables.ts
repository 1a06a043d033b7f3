/**
 * Lookup tables of single blobs: their symbols by name and scope, the supertypes that they declare. A table depends on
 * no tree, so it stays valid when a new snapshot is published, and a changed file costs one new table.
 */
import type { ContentDetail } from '../model/records/chunk.ts';
import type { ImportRecord, Reference, SymbolRecord } from '../model/records/symbol.ts';
import type { StoreReader } from '../store/store.ts';

export interface ContentTable {
  readonly package: string;
  readonly symbols: readonly SymbolRecord[];
  readonly imports: readonly ImportRecord[];
  /** Ordinals of the symbols with a name, in the order of the file. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /**
   * The qualified name of each symbol without its last part: "AuthService" for AuthService.refresh, '' at top level.
   */
  readonly owners: readonly string[];
  /** References to the supertypes of a symbol, and to the type that an extension extends. */
  readonly supers: ReadonlyMap<number, readonly Reference[]>;
}

/** About 30 MB. */
const MAX_TABLES = 16_384;
const MAX_TEXTS = 96;

export class ContentTables {
  readonly #reader: StoreReader;
  readonly #tables = new Map<number, ContentTable>();
  readonly #lines = new Map<number, readonly string[]>();

  constructor(reader: StoreReader) {
    this.#reader = reader;
  }

  of(row: number): ContentTable {
    const known = this.#tables.get(row);
    if (known) return known;
    const table = buildTable(this.#reader.detail(row));
    remember(this.#tables, row, table, MAX_TABLES);
    return table;
  }

  references(row: number): readonly Reference[] {
    return this.#reader.detail(row).references;
  }

  lines(row: number): readonly string[] {
    const known = this.#lines.get(row);
    if (known) return known;
    const table = this.#reader.text(row).split('\n');
    remember(this.#lines, row, table, MAX_TEXTS);
    return table;
  }
}

const SHARED = new WeakMap<StoreReader, ContentTables>();

/** One set of tables per open store. */
export function tablesOf(reader: StoreReader): ContentTables {
  let tables = SHARED.get(reader);
  if (!tables) {
    tables = new ContentTables(reader);
    SHARED.set(reader, tables);
  }
  return tables;
}

function buildTable({ package: packageName, symbols, imports, references }: ContentDetail): ContentTable {
  const byName = new Map<string, number[]>();
  const owners: string[] = [];
  symbols.forEach((symbol, ordinal) => {
    push(byName, symbol.name, ordinal);
    owners.push(ownerOf(symbol));
  });
  const supers = new Map<number, Reference[]>();
  for (const reference of references)
    if (reference.kind === 'inherit' || reference.kind === 'conform' || reference.kind === 'extend')
      push(supers, reference.from, reference);
  return { package: packageName, symbols, imports, byName, owners, supers };
}

/** A method that is defined outside of its type (a Go method with a receiver, `A::f` in C++). */
export function isDefinedOutsideType({ symbols, owners }: ContentTable, ordinal: number): boolean {
  const owner = owners[ordinal]!;
  const parent = symbols[symbols[ordinal]!.parent];
  return owner !== '' && (!parent || (parent.kind === 'module' && parent.qualifiedName !== owner));
}

/** The qualified name without its last part and without the separator before that. */
function ownerOf({ qualifiedName, name }: SymbolRecord): string {
  return qualifiedName.endsWith(name)
    ? qualifiedName.slice(0, qualifiedName.length - name.length).replace(/[.:#\\]+$/, '')
    : '';
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function remember<V>(map: Map<number, V>, key: number, value: V, limit: number): void {
  if (map.size >= limit) map.delete(map.keys().next().value!);
  map.set(key, value);
}
