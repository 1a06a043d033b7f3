import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ParsedFile, SymbolKind, SymbolRecord } from '../model/records/symbol.ts';
import { chunkFile } from './chunk-file.ts';
import { markDddRoles } from './ddd.ts';
import { MAX_LINES } from './line-ranges.ts';

function symbol(
  name: string,
  kind: SymbolKind,
  startLine: number,
  endLine: number,
  more: Partial<SymbolRecord> = {},
): SymbolRecord {
  return {
    name,
    kind,
    parent: -1,
    qualifiedName: name,
    signature: name,
    doc: '',
    visibility: 'public',
    fullStartLine: startLine,
    startLine,
    endLine,
    nameLine: startLine,
    nameColumn: 1,
    ...more,
  };
}

function parsed(symbols: SymbolRecord[], more: Partial<ParsedFile> = {}): ParsedFile {
  return {
    language: 'go',
    lineCount: 0,
    package: 'p',
    symbols,
    references: [],
    imports: [],
    sections: [],
    tags: [],
    problems: [],
    ...more,
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

test('a short definition is one chunk after the overview', () => {
  const chunks = chunkFile(
    parsed([symbol('f', 'function', 1, 30), symbol('g', 'function', 31, 60)]),
    numbered(60),
    'code',
  );
  assert.deepEqual(
    chunks.map((c) => [c.type, c.startLine, c.endLine, c.title]),
    [
      ['symbols', 1, 60, 'symbols'],
      ['definitions', 1, 30, 'f'],
      ['definitions', 31, 60, 'g'],
    ],
  );
});

test('a method outside its type is a chunk of its own, wherever the type is', () => {
  const titles = (typeLines: [number, number], methods: [number, number][]) => {
    const type = symbol('Store', 'struct', ...typeLines);
    const all = [type, ...methods.map(([from, to], i) => symbol(`m${i}`, 'method', from, to))];
    all.sort((a, b) => a.startLine - b.startLine);
    const parent = all.indexOf(type);
    const symbols = all.map((s) => (s.kind === 'method' ? { ...s, parent } : s));
    return chunkFile(parsed(symbols), numbered(200), 'code')
      .slice(1)
      .map((c) => [c.title, c.startLine, c.endLine]);
  };
  assert.deepEqual(
    titles(
      [1, 20],
      [
        [21, 50],
        [51, 90],
      ],
    ),
    [
      ['Store', 1, 20],
      ['m0', 21, 50],
      ['m1', 51, 90],
      ['', 91, 150],
      ['', 151, 200],
    ],
  );
  assert.deepEqual(
    titles(
      [100, 199],
      [
        [1, 40],
        [110, 150],
        [170, 190],
      ],
    ).filter(([title]) => title !== ''),
    [
      ['m0', 1, 40],
      ['Store', 100, 109],
      ['m1', 110, 150],
      ['m2', 170, 190],
    ],
  );
});

test('a long definition is split at its borders and the parts are numbered', () => {
  const chunks = chunkFile(
    parsed([symbol('f', 'function', 1, 100, { borders: [2, 41, 55, 90] })]),
    numbered(100),
    'code',
  ).slice(1);
  assert.deepEqual(
    chunks.map((c) => [c.startLine, c.endLine, c.part]),
    [
      [1, 54, 0],
      [55, 100, 1],
    ],
  );
  assert.equal(chunks[1]!.title, 'f (part 2)');
});

test('small neighbours are packed, constants become data', () => {
  const constants = Array.from({ length: 6 }, (_, i) => symbol(`C${i}`, 'constant', i + 1, i + 1));
  const chunks = chunkFile(parsed(constants), numbered(6), 'code').slice(1);
  assert.deepEqual(
    chunks.map((c) => [c.type, c.startLine, c.endLine, c.symbolCount]),
    [['data', 1, 6, 6]],
  );
});

test('values and definitions are not packed into one chunk', () => {
  const symbols = [
    symbol('LIMIT', 'constant', 1, 1),
    symbol('COLON', 'constant', 2, 2),
    symbol('Handler', 'type', 3, 3),
    symbol('run', 'function', 4, 6),
  ];
  const chunks = chunkFile(parsed(symbols), numbered(6), 'code').slice(1);
  assert.deepEqual(
    chunks.map((c) => [c.type, c.startLine, c.endLine, c.symbolCount]),
    [
      ['data', 1, 2, 2],
      ['definitions', 3, 6, 2],
    ],
  );
});

test('an enum is data when it lists more values than methods', () => {
  const inside = (name: string, kind: SymbolKind, line: number) => symbol(name, kind, line, line, { parent: 0 });
  const values = [symbol('Mode', 'enum', 1, 5), inside('memory', 'constant', 2), inside('disk', 'constant', 3)];
  const typeOf = (symbols: SymbolRecord[]) => chunkFile(parsed(symbols), numbered(5), 'code')[1]!.type;
  assert.equal(typeOf([...values, inside('label', 'property', 4)]), 'data');
  const methods = [symbol('Names', 'enum', 1, 5), inside('first', 'method', 2), inside('second', 'method', 3)];
  assert.equal(typeOf(methods), 'definitions');
});

test('definitions that share lines with a previous one are counted in the same chunk', () => {
  const symbols = [
    symbol('commands', 'variable', 1, 100),
    symbol('command', 'struct', 1, 3),
    symbol('word', 'field', 2, 2, { parent: 1 }),
    symbol('run', 'function', 101, 130),
  ];
  const chunks = chunkFile(parsed(symbols), numbered(130), 'code').slice(1);
  assert.deepEqual(
    chunks.map((c) => [c.startLine, c.symbol, c.symbolCount]),
    [
      [1, 0, 3],
      [61, 0, 1],
      [101, 3, 1],
    ],
  );
});

test('a long class is split into its head and its methods', () => {
  const symbols = [
    symbol('A', 'class', 1, 90),
    symbol('m', 'method', 5, 40, { parent: 0, qualifiedName: 'A.m' }),
    symbol('n', 'method', 42, 88, { parent: 0, qualifiedName: 'A.n' }),
  ];
  const chunks = chunkFile(parsed(symbols), numbered(90), 'code').slice(1);
  assert.deepEqual(
    chunks.map((c) => [c.title, c.startLine, c.endLine]),
    [
      ['A', 1, 4],
      ['A.m', 5, 40],
      ['A.n', 41, 90],
    ],
  );
});

test('sections of a document keep their heading path', () => {
  const doc = parsed([], {
    sections: [
      { path: ['Guide'], startLine: 1, endLine: 10 },
      { path: ['Guide', 'Install'], startLine: 11, endLine: 20 },
    ],
  });
  assert.deepEqual(
    chunkFile(doc, numbered(20), 'documentation').map((c) => [c.type, c.title]),
    [
      ['documentation', 'Guide'],
      ['documentation', 'Guide > Install'],
    ],
  );
});

test('chunks are ordered, inside the file, disjoint, and cover every line with text', () => {
  const file = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 150 }), gap: fc.integer({ min: 0, max: 12 }), nested: fc.boolean() }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(file, (parts) => {
      const symbols: SymbolRecord[] = [];
      let line = 1;
      for (const { size, gap, nested } of parts) {
        line += gap;
        const index = symbols.length;
        symbols.push(symbol(`s${index}`, nested ? 'class' : 'function', line, line + size - 1));
        if (nested && size > 4) symbols.push(symbol('inner', 'method', line + 1, line + size - 2, { parent: index }));
        line += size;
      }
      const lines = numbered(line + 3);
      const chunks = chunkFile(parsed(symbols), lines, 'code').filter((c) => c.type !== 'symbols');
      let previous = 0;
      for (const chunk of chunks) {
        assert.equal(chunk.startLine, previous + 1);
        assert.ok(chunk.endLine >= chunk.startLine && chunk.endLine <= lines.length);
        assert.ok(chunk.endLine - chunk.startLine <= MAX_LINES + 10);
        previous = chunk.endLine;
      }
      assert.equal(previous, lines.length);
    }),
  );
});

