import type { LanguageDescriptor } from '../language.ts';

export const protobuf: LanguageDescriptor = {
  id: 'protobuf',
  name: 'Protocol Buffers',
  aliases: ['proto', 'proto3', 'grpc'],
  extensions: ['.proto'],
  fileNames: [],
  interpreters: [],
  family: 'code',
  comments: 'c',
  grammar: 'proto',
  separator: '.',
  lineComment: '//',
  blockComment: ['/*', '*/'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: ['message_body', 'enum_body', 'rpc'],
  dottedNames: true,
  wire: 'services',
  // The options of an rpc are its body; those of a service are inside of its body.
  refine: (symbols) =>
    symbols.map((symbol) =>
      symbol.kind === 'method' || symbol.kind === 'interface'
        ? { ...symbol, signature: symbol.signature.replace(/ ?\{.*$/, '') }
        : symbol,
    ),
};
