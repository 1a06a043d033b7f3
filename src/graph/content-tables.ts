/**
 * What the graph knows of single contents: their symbols by name and scope, what their types inherit. Nothing here
 * depends on a tree, so the tables outlive every publication, and a changed file costs one new table.
 */
import type { ContentDetail } from '../model/records/chunk.ts';
import type { ImportRecord, Reference, SymbolRecord } from '../model/records/symbol.ts';
import type { StoreReader } from '../store/store.ts';

export interface ContentTable {
  readonly package: string;
  readonly symbols: readonly SymbolRecord[];
  readonly imports: readonly ImportRecord[];
  /** Ordinals of a name, in the order of the file. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** The scope around each symbol as its file writes it: "AuthService" for AuthService.refresh, '' at the top. */
  readonly owners: readonly string[];
  /** Inherited, conformed to and extended names by the symbol that says so. */
  readonly supers: ReadonlyMap<number, readonly Reference[]>;
}

/** Tables are small beside the details they are made of; about 30 MB at this number. */
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
    const made = buildTable(this.#reader.detail(row));
    remember(this.#tables, row, made, MAX_TABLES);
    return made;
  }

  references(row: number): readonly Reference[] {
    return this.#reader.detail(row).references;
  }

  lines(row: number): readonly string[] {
    const known = this.#lines.get(row);
    if (known) return known;
    const made = this.#reader.text(row).split('\n');
    remember(this.#lines, row, made, MAX_TEXTS);
    return made;
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

/** A method that is defined outside of its type: Go receivers, `A::f` in C++. Its scope is not what it stands in. */
export function isDefinedOutsideType({ symbols, owners }: ContentTable, ordinal: number): boolean {
  const owner = owners[ordinal]!;
  const parent = symbols[symbols[ordinal]!.parent];
  return owner !== '' && (!parent || (parent.kind === 'module' && parent.qualifiedName !== owner));
}

/** The qualified name without its last part and the separator before it. */
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
