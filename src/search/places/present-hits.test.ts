/** Hits in a chunk that holds several small definitions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';

const files = {
  'logger.go': `package web

// ErrorLogger writes the errors of a request.
func ErrorLogger() Handler {
	return ErrorLoggerT(Any)
}

// ErrorLoggerT writes the errors of one type.
func ErrorLoggerT(typ Type) Handler {
	return typ.handler
}

// Logger writes a line for each request.
func Logger() Handler {
	return LoggerWithConfig(Config{})
}

// IsAborted tells whether the chain has ended.
func IsAborted() bool { return aborted }

// Abort ends the chain: "no handler follows".
func Abort() { aborted = true }

// WrapH takes a handler of the standard library.
func WrapH(h http.Handler) Handler { return wrap(h) }

// H is a map with text keys.
type H map[string]any
`,
  'other.go': 'package web\n\n// Config of the chain.\ntype Config struct{}\n',
};
let space: Workspace;
before(async () => {
  space = workspace(files);
  await space.engine.index(space.root);
});
after(() => space.close());

const ask = async (query: string) => (await space.engine.search(space.root, { query })).hits;

test('a name in a packed chunk gets the lines of its own definition, not those of a longer name', async () => {
  const rows = files['logger.go'].split('\n');
  for (const [query, name, declaration] of [
    ['Logger', 'Logger', 'func Logger()'],
    ['ErrorLogger', 'ErrorLogger', 'func ErrorLogger()'],
    ['Abort', 'Abort', 'func Abort()'],
    ['H', 'H', 'type H map'],
  ] as const) {
    const [first] = await ask(query);
    const line = rows.findIndex((row) => row.startsWith(declaration)) + 1;
    assert.equal(first?.symbol?.name, name, query);
    assert.ok(first.startLine <= line && line <= first.endLine, `${query}: ${first.startLine}-${first.endLine}`);
    assert.deepEqual(first.symbolNames, [name]);
    assert.ok(first.endLine - first.startLine < 5);
  }
});

test('two definitions in one packed chunk have different result ids that lead back to each of them', async () => {
  const [logger] = await ask('Logger');
  const [abort] = await ask('Abort');
  assert.notEqual(logger?.resultId, abort?.resultId);
  for (const hit of [logger!, abort!]) {
    const { symbols } = await space.engine.locate(space.root, { name: hit.resultId });
    assert.deepEqual(
      symbols.map(({ name }) => name),
      [hit.symbol?.name],
    );
  }
});

test('quoted text is shown by the definition around it', async () => {
  const [first] = await ask('"no handler follows"');
  assert.equal(first?.symbol?.name, 'Abort');
  assert.match(first.content, /no handler follows/);
});
