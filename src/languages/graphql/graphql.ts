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
  // Descriptions stand inside of what they describe.
  attributeNodes: ['description'],
  wrapperNodes: [],
  bodyNodes: [],
  wire: 'operations',
  keepReference: (name) => !/^(?:ID|Int|String|Boolean|Float|deprecated)$/.test(name),
};
