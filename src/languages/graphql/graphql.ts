import type { LanguageDescriptor } from '../language.ts';

export const graphql: LanguageDescriptor = {
  id: 'graphql',
  name: 'GraphQL',
  aliases: ['gql'],
  extensions: ['.graphql', '.gql', '.graphqls'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  comments: 'hash',
  grammar: 'graphql',
  separator: '.',
  lineComment: '#',
  blockComment: null,
  doc: 'comment-before',
  commentNodes: ['comment'],
  // In GraphQL's syntax tree, a description is a child of what it describes.
  attributeNodes: ['description'],
  wrapperNodes: [],
  bodyNodes: [],
  wire: 'operations',
  keepReference: (name) => !/^(?:ID|Int|String|Boolean|Float|deprecated)$/.test(name),
};
