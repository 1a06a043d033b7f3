/** Files that are cut, or miss a bracket: what stands around the damage is found all the same. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ParsedFile } from '../../model/records/symbol.ts';
import { createParser, languageById } from '../index.ts';
import { readTypedHead } from './recovery/typed-head.ts';
import { linkGrammars } from './testing/grammar-folder.ts';

const folders = linkGrammars();
const parser = createParser(folders);
after(() => {
  parser.close();
  folders.remove();
});

async function parse(id: string, text: string): Promise<ParsedFile> {
  const language = languageById(id);
  await parser.load(language, text);
  return parser.parse({ language, text });
}
const outline = (file: ParsedFile) => file.symbols.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`);

test('C: functions after a missing brace are found', async () => {
  const file = await parse(
    'c',
    `static int first(int a)
{
  if (a) {
    return 1;
}

static struct job *
second(struct job *j, int b)
{
  return run(j);
}

int third(void) { return 3; }
`,
  );
  assert.ok(file.problems.length > 0);
  assert.deepEqual(outline(file), ['function first', 'function second', 'function third']);
  assert.equal(file.symbols[1]!.signature, 'static struct job * second(struct job *j, int b)');
});

test('C: a truncated header, or one with a missing brace, keeps its prototypes and their docs', async () => {
  const head = `#ifndef A_H
#define A_H
/** Opens it. */
int a_open(const char *path);
struct point { int x;`;
  const cut = await parse('c', head);
  assert.deepEqual(outline(cut).slice(0, 1), ['function a_open']);
  assert.equal(cut.symbols[0]!.doc, 'Opens it.');
  const broken = await parse('c', `${head}\nint a_close(int fd);\nvoid a_free(void *p);\n#endif\n`);
  assert.ok(outline(broken).includes('function a_close') && outline(broken).includes('function a_free'));
});

test('Java: methods after a missing brace belong to their class', async () => {
  const file = await parse(
    'java',
    `package a.b;

public class Jobs {
  private final int size;

  public Jobs(int size) {
    if (size < 0) {
      throw new IllegalArgumentException();
    this.size = size;
  }

  @Override
  public <T> List<T> all(Map<String, T> by) throws IOException {
    return find(by);
  }

  int size() {
    return new Counter(size) { };
  }
`,
  );
  assert.deepEqual(
    outline(file).filter((line) => !line.startsWith('field')),
    ['class Jobs', 'method Jobs.Jobs', 'method Jobs.all', 'method Jobs.size'],
  );
});

test('C#: methods around half a line are found; a file-scoped namespace is no module', async () => {
  const file = await parse(
    'csharp',
    `namespace Shop;

public class Order
{
    public Order(int id)
        : base(id)
    {
        total = Sum(
    }

    private static int Sum(IEnumerable<int> all) => all.Sum();

    public async Task Save()
    {
        await using (var x = Open())
        {
        }
    }
}
`,
  );
  assert.deepEqual(outline(file), ['class Order', 'method Order.Order', 'method Order.Sum', 'method Order.Save']);
});

test('Rust: items after an unclosed macro are found', async () => {
  const file = await parse(
    'rust',
    'table! {\n  users (id) {\n    id -> Integer,\n  }\n\npub struct User {\n  id: i32,\n}\n\nfn load() {}\n',
  );
  assert.deepEqual(outline(file), ['struct User', 'function load']);
});

test('statements after an error are no methods', async () => {
  const file = await parse(
    'java',
    'class A {\n  void f() {\n    g(;\n    try {\n      h();\n    }\n    finally {\n      i();\n    }\n  }\n}\n}\n',
  );
  assert.deepEqual(outline(file), ['class A', 'method A.f']);
});

test('heads without a keyword are told from calls', () => {
  const head = (text: string) => readTypedHead(text.split('\n'), 0);
  const named = (text: string) => {
    const found = head(text);
    return found && [found.receiver, found.name, found.signature];
  };
  assert.deepEqual(named('int a::B<T>::run(int x) const {'), ['a::B', 'run', 'int a::B<T>::run(int x) const']);
  assert.deepEqual(named('Widget build(BuildContext c) => Text("a");'), ['', 'build', 'Widget build(BuildContext c)']);
  assert.deepEqual(named('TEST(Suite, Name) {'), ['Suite', 'Name', 'TEST(Suite, Name)']);
  assert.deepEqual(named('int f(int a)  // what\n{'), ['', 'f', 'int f(int a)']);
  assert.equal(head('  TEST(Suite, Name) {'), null);
  assert.equal(head('int f(int a);')!.isPrototype, true);
  for (const text of [
    '  run(x) {',
    '  return make(x);',
    '  else if (a) {',
    '  x = new Job(y) {',
    '  a.b(c) {',
    '  foo bar(x => {',
    'int x = f(y);',
  ])
    assert.equal(head(text), null, text);
});
