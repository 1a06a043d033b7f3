/** What reads text of a repository or of a client outside of the languages, by file and export. */

import { parseSettings } from '../../../src/cli/config/parse-yaml.ts';
import { readEndpoints } from '../../../src/graph/joins/http-endpoints.ts';
import { readOperations } from '../../../src/graph/joins/operations.ts';
import { readCall, receiverBefore } from '../../../src/graph/reading/arguments.ts';
import { readChain } from '../../../src/graph/reading/chain.ts';
import { findLocal } from '../../../src/graph/reading/find-local.ts';
import { findWords } from '../../../src/graph/reading/find-words.ts';
import { declaredValueOf, parametersOf, resultOf } from '../../../src/graph/reading/signature.ts';
import { parseType } from '../../../src/graph/reading/type-text.ts';
import { detectLanguage, LANGUAGES, languageById, nameRulesOf } from '../../../src/languages/registry.ts';
import { docstringAt, innerDoc } from '../../../src/languages/runtime/extract/declaration.ts';
import { commentText, docstringText } from '../../../src/languages/runtime/extract/doc-text.ts';
import { parseLooseJson } from '../../../src/languages/runtime/imports/loose-json.ts';
import { scanDefinitions } from '../../../src/languages/runtime/recovery/generic-scan.ts';
import { frontMatter } from '../../../src/languages/runtime/scanning/front-matter.ts';
import { matchPattern } from '../../../src/languages/script/packages.ts';
import { commentSpans, commentSyntax } from '../../../src/memory/mining/comment-places.ts';
import { mineComments } from '../../../src/memory/mining/mine-comments.ts';
import { mineConfiguration } from '../../../src/memory/mining/mine-configuration.ts';
import { mineDecision } from '../../../src/memory/mining/mine-decisions.ts';
import { mineCommit } from '../../../src/memory/mining/mine-history.ts';
import { blocksOf, linesOf } from '../../../src/memory/mining/mine-prose.ts';
import { mineRules } from '../../../src/memory/mining/mine-rules.ts';
import { plainText } from '../../../src/memory/mining/mined-note.ts';
import { parseDiscovery } from '../../../src/memory/notebook/discovery-file.ts';
import { sensitiveKind } from '../../../src/memory/sensitive.ts';
import { highlight } from '../../../src/model/highlight/highlight.ts';
import { parseHandle } from '../../../src/model/records/ids.ts';
import { findSecrets } from '../../../src/model/secrets/find-secrets.ts';
import { plainDoc } from '../../../src/model/text/doc-line.ts';
import { excerpt } from '../../../src/model/text/excerpt.ts';
import { textTerms } from '../../../src/model/text/terms.ts';
import { recogniseInstruction } from '../../../src/model/untrusted/instruction.ts';
import { isPlainEnglish, plainForms } from '../../../src/model/untrusted/plain-forms.ts';
import { quoteUntrusted } from '../../../src/model/untrusted/quoted-text.ts';
import { untrustedPassages } from '../../../src/model/untrusted/untrusted-passages.ts';
import { restoreHidden, revealHidden, untagged, visibleJson } from '../../../src/model/untrusted/visible-text.ts';
import { findSettingKeys } from '../../../src/search/query/setting-keys.ts';
import { understand } from '../../../src/search/query/understand-query.ts';
import { isReport, readReport } from '../../../src/search/report/read-report.ts';
import { reportEvidence } from '../../../src/search/report/report-evidence.ts';
import { jsonExcess } from '../../../src/transports/protocol/json-limits.ts';
import { parseManifest } from '../../../src/walk/modules/manifests.ts';
import { expandBraces } from '../../../src/walk/rules/expand-braces.ts';
import { compileGlobs } from '../../../src/walk/rules/globs.ts';
import { createIgnoreRules } from '../../../src/walk/rules/ignore-rules.ts';
import { inspectContent } from '../../../src/walk/rules/inspect-content.ts';
import { holdsPrivateKey } from '../../../src/walk/rules/private-keys.ts';
import * as samples from './samples.ts';
import type { Scanner } from './scanner.ts';

/** Of the store: signatures are cut when they are extracted. */
const SIGNATURE = 400;
/** Of every contract's `query`. */
const QUERY = 10_000;
/** Of a file path, as the walk takes it. */
const PATH = 4096;
/** Of a pattern in globs.ts. */
const GLOB = 1000;

