import { scanned } from '../runtime/scanning/scanned.ts';
import { scanAsciidoc } from './scan-prose.ts';

export const asciidoc = scanned({
  id: 'asciidoc',
  name: 'AsciiDoc',
  aliases: ['adoc'],
  family: 'documentation',
  extensions: ['.adoc', '.asciidoc'],
  scan: scanAsciidoc,
});
