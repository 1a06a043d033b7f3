import { scanned } from '../runtime/scanning/scanned.ts';
import { scanToml } from './scan-toml.ts';

export const toml = scanned({
  id: 'toml',
  name: 'TOML',
  family: 'data',
  comments: 'hash',
  extensions: ['.toml'],
  fileNames: ['Pipfile', 'Cargo.lock', 'poetry.lock', 'uv.lock', 'Gopkg.lock'],
  lineComment: '#',
  scan: scanToml,
});
