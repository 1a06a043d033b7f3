import { scanCss } from '../../css/scan-css.ts';
import { scanDockerfile } from '../../dockerfile/scan-dockerfile.ts';
import { scanHcl } from '../../hcl/scan-hcl.ts';
import { scanHtml } from '../../html/scan-html.ts';
import { scanJson } from '../../json/scan-json.ts';
import type { LanguageDescriptor, ScannedContent } from '../../language.ts';
import { scanMakefile } from '../../makefile/scan-makefile.ts';
import { scanMarkdown, scanMdx } from '../../markdown/scan-markdown.ts';
import { scanAsciidoc, scanRst, scanText } from '../../prose/scan-prose.ts';
import { scanSql } from '../../sql/scan-sql.ts';
import { scanIni, scanToml } from '../../toml/scan-toml.ts';
import { scanXml } from '../../xml/scan-xml.ts';
import { scanYaml } from '../../yaml/scan-yaml.ts';

type Scan = (lines: readonly string[]) => ScannedContent;

/** A format read line by line; what is about grammars is empty. */
function scanned(
  own: Pick<LanguageDescriptor, 'id' | 'name' | 'family' | 'extensions'> &
    Partial<LanguageDescriptor> & { readonly scan: Scan },
): LanguageDescriptor {
  return {
    aliases: [],
    fileNames: [],
    interpreters: [],
    grammar: null,
    separator: '.',
    lineComment: '',
    blockComment: null,
    doc: 'none',
    commentNodes: [],
    wrapperNodes: [],
    bodyNodes: [],
    ...own,
  };
}

const markdown = scanned({
  id: 'markdown',
  name: 'Markdown',
  aliases: ['md'],
  family: 'documentation',
  extensions: ['.md', '.markdown', '.mdown', '.mkd', '.rmd', '.qmd', '.livemd', '.mdc'],
  scan: scanMarkdown,
});
const mdx = scanned({ id: 'mdx', name: 'MDX', family: 'documentation', extensions: ['.mdx'], scan: scanMdx });
const rst = scanned({
  id: 'rst',
  name: 'reStructuredText',
  aliases: ['restructuredtext'],
  family: 'documentation',
  extensions: ['.rst', '.rest'],
  scan: scanRst,
});
const asciidoc = scanned({
  id: 'asciidoc',
  name: 'AsciiDoc',
  aliases: ['adoc'],
  family: 'documentation',
  extensions: ['.adoc', '.asciidoc'],
  scan: scanAsciidoc,
});
const html = scanned({
  id: 'html',
  name: 'HTML',
  aliases: ['htm'],
  family: 'documentation',
  extensions: ['.html', '.htm', '.xhtml'],
  blockComment: ['<!--', '-->'],
  scan: scanHtml,
});
const text = scanned({
  id: 'text',
  name: 'Plain text',
  aliases: ['txt', 'plaintext'],
  family: 'documentation',
  extensions: ['.txt', '.text'],
  fileNames: [
    'README',
    'LICENSE',
    'LICENCE',
    'COPYING',
    'NOTICE',
    'AUTHORS',
    'CONTRIBUTORS',
    'CHANGELOG',
    'CHANGES',
    'NEWS',
    'HISTORY',
    'INSTALL',
    'TODO',
    'THANKS',
    'MAINTAINERS',
  ],
  scan: scanText,
});

const yaml = scanned({
  id: 'yaml',
  name: 'YAML',
  aliases: ['yml'],
  family: 'data',
  extensions: ['.yaml', '.yml'],
  fileNames: ['.clang-format', '.clang-tidy', '.gemrc', 'CITATION.cff'],
  lineComment: '#',
  scan: scanYaml,
});
const json = scanned({
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
const toml = scanned({
  id: 'toml',
  name: 'TOML',
  family: 'data',
  extensions: ['.toml'],
  fileNames: ['Pipfile', 'Cargo.lock', 'poetry.lock', 'uv.lock', 'Gopkg.lock'],
  lineComment: '#',
  scan: scanToml,
});
const ini = scanned({
  id: 'ini',
  name: 'INI',
  aliases: ['properties', 'conf', 'cfg'],
  family: 'data',
  extensions: ['.ini', '.cfg', '.conf', '.properties', '.service', '.socket', '.timer', '.desktop'],
  fileNames: ['.editorconfig', '.gitconfig', '.gitmodules', '.npmrc', '.flake8', '.pylintrc', '.coveragerc'],
  lineComment: '#',
  scan: scanIni,
});
const xml = scanned({
  id: 'xml',
  name: 'XML',
  family: 'data',
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
const hcl = scanned({
  id: 'hcl',
  name: 'HCL',
  aliases: ['terraform', 'tf'],
  family: 'data',
  extensions: ['.hcl', '.tf', '.tfvars', '.nomad'],
  lineComment: '#',
  blockComment: ['/*', '*/'],
  scan: scanHcl,
});
const dockerfile = scanned({
  id: 'dockerfile',
  name: 'Dockerfile',
  aliases: ['docker'],
  family: 'data',
  extensions: ['.dockerfile', '.containerfile'],
  fileNames: ['Dockerfile', 'Containerfile'],
  lineComment: '#',
  scan: scanDockerfile,
});
const makefile = scanned({
  id: 'makefile',
  name: 'Makefile',
  aliases: ['make'],
  family: 'code',
  extensions: ['.mk', '.mak', '.make'],
  fileNames: ['Makefile', 'makefile', 'GNUmakefile', 'BSDmakefile', 'Makefile.am', 'Makefile.in'],
  interpreters: ['make'],
  lineComment: '#',
  scan: scanMakefile,
});
const sql = scanned({
  id: 'sql',
  name: 'SQL',
  aliases: ['postgres', 'postgresql', 'mysql', 'plpgsql', 'tsql'],
  family: 'code',
  extensions: ['.sql', '.ddl', '.pgsql', '.psql', '.plsql', '.pks', '.pkb'],
  lineComment: '--',
  blockComment: ['/*', '*/'],
  scan: scanSql,
});
const css = scanned({
  id: 'css',
  name: 'CSS',
  aliases: ['scss', 'sass', 'less'],
  family: 'code',
  extensions: ['.css', '.scss', '.less', '.pcss'],
  blockComment: ['/*', '*/'],
  scan: scanCss,
});

/** Documents and data: everything that is read by a line scanner. */
export const DOCUMENTS: readonly LanguageDescriptor[] = [
  markdown,
  mdx,
  rst,
  asciidoc,
  html,
  text,
  yaml,
  json,
  toml,
  ini,
  xml,
  hcl,
  dockerfile,
  makefile,
  sql,
  css,
];
