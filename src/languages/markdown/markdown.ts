import { scanned } from '../runtime/scanning/scanned.ts';
import { scanMarkdown } from './scan-markdown.ts';

export const markdown = scanned({
  id: 'markdown',
  name: 'Markdown',
  aliases: ['md'],
  family: 'documentation',
  extensions: ['.md', '.markdown', '.mdown', '.mkd', '.rmd', '.qmd', '.livemd', '.mdc'],
  scan: scanMarkdown,
});
