import type { LanguageDescriptor } from '../language.ts';

const protobuf: LanguageDescriptor = {
  id: 'protobuf',
  name: 'Protocol Buffers',
  aliases: ['proto', 'proto3', 'grpc'],
  extensions: ['.proto'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  grammar: 'proto',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: ['message_body', 'enum_body', 'rpc'],
  dottedNames: true,
  // The options of an rpc are its body, those of a service stand in it.
  refine: (symbols) =>
    symbols.map((symbol) =>
      symbol.kind === 'method' || symbol.kind === 'interface'
        ? { ...symbol, signature: symbol.signature.replace(/ ?\{.*$/, '') }
        : symbol,
    ),
};

const graphql: LanguageDescriptor = {
  id: 'graphql',
  name: 'GraphQL',
  aliases: ['gql'],
  extensions: ['.graphql', '.gql', '.graphqls'],
  fileNames: [],
  interpreters: [],
  family: 'code',
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
  keepReference: (name) => !/^(?:ID|Int|String|Boolean|Float|deprecated)$/.test(name),
};

/** Languages that describe data and interfaces for other languages. */
export const SCHEMAS: readonly LanguageDescriptor[] = [protobuf, graphql];
