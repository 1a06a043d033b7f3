import { nameRules } from '../name-rules.ts';
import { scanned } from '../runtime/scanning/scanned.ts';
import { scanCss } from './scan-css.ts';

export const css = scanned({
  id: 'css',
  name: 'CSS',
  aliases: ['scss', 'sass', 'less'],
  family: 'code',
  comments: 'c',
  extensions: ['.css', '.scss', '.less', '.pcss'],
  blockComment: ['/*', '*/'],
  scan: scanCss,
  // A mixin counts as visible in every file: the order of imports is not followed.
  names: nameRules({ family: 'css', visible: 'global', mentions: null }),
});
