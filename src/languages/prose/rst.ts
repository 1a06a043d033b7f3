import { scanned } from '../runtime/scanning/scanned.ts';
import { scanRst } from './scan-prose.ts';

export const rst = scanned({
  id: 'rst',
  name: 'reStructuredText',
  aliases: ['restructuredtext'],
  family: 'documentation',
  extensions: ['.rst', '.rest'],
  scan: scanRst,
});