const MANIFESTS = [
  'package.json',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pom.xml',
  'build.gradle',
  'Package.swift',
  'CMakeLists.txt',
  'a.csproj',
  'composer.json',
  'a.gemspec',
  'mix.exs',
  'pubspec.yaml',
  'a.cabal',
  'build.zig.zon',
  'a.rockspec',
  'dune-project',
];
const CONFIGURATIONS = ['.editorconfig', '.eslintrc', 'eslint.config.js', 'pyproject.toml', 'tsconfig.json'];

const lines = (text: string) => text.split('\n');
const NEVER_MATCHES = 'a*a*a*a*a*a*b';

function inWalk(): Scanner[] {
  return [
    { name: 'walk/rules/private-keys.ts#holdsPrivateKey', sample: samples.KEY, run: holdsPrivateKey },
    { name: 'walk/rules/inspect-content.ts#inspectContent', run: (text) => inspectContent(Buffer.from(text), 'a.js') },
    {
      name: 'cli/config/parse-yaml.ts#parseSettings',
      sample: 'index:\n  exclude: ["a/**", b]\nsearch: { limit: 20 } # &a *a !b\n',
      run: (text) => {
        try {
          return parseSettings(text);
        } catch (error) {
          return error;
        }
      },
    },
    {
      name: 'walk/rules/expand-braces.ts#expandBraces',
      sample: 'src/{a,b{c,d}}/**/*.ts',
      limit: GLOB,
      run: expandBraces,
    },
    {
      name: 'walk/rules/globs.ts#compileGlobs, a long pattern',
      sample: samples.GLOBS,
      run: (text) => tryGlobs(lines(text), 'a'.repeat(PATH)),
    },
    {
      name: 'walk/rules/globs.ts#compileGlobs, a long path',
      limit: PATH,
      run: (text) => tryGlobs([NEVER_MATCHES, `**/${NEVER_MATCHES}`], text),
    },
    {
      name: 'walk/rules/ignore-rules.ts#createIgnoreRules',
      sample: samples.IGNORES,
      run: (text) => {
        const rules = createIgnoreRules();
        rules.add('', text);
        return rules.match('a/a/a/a/a/a/a/aaaaaaaaaaaaaaaaaaaa');
      },
    },
    ...MANIFESTS.map(
      (file): Scanner => ({
        name: `walk/modules/manifests.ts#parseManifest of ${file}`,
        sample: samples.MANIFEST,
        run: (text) => parseManifest(file, text),
      }),
    ),
  ];
}

function tryGlobs(patterns: readonly string[], path: string): unknown {
  try {
    return compileGlobs(patterns)(path);
  } catch {
    // Refused: too long or too many.
    return null;
  }
}

function inMemory(): Scanner[] {
  return [
    ...CONFIGURATIONS.map(
      (path): Scanner => ({
        name: `memory/mining/mine-configuration.ts#mineConfiguration of ${path}`,
        sample: samples.CONFIGURATION,
        run: (text) => mineConfiguration(path, text),
      }),
    ),
    { name: 'memory/mining/mine-decisions.ts#mineDecision', sample: samples.DECISION, run: mineDecision },
    { name: 'memory/mining/mine-rules.ts#mineRules', sample: samples.DECISION, run: mineRules },
    { name: 'memory/mining/mine-prose.ts#blocksOf', sample: samples.DECISION, run: (text) => blocksOf(linesOf(text)) },
    { name: 'memory/mining/mined-note.ts#plainText', sample: samples.DECISION, run: (text) => plainText(text) },
    {
      name: 'memory/mining/mine-history.ts#mineCommit',
      sample: samples.COMMIT,
      run: (text) =>
        mineCommit({ id: 'a', dateMs: 0, subject: text.slice(0, 1000), body: text.slice(0, 4000), isMerge: false }),
    },
    ...LANGUAGES.flatMap(({ id }): Scanner[] => {
      const own = commentSyntax(id, 'a');
      return own === null
        ? []
        : [
            {
              name: `memory/mining/comment-places.ts#commentSpans of ${id}`,
              sample: samples.COMMENTS,
              run: (text) => commentSpans(text, own),
            },
            {
              name: `memory/mining/mine-comments.ts#mineComments of ${id}`,
              sample: samples.COMMENTS,
              run: (text) => mineComments(text, own),
            },
          ];
    }),
    { name: 'memory/notebook/discovery-file.ts#parseDiscovery', sample: samples.DISCOVERY, run: parseDiscovery },
    { name: 'memory/sensitive.ts#sensitiveKind', sample: samples.SECRETS, run: sensitiveKind },
  ];
}

