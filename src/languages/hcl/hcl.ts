import { scanned } from '../runtime/scanning/scanned.ts';
import { scanHcl } from './scan-hcl.ts';

export const hcl = scanned({
  id: 'hcl',
  name: 'HCL',
  aliases: ['terraform', 'tf'],
  family: 'data',
  comments: 'hash-and-c',
  extensions: ['.hcl', '.tf', '.tfvars', '.nomad'],
  lineComment: '#',
  blockComment: ['/*', '*/'],
  scan: scanHcl,
});
