/** A store in a temp folder, for tests. */
import { optionsFor, temporaryFolder } from './fixtures/made-up.ts';
import { openWriter } from './index.ts';

export const FILES = {
  'a.toy': 'alpha beta\ngamma',
  'lib/b.toy': 'beta beta delta broken',
  'lib/b_test.toy': 'beta beta delta broken',
};

export function opened(t: { after(done: () => void): void }, more = {}) {
  const options = optionsFor(temporaryFolder(t));
  const writer = openWriter(options, { owner: 'test', graceMs: 0, ...more });
  t.after(() => writer.release());
  return { options, writer, reader: writer.reader };
}
