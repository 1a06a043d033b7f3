import { scanned } from '../runtime/scanning/scanned.ts';
import { scanMakefile } from './scan-makefile.ts';

export const makefile = scanned({
  id: 'makefile',
  name: 'Makefile',
  aliases: ['make'],
  family: 'code',
  comments: 'hash',
  extensions: ['.mk', '.mak', '.make'],
  fileNames: ['Makefile', 'makefile', 'GNUmakefile', 'BSDmakefile', 'Makefile.am', 'Makefile.in'],
  interpreters: ['make'],
  lineComment: '#',
  scan: scanMakefile,
});