function inModel(): Scanner[] {
  return [
    { name: 'model/secrets/find-secrets.ts#findSecrets', sample: samples.SECRETS, run: findSecrets },
    {
      name: 'model/untrusted/untrusted-passages.ts#untrustedPassages, prose',
      sample: samples.ORDERS,
      run: (text) => untrustedPassages(text, true),
    },
    {
      name: 'model/untrusted/untrusted-passages.ts#untrustedPassages, code',
      sample: samples.ORDERS,
      run: (text) => untrustedPassages(text, false),
    },
    {
      name: 'model/untrusted/instruction.ts#recogniseInstruction',
      sample: samples.ORDERS,
      run: (text) => recogniseInstruction(text),
    },
    {
      name: 'model/untrusted/plain-forms.ts#plainForms',
      sample: samples.ORDERS,
      limit: 4000,
      run: (text) => plainForms(text, true),
    },
    { name: 'model/untrusted/plain-forms.ts#isPlainEnglish', sample: samples.ORDERS, run: isPlainEnglish },
    { name: 'model/untrusted/quoted-text.ts#quoteUntrusted', sample: samples.ORDERS, run: quoteUntrusted },
    { name: 'model/untrusted/visible-text.ts#revealHidden', sample: samples.HIDDEN, run: revealHidden },
    { name: 'model/untrusted/visible-text.ts#restoreHidden', sample: '<U+202E>a<U+200B>', run: restoreHidden },
    { name: 'model/untrusted/visible-text.ts#visibleJson', sample: samples.HIDDEN, run: visibleJson },
    { name: 'model/untrusted/visible-text.ts#untagged', sample: samples.HIDDEN, run: untagged },
    { name: 'model/text/terms.ts#textTerms', sample: samples.DECISION, run: textTerms },
    { name: 'model/text/doc-line.ts#plainDoc', sample: samples.COMMENTS, limit: 4000, run: plainDoc },
    {
      name: 'model/text/excerpt.ts#excerpt',
      sample: samples.COMMENTS,
      run: (text) => excerpt(text, { terms: new Set(['a', 'the']), maxLines: 12, name: 'a' }),
    },
    { name: 'model/records/ids.ts#parseHandle', limit: 1000, run: parseHandle },
    ...LANGUAGES.map(
      ({ id }): Scanner => ({
        name: `model/highlight/highlight.ts#highlight of ${id}`,
        sample: samples.COMMENTS,
        run: (text) => highlight(text, id),
      }),
    ),
  ];
}

function inLanguages(): Scanner[] {
  return [
    {
      name: 'languages/registry.ts#detectLanguage',
      sample: 'class A {\npublic:\n#include <a>\n',
      limit: 8000,
      run: (text) => ['a.h', 'a.inc', 'a'].map((path) => detectLanguage(path, text)),
    },
    {
      name: 'languages/runtime/scanning/front-matter.ts#frontMatter',
      sample: samples.FRONT_MATTER,
      run: (text) => frontMatter(lines(text)),
    },
    { name: 'languages/runtime/imports/loose-json.ts#parseLooseJson', sample: samples.MANIFEST, run: parseLooseJson },
    {
      name: 'languages/script/packages.ts#matchPattern',
      run: (text) => matchPattern(text.slice(0, text.length / 2), text),
    },
    {
      name: 'languages/runtime/recovery/generic-scan.ts#scanDefinitions',
      sample: samples.BROKEN,
      run: (text) => scanDefinitions(text),
    },
    {
      name: 'languages/runtime/recovery/generic-scan.ts#scanDefinitions, types first',
      sample: samples.BROKEN,
      run: (text) => scanDefinitions(text, { typedHeads: true }),
    },
    {
      name: 'languages/runtime/extract/declaration.ts#docstringAt',
      sample: '"""Says a.\n\nMore.\n"""',
      run: (text) => docstringAt(text, 0),
    },
    {
      name: 'languages/runtime/extract/declaration.ts#innerDoc',
      sample: '{\n//! a\n//! b\n',
      run: (text) => innerDoc(text, 0, languageById('rust')!),
    },
    {
      name: 'languages/runtime/extract/doc-text.ts#commentText',
      sample: samples.COMMENTS,
      run: (text) => commentText(text, languageById('java')!),
    },
    {
      name: 'languages/runtime/extract/doc-text.ts#docstringText',
      sample: samples.COMMENTS,
      run: docstringText,
      // It reads no more than that; where the end is cut off, blank lines before it become the end.
      limit: 8000,
    },
  ];
}

