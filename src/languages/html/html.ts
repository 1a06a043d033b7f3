import { scanned } from '../runtime/scanning/scanned.ts';
import { scanHtml } from './scan-html.ts';

export const html = scanned({
  id: 'html',
  name: 'HTML',
  aliases: ['htm'],
  family: 'documentation',
  comments: 'markup-and-script',
  extensions: ['.html', '.htm', '.xhtml'],
  blockComment: ['<!--', '-->'],
  scan: scanHtml,
});
