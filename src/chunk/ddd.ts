/**
 * Guesses roles of domain-driven design from names, packages, comments and members. Each mark has its reason, so that a
 * reader can check it.
 */

import type { DddMark, DddRole } from '../model/records/chunk.ts';
import type { ParsedFile, SymbolKind, SymbolRecord } from '../model/records/symbol.ts';
import { pattern } from '../model/text/pattern.ts';

const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'interface', 'protocol', 'trait', 'type']);

const BY_NAME: readonly { readonly role: DddRole; readonly pattern: RegExp; readonly reason: string }[] = [
  { role: 'aggregate', pattern: /(?:Aggregate|AggregateRoot)$/, reason: 'name ends with Aggregate' },
  {
    role: 'repository',
    pattern: /(?:^repository|^repo|Repository|Repo|Dao|DAO)(?:Impl|Interface)?$/,
    reason: 'name ends with Repository',
  },
  {
    role: 'service',
    pattern: /(?:^service|Service|UseCase|Interactor)(?:Impl|Interface|Mock)?$/,
    reason: 'name ends with Service',
  },
  { role: 'value_object', pattern: /(?:ValueObject|VO)$/, reason: 'name ends with ValueObject' },
  { role: 'entity', pattern: /Entity$/, reason: 'name ends with Entity' },
];
const BY_PACKAGE: readonly { readonly role: DddRole; readonly pattern: RegExp }[] = [
  { role: 'aggregate', pattern: /(?:^|[./\\:])aggregates?$/i },
  { role: 'repository', pattern: /(?:^|[./\\:])(?:repositor(?:y|ies)|daos?)$/i },
  { role: 'service', pattern: /(?:^|[./\\:])(?:services?|usecases?)$/i },
  { role: 'value_object', pattern: /(?:^|[./\\:])(?:valueobjects?|value_objects?|vo)$/i },
  { role: 'entity', pattern: /(?:^|[./\\:])entit(?:y|ies)$/i },
];
/** Comments that state a type's role: "Order is the aggregate root", "Money is a value object". */
const BY_COMMENT: readonly { readonly role: DddRole; readonly pattern: RegExp }[] = [
  { role: 'aggregate', pattern: /\b(?:is|as)\s+(?:an?|the)\s+(?:\w+\s+)?aggregate(?:\s+root)?\b(?!\s+of\b)/i },
  { role: 'value_object', pattern: /\b(?:is|as)\s+(?:an?|the)\s+(?:\w+\s+)?value[- ]object\b/i },
  { role: 'entity', pattern: /\b(?:is|as)\s+(?:an?|the)\s+(?:\w+\s+)?(?:domain\s+)?entity\b/i },
  { role: 'repository', pattern: /\b(?:is|as)\s+(?:an?|the)\s+(?:\w+\s+)?repository\b/i },
  { role: 'service', pattern: /\b(?:is|as)\s+(?:an?|the)\s+(?:domain|application)\s+service\b/i },
];
/** Names of quantities and descriptions, which have no identity and are compared by their parts. */
const VALUE_NAME = pattern()`
  (?:^|[a-z])(?:Money|Address|Currency|Price|Amount|Quantity|Percentage|Coordinates?|Email|PhoneNumber|DateRange
  |PostalCode|ZipCode)$
`;
const TYPED_ID = /(?:[a-z]|^)(?:Id|ID|Uuid|UUID)$/;
/** Roles of types with fields, which an alias of a string or number cannot have. */
const HAS_PARTS: ReadonlySet<DddRole> = new Set(['aggregate', 'entity']);
const STORES = /^(?:save|store|persist|insert|add|create|update|upsert|put|delete|remove)/i;
const FINDS = /^(?:find|get|load|fetch|list|by|all|exists|count|search|query)/i;
const FINDS_BY_ID = /^(?:find|get|load|fetch)(?:$|one|by|all|[A-Z])/i;
const IDENTITY = /^_?(?:id|ID|Id|uuid|UUID)$/;
/** Names of data carriers: an identity field in one refers to another object. */
const CARRIER = pattern()`
    (?:Dto|DTO|Request|Response|Result|Options|Params|Props|Config|Settings|Manifest|Event|Message|Command|Query|Id|ID
    |Model|Row|View|JSON|Json)$
  `;
/** Packages for input and output: a type with an identity there is a copy of an entity. */
const OUTSIDE =
  /(?:^|[./\\:])(?:adapters?|ports?|query|queries|commands?|dtos?|api|rest|http|persistence|infrastructure)$/i;
/** Names of types that work on a domain without being part of it. */
const WORKER = /(?:Factory|Builder|Handler|Server|Client|Error|Exception|Controller|Middleware|Decorator)$/;
const EQUALITY = /^(?:equals?|Equals?|__eq__|hashCode|GetHashCode|==|isEqual|IsZero)$/;
const EVENTS =
  /^(?:apply|raise|record|addDomainEvent|pullDomainEvents|AddEvent|addEvent|emitEvent|ApplyEvent|applyEvent)/;

