import type { LanguageDescriptor } from '../language.ts';
import { typescript } from './typescript.ts';

/** Single-file components: the script part is read as TypeScript (which JavaScript is), at its place in the file. */
function component(id: string, name: string, extension: string): LanguageDescriptor {
  return {
    ...typescript,
    id,
    name,
    aliases: [],
    extensions: [extension],
    interpreters: [],
    comments: 'markup-and-script',
    query: 'typescript',
    mask: maskAllButScript,
  };
}

export const vue = component('vue', 'Vue', '.vue');
export const svelte = component('svelte', 'Svelte', '.svelte');

/** Masks everything outside of <script> in Vue and Svelte files. Offsets stay valid. */
export function maskAllButScript(text: string): string {
  const opening = /<script\b[^>]{0,400}>/gi;
  let out = '';
  let end = 0;
  const last = text.lastIndexOf('</script');
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = opening.lastIndex;
    // A missing end tag is searched for once: a text of opening tags must not take quadratic time.
    const close = start > last ? -1 : text.indexOf('</script', start);
    // In a half-written file, the rest of the text belongs to the script.
    if (close < 0 && match[0].endsWith('/>')) continue;
    if (close < 0) return out + blank(text.slice(end, start)) + text.slice(start);
    out += blank(text.slice(end, start)) + text.slice(start, close);
    end = close;
    opening.lastIndex = close;
  }
  return out + blank(text.slice(end));
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
