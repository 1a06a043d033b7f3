import { maskAllButScript } from '../html/scan-html.ts';
import type { LanguageDescriptor } from '../language.ts';
import { JAVASCRIPT } from './script.ts';

const typescript = JAVASCRIPT.find((language) => language.id === 'typescript')!;

/** Single-file components: their script part is TypeScript (which JavaScript is), at its place in the file. */
function component(id: string, name: string, extension: string): LanguageDescriptor {
  return {
    ...typescript,
    id,
    name,
    aliases: [],
    extensions: [extension],
    interpreters: [],
    query: 'typescript',
    mask: maskAllButScript,
  };
}

export const COMPONENTS: readonly LanguageDescriptor[] = [
  component('vue', 'Vue', '.vue'),
  component('svelte', 'Svelte', '.svelte'),
];
