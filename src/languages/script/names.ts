/** How names work in TypeScript, JavaScript and the components written in them. */
import { isColonLabel, nameRules, wordSet } from '../name-rules.ts';
import { BUILTIN_METHODS } from './builtin-methods.ts';
import { readScript } from './declarations.ts';
import { scriptEntries } from './entry-manifests.ts';
import { readExports } from './exports.ts';
import { PLATFORM_OBJECTS } from './platform-objects.ts';

export const javascriptNames = nameRules({
  family: 'script',
  superCalls: 'constructor',
  builtinMethods: BUILTIN_METHODS,
  blockDefinitions: true,
  topBlocks: true,
  functionsAreValues: true,
  sharedScripts: true,
  platformValues: true,
  platformObjects: PLATFORM_OBJECTS,
  filePrivate: true,
  objectsAreTypes: true,
  fieldPrefix: 'this\\.',
  importsAreValues: true,
  readExports,
  importExpression: /^(?:await\s+)?(?:import|require)\(\s*["']([^"']+)["']\s*\)$/,
  calledImport: { word: 'require', pattern: /^require\(\s*["']([^"'\n]+)["']\s*\)\s*\(/ },
  declares: 'name-colon-type',
  readDeclared: readScript,
  objectMembers: true,
  applied: /^\??\.(?:call|apply)\b/,
  impliedParameter,
  entryManifests: scriptEntries,
  mentions: {
    // `<Child name={…}>`: the name is an attribute.
    isLabel: (before, after) => isColonLabel(before, after) || /^=["{]/.test(after),
    givesAway: /^\s*(?:export\s+default|(?:module\.)?exports(?:\.[\w$]+)?\s*=)\s*$/,
    exportList: /^export\s*(?:type\s*)?\{/,
  },
});

export const typescriptNames = {
  ...javascriptNames,
  transparentTypes: wordSet('Readonly Partial Required NonNullable Awaited'),
  unnamedList: true,
};

/**
 * The list has a parameter of this name without a type: `x => …`, `{ a: x }`. A capitalised word after a colon is a
 * type.
 */
function impliedParameter(list: string, name: string): boolean {
  const lead = /^\$?[A-Z]/.test(name) ? '[=(,{]|\\.{3}|\\basync' : '[=(,{:]|\\.{3}|\\basync';
  return new RegExp(`(?:${lead})\\s*${name.replace(/\$/g, '\\$')}\\s*(?:=>|[,)}=])`).test(list);
}
