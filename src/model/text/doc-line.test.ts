import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docLine } from './doc-line.ts';

test('docLine returns the first line of a doc comment that is not empty or a single tag', () => {
  for (const [doc, line] of [
    ['Reads the file.\nThen closes it.', 'Reads the file.'],
    ['<summary>\nWaits, then tries again.\n</summary>\n<param name="n">How often.</param>', 'Waits, then tries again.'],
    ['<summary>Gives a <see cref="T:Acme.Cart"/> for <paramref name="id"/>.</summary>', 'Gives a Acme.Cart for id.'],
    ['@publicApi\n\nA module.', 'A module.'],
    ['@param text what to read', '@param text what to read'],
    ['{@inheritDoc}', '{@inheritDoc}'],
    ['<inheritdoc/>', ''],
    ['@inheritDoc', ''],
    ['A List<T> of a<b.', 'A List<T> of a<b.'],
    ['', ''],
  ] as const)
    assert.equal(docLine(doc), line, doc);
});
