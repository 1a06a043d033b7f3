import { scanned } from '../runtime/scanning/scanned.ts';
import { scriptImports } from '../script/imports.ts';
import { scanMdx } from './scan-markdown.ts';

export const mdx = scanned({
  id: 'mdx',
  name: 'MDX',
  family: 'documentation',
  extensions: ['.mdx'],
  scan: scanMdx,
  imports: scriptImports,
});
