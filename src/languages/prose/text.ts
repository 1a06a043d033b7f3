import { scanned } from '../runtime/scanning/scanned.ts';
import { scanText } from './scan-prose.ts';

export const text = scanned({
  id: 'text',
  name: 'Plain text',
  aliases: ['txt', 'plaintext'],
  family: 'documentation',
  extensions: ['.txt', '.text'],
  fileNames: [
    'README',
    'LICENSE',
    'LICENCE',
    'COPYING',
    'NOTICE',
    'AUTHORS',
    'CONTRIBUTORS',
    'CHANGELOG',
    'CHANGES',
    'NEWS',
    'HISTORY',
    'INSTALL',
    'TODO',
    'THANKS',
    'MAINTAINERS',
  ],
  scan: scanText,
});
