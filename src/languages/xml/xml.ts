import { scanned } from '../runtime/scanning/scanned.ts';
import { scanXml } from './scan-xml.ts';

export const xml = scanned({
  id: 'xml',
  name: 'XML',
  family: 'data',
  comments: 'markup',
  extensions: [
    '.xml',
    '.xsd',
    '.xsl',
    '.xslt',
    '.wsdl',
    '.csproj',
    '.fsproj',
    '.vbproj',
    '.props',
    '.targets',
    '.nuspec',
    '.resx',
    '.plist',
    '.xaml',
  ],
  blockComment: ['<!--', '-->'],
  scan: scanXml,
});