test('each role has its reason', () => {
  const symbols = [
    symbol('UserRepository', 'interface', 1, 3),
    symbol('Order', 'struct', 5, 9),
    symbol('id', 'field', 6, 6, { parent: 1 }),
    symbol('OrderDto', 'class', 11, 13),
    symbol('id', 'field', 12, 12, { parent: 3 }),
  ];
  assert.deepEqual(markDddRoles(parsed(symbols)), [
    { symbol: 0, role: 'repository', reason: 'name ends with Repository' },
    { symbol: 1, role: 'entity', reason: 'has an identity field' },
  ]);
});

test('a type that embeds an aggregate root is one, and function types and aliases have no role', () => {
  const symbols = [
    symbol('Order', 'struct', 1, 4),
    symbol('Now', 'type', 6, 6, { signature: 'type Now func() time.Time' }),
    symbol('Version', 'type', 7, 7, { signature: 'type Version string' }),
    symbol('ID', 'type', 8, 8, { signature: 'type ID string' }),
  ];
  const root = { kind: 'inherit' as const, name: 'Root', receiver: 'aggregate', line: 2, column: 1, from: 0 };
  const roles = markDddRoles(parsed(symbols, { package: 'aggregate', references: [root] }));
  assert.deepEqual(
    roles.map(({ symbol: index, role }) => [symbols[index]!.name, role]),
    [
      ['Order', 'aggregate'],
      ['Version', 'value_object'],
      ['ID', 'value_object'],
    ],
  );
});

test('the type of a repository is an aggregate, and a type without identity beside it is a value object', () => {
  const symbols = [
    symbol('VoyageNumber', 'type', 1, 1, { doc: 'VoyageNumber uniquely identifies a voyage.' }),
    symbol('Voyage', 'struct', 3, 6),
    symbol('Schedule', 'struct', 8, 10),
    symbol('VoyageFactory', 'struct', 12, 14),
    symbol('VoyageRepository', 'interface', 16, 18),
  ];
  assert.deepEqual(
    markDddRoles(parsed(symbols)).map(({ symbol: at, role }) => [symbols[at]!.name, role]),
    [
      ['VoyageNumber', 'value_object'],
      ['Voyage', 'aggregate'],
      ['Schedule', 'value_object'],
      ['VoyageRepository', 'repository'],
    ],
  );
});
