/** Exports that read text and need no attack of their own, by file, and why. */
const REASONS: readonly (readonly [why: string, names: readonly string[]])[] = [
  [
    'gets signatures and names, which are cut when they are extracted',
    [
      ...['beginsWithLiteral', 'isDictionary'].map((name) => `graph/reading/literal.ts#${name}`),
      ...['cleanType', 'dropArguments', 'unquote', 'beforeInitialisers'].map(
        (name) => `languages/runtime/extract/node-text.ts#${name}`,
      ),
      ...['cutValue', 'typeBefore'].map((name) => `languages/runtime/reading/declared.ts#${name}`),
      'languages/script/exports.ts#requiredMember',
    ],
  ],
  [
    'is part of what is attacked',
    [
      'cli/config/config-file.ts#parseConfig',
      ...['parametersOf', 'resultOf', 'declaredValueOf'].map((name) => `graph/reading/signature.ts#${name}`),
      ...['splitTop', 'findTop', 'closingOf', 'stringEnd'].map((name) => `languages/runtime/reading/split.ts#${name}`),
      ...['maskAllButScript', 'readExports', 'readScriptImports'].flatMap((name) =>
        ['components', 'exports', 'read-imports'].map((file) => `languages/script/${file}.ts#${name}`),
      ),
      'graph/reading/find-local.ts#indentOf',
      'languages/runtime/extract/doc-text.ts#isLicence',
      'languages/runtime/extract/import-records.ts#foldSpace',
      'languages/runtime/recovery/recover.ts#recoverDefinitions',
      'languages/runtime/scanning/rows.ts#rows',
      'languages/runtime/scanning/scan-draft.ts#fold',
      'memory/mining/mine-prose.ts#linesOf',
      'model/secrets/redact.ts#redactText',
      'model/secrets/redact.ts#replaceSpans',
      'model/highlight/scan-markup.ts#scanMarkup',
      'model/untrusted/instruction.ts#givesOrders',
      'model/untrusted/instruction.ts#isOrderByFeatures',
      'model/untrusted/features/needed-words.ts#featuresWithWords',
      'model/untrusted/quoted-text.ts#quoteText',
      'model/untrusted/visible-text.ts#hasHidden',
      'walk/rules/inspect-content.ts#decodeUtf16',
      'walk/rules/name-pattern.ts#compileName',
      'walk/rules/name-pattern.ts#tokenizeName',
    ],
  ],
  [
    'reads from a place to the end of one word',
    ['trimmedEnd', 'wordEnd'].map((name) => `languages/runtime/extract/node-text.ts#${name}`),
  ],
];

export const NOT_ATTACKED: ReadonlyMap<string, string> = new Map(
  REASONS.flatMap(([why, names]) => names.map((name) => [name, why] as const)),
);
