// `npm run picture -- PATH [QUERY]`: draws a search of the command line as docs/pictures/search.svg for the README.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './prepare.mjs';

const [path, query = 'write a value as json'] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: npm run picture -- PATH [QUERY]');
  process.exit(2);
}
const COLUMNS = 104;
const LINE = 19;
const LETTER = 8.4;
const COLOURS = {
  31: '#f07178',
  32: '#c3e88d',
  33: '#ffcb6b',
  34: '#82aaff',
  35: '#c792ea',
  36: '#89ddff',
  90: '#7c869d',
};

const home = mkdtempSync(join(tmpdir(), 'sextant-picture-'));
try {
  const env = { ...process.env, SEXTANT_HOME: home, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
  const args = ['search', query, '--path', resolve(path), '--yes'];
  const sextant = () =>
    execFileSync(join(root, 'bin/sextant'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  sextant();
  // Asks a second time, because the first answer waited for the index.
  const lines = [`\u001b[90m$\u001b[39m sextant search "${query}"`, '', ...sextant().trimEnd().split('\n')];
  mkdirSync(join(root, 'docs/pictures'), { recursive: true });
  writeFileSync(join(root, 'docs/pictures/search.svg'), picture(lines));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function picture(lines) {
  const height = lines.length * LINE + 32;
  const rows = lines.map((line, i) => `<text x="20" y="${i * LINE + 32}" xml:space="preserve">${spans(line)}</text>`);
  const width = Math.round(COLUMNS * LETTER + 40);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" \
aria-label="sextant search in a terminal">
<rect width="100%" height="100%" rx="8" fill="#1b1f2b"/>
<g font-family="ui-monospace, 'JetBrains Mono', Menlo, Consolas, monospace" font-size="14" fill="#d7dce8">
${rows.join('\n')}
</g>
</svg>
`;
}

/** Colours, bold and underline of a terminal as spans. */
function spans(line) {
  const style = { fill: null, bold: false, line: false };
  return line
    .split(/\u001b\[(\d+)m/)
    .map((part, i) => {
      if (i % 2 === 0) return part === '' ? '' : span(cut(part), style);
      const code = Number(part);
      if (code === 1 || code === 22) style.bold = code === 1;
      else if (code === 4 || code === 24) style.line = code === 4;
      else style.fill = COLOURS[code] ?? null;
      return '';
    })
    .join('');
}

function span(text, { fill, bold, line }) {
  const marks = [fill && `fill="${fill}"`, bold && 'font-weight="bold"', line && 'text-decoration="underline"'].filter(
    Boolean,
  );
  return marks.length === 0 ? text : `<tspan ${marks.join(' ')}>${text}</tspan>`;
}

function cut(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
