import { scanned } from '../runtime/scanning/scanned.ts';
import { scanIni } from './scan-toml.ts';

export const ini = scanned({
  id: 'ini',
  name: 'INI',
  aliases: ['properties', 'conf', 'cfg'],
  family: 'data',
  comments: 'hash',
  extensions: ['.ini', '.cfg', '.conf', '.properties', '.service', '.socket', '.timer', '.desktop'],
  fileNames: ['.editorconfig', '.gitconfig', '.gitmodules', '.npmrc', '.flake8', '.pylintrc', '.coveragerc'],
  lineComment: '#',
  scan: scanIni,
});