function inGraph(): Scanner[] {
  const last = (text: string) => lines(text).length;
  return [
    { name: 'graph/reading/type-text.ts#parseType', limit: SIGNATURE, run: parseType },
    { name: 'graph/reading/chain.ts#readChain', limit: SIGNATURE, run: readChain },
    {
      name: 'graph/joins/http-endpoints.ts#readEndpoints',
      sample: samples.ROUTES,
      repeats: [`${' '.repeat(390)}("x"\n`, `a${' '.repeat(390)}("x"\n`, `${'a.'.repeat(190)}get("/\n`],
      run: (text) => readEndpoints(lines(text)),
    },
    {
      name: 'graph/joins/operations.ts#readOperations of a document',
      sample: samples.OPERATIONS,
      repeats: ['query{', 'query{a}\n'],
      run: (text) => readOperations(text, true),
    },
    {
      name: 'graph/joins/operations.ts#readOperations of code',
      sample: `"\`${samples.OPERATIONS}\`"`,
      repeats: ['"query{', '"query{a}\n'],
      run: (text) => readOperations(text, false),
    },
    ...['go', 'java', 'typescript', 'python', 'rust', 'cpp'].flatMap((id): Scanner[] => [
      {
        name: `graph/reading/signature.ts of ${id}`,
        limit: SIGNATURE,
        run: (text) => [
          parametersOf(text, 'a', nameRulesOf(id)),
          resultOf(text, 'a', nameRulesOf(id)),
          declaredValueOf(text, 'a', nameRulesOf(id)),
        ],
      },
      {
        name: `graph/reading/find-local.ts#findLocal of ${id}`,
        sample: samples.BROKEN,
        run: (text) => findLocal(lines(text), 1, last(text), lines(text).at(-1)!.length, 'a', nameRulesOf(id)),
      },
      {
        name: `graph/reading/find-words.ts#findWords of ${id}`,
        sample: samples.BROKEN,
        run: (text) => findWords(text, 'a', languageById(id)),
      },
    ]),
    {
      name: 'graph/reading/arguments.ts#readCall',
      sample: samples.BROKEN,
      run: (text) => readCall(lines(text), 1, 1, 'a'),
    },
    {
      name: 'graph/reading/arguments.ts#receiverBefore',
      sample: samples.BROKEN,
      run: (text) => receiverBefore(lines(text), last(text), lines(text).at(-1)!.length),
    },
  ];
}

/** What a client sends. */
function inQuestions(): Scanner[] {
  return [
    { name: 'search/query/understand-query.ts#understand', sample: samples.QUESTION, limit: QUERY, run: understand },
    {
      name: 'search/report/read-report.ts#readReport',
      sample: samples.REPORT,
      limit: QUERY,
      run: (text) => [isReport(text), readReport(text)],
    },
    {
      name: 'search/report/report-evidence.ts#reportEvidence',
      sample: samples.REPORT,
      limit: QUERY,
      run: (text) => reportEvidence(readReport(text)),
    },
    {
      name: 'search/query/setting-keys.ts#findSettingKeys',
      sample: samples.QUESTION,
      limit: QUERY,
      run: (text) => findSettingKeys(text, true),
    },
    {
      name: 'transports/protocol/json-limits.ts#jsonExcess',
      sample: samples.MANIFEST,
      run: (text) => jsonExcess(Buffer.from(text)),
    },
  ];
}

export function otherScanners(): Scanner[] {
  return [...inWalk(), ...inMemory(), ...inModel(), ...inLanguages(), ...inGraph(), ...inQuestions()];
}
