import { scanned } from '../runtime/scanning/scanned.ts';
import { scanDockerfile } from './scan-dockerfile.ts';

export const dockerfile = scanned({
  id: 'dockerfile',
  name: 'Dockerfile',
  aliases: ['docker'],
  family: 'data',
  comments: 'hash',
  extensions: ['.dockerfile', '.containerfile'],
  fileNames: ['Dockerfile', 'Containerfile'],
  lineComment: '#',
  scan: scanDockerfile,
});
