import { scanned } from '../runtime/scanning/scanned.ts';
import { scanYaml } from './scan-yaml.ts';

export const yaml = scanned({
  id: 'yaml',
  name: 'YAML',
  aliases: ['yml'],
  family: 'data',
  comments: 'hash',
  extensions: ['.yaml', '.yml'],
  fileNames: ['.clang-format', '.clang-tidy', '.gemrc', 'CITATION.cff'],
  lineComment: '#',
  scan: scanYaml,
});