export function markDddRoles(parsed: ParsedFile): DddMark[] {
  const members: number[][] = parsed.symbols.map(() => []);
  parsed.symbols.forEach((symbol, index) => {
    if (symbol.parent >= 0) members[symbol.parent]!.push(index);
  });
  const inheritsRoot = new Set(
    parsed.references
      .filter((r) => (r.kind === 'inherit' || r.kind === 'conform') && isRootType(r.receiver, r.name))
      .map((r) => r.from),
  );
  const stored = new Set(
    parsed.symbols.flatMap(({ kind, name }) => (TYPES.has(kind) ? (/^(.+)Repository$/.exec(name)?.[1] ?? []) : [])),
  );
  const marks: DddMark[] = [];
  parsed.symbols.forEach((symbol, index) => {
    if (!TYPES.has(symbol.kind)) return;
    const inside = members[index]!.map((member) => parsed.symbols[member]!);
    const found = roleOf(symbol, inside, parsed.package, inheritsRoot.has(index));
    // A domain has a repository per aggregate, and for no other type.
    if (stored.has(symbol.name) && symbol.kind !== 'interface' && (found === null || found.role === 'entity'))
      marks.push({ symbol: index, role: 'aggregate', reason: `${symbol.name}Repository stores it` });
    else if (found) marks.push({ symbol: index, ...found });
  });
  return [...marks, ...partsOfAggregates(parsed, members, marks)].sort((a, b) => a.symbol - b.symbol);
}

/** Whether a base type is an aggregate root: `AggregateRoot`, `ddd.BaseAggregate`, `aggregate.Root`. */
function isRootType(receiver: string, name: string): boolean {
  return /(?:AggregateRoot|BaseAggregate)$/.test(name) || (/^(?:Base)?Root$/.test(name) && /aggregate/i.test(receiver));
}

/** Value objects: types without an identity that are declared in the file of an aggregate. */
function partsOfAggregates(
  { symbols }: ParsedFile,
  members: readonly (readonly number[])[],
  marks: readonly DddMark[],
): DddMark[] {
  const root = marks.find(({ role }) => role === 'aggregate');
  if (!root) return [];
  const marked = new Set(marks.map(({ symbol }) => symbol));
  return symbols.flatMap((symbol, index) => {
    const { kind, name, parent } = symbol;
    const isValue = (kind === 'struct' || kind === 'type' || kind === 'class') && parent < 0 && !isFunctionType(symbol);
    if (!isValue || marked.has(index) || CARRIER.test(name) || WORKER.test(name)) return [];
    if (members[index]!.some((member) => IDENTITY.test(symbols[member]!.name))) return [];
    return [
      { symbol: index, role: 'value_object' as const, reason: `beside ${symbols[root.symbol]!.name}, no identity` },
    ];
  });
}

function roleOf(
  symbol: SymbolRecord,
  members: readonly SymbolRecord[],
  packageName: string,
  inheritsRoot: boolean,
): { role: DddRole; reason: string } | null {
  if (isFunctionType(symbol)) return null;
  if (inheritsRoot) return { role: 'aggregate', reason: 'inherits an aggregate root' };
  for (const { role, pattern } of BY_COMMENT)
    if (pattern.test(symbol.doc)) return { role, reason: 'its comment says so' };
  for (const { role, pattern, reason } of BY_NAME) if (pattern.test(symbol.name)) return { role, reason };
  const fields = members.filter((m) => m.kind === 'field' || m.kind === 'property');
  const methods = members.filter((m) => m.kind === 'method');
  const hasIdentity = fields.some((f) => IDENTITY.test(f.name));
  const isCarrier = CARRIER.test(symbol.name);
  if (isStoreInterface(symbol, methods))
    return { role: 'repository', reason: 'an interface whose methods store and find' };
  if (isTypedId(symbol, fields)) return { role: 'value_object', reason: 'a typed identifier' };
  if (hasIdentity && methods.some((m) => EVENTS.test(m.name)))
    return { role: 'aggregate', reason: 'has an identity and raises events' };
  if (!hasIdentity && symbol.kind !== 'interface' && VALUE_NAME.test(symbol.name))
    return { role: 'value_object', reason: 'named as a quantity or a description, no identity' };
  for (const { role, pattern } of BY_PACKAGE)
    if (
      pattern.test(packageName) &&
      !(role === 'entity' && isCarrier) &&
      (symbol.kind !== 'type' || !HAS_PARTS.has(role))
    )
      return { role, reason: `package ${packageName}` };
  if (hasIdentity && symbol.kind !== 'interface' && !isCarrier && !OUTSIDE.test(packageName))
    return { role: 'entity', reason: 'has an identity field' };
  if (
    !hasIdentity &&
    fields.length > 0 &&
    fields.length <= 6 &&
    !WORKER.test(symbol.name) &&
    methods.some((m) => EQUALITY.test(m.name))
  )
    return { role: 'value_object', reason: 'compared by value, no identity' };
  return null;
}

/** Whether a type is a function type, such as `type Option func(*Server)`, which has no role. */
function isFunctionType({ kind, signature }: SymbolRecord): boolean {
  return kind === 'type' && /\bfunc\s*\(/.test(signature);
}

/** Whether two thirds of an interface's methods store or find, with at least one of each: `Save` and `FindByID`. */
function isStoreInterface({ kind }: SymbolRecord, methods: readonly SymbolRecord[]): boolean {
  if (kind !== 'interface' && kind !== 'protocol' && kind !== 'trait') return false;
  const stores = methods.filter(({ name }) => STORES.test(name)).length;
  const finds = methods.filter(({ name }) => FINDS.test(name)).length;
  const findsOne = methods.some(({ name }) => FINDS_BY_ID.test(name));
  return stores > 0 && findsOne && (stores + finds) * 3 >= methods.length * 2;
}

/** Whether a type is an identifier: `type OrderID string`, a class `OrderId` around one value, or so commented. */
function isTypedId({ name, kind, doc }: SymbolRecord, fields: readonly SymbolRecord[]): boolean {
  if (kind === 'type' && /\buniquely identif(?:y|ies)\b/i.test(doc)) return true;
  return TYPED_ID.test(name) && (kind === 'type' || ((kind === 'class' || kind === 'struct') && fields.length <= 1));
}
