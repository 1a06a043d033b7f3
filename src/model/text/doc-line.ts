/** The first line of a doc comment, without XML tags (C#, Java), and skipping lines of a single tag (`@publicApi`). */
import { pattern } from './pattern.ts';

const NAMES = /<(?:see|seealso|paramref|typeparamref)\s+(?:cref|langword|href|name)="(?:[A-Z]:)?([^"]*)"\s*\/?>/g;
const TAGS = pattern('g')`
  <\/?(?:summary|remarks|para|returns|value|param|typeparam|exception|example|inheritdoc|c|code|b|i|p|br
  |pre)(?:\s[^<>]*)?\/?>
`;

export function plainDoc(doc: string): string {
  return doc.includes('<') ? doc.replace(NAMES, '$1').replace(TAGS, '') : doc;
}

export function docLine(doc: string): string {
  return (
    plainDoc(doc)
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !/^@\w+$/.test(line)) ?? ''
  );
}
