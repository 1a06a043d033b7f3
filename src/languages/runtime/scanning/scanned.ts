import type { LanguageDescriptor, ScannedContent } from '../../language.ts';

type Scan = (lines: readonly string[]) => ScannedContent;

/** The descriptor of a format that is scanned by lines; fields about grammars are empty. */
export function scanned(
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
