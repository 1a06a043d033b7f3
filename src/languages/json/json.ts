import { scanned } from '../runtime/scanning/scanned.ts';
import { scanJson } from './scan-json.ts';

export const json = scanned({
  id: 'json',
  name: 'JSON',
  aliases: ['jsonc', 'json5'],
  family: 'data',
  extensions: ['.json', '.jsonc', '.json5', '.webmanifest', '.code-workspace', '.topojson', '.geojson', '.avsc'],
  fileNames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc', '.jshintrc', 'composer.lock', 'Package.resolved'],
  lineComment: '//',
  blockComment: ['/*', '*/'],
  scan: scanJson,
});
