/**
 * Lists what each class and interface of a TypeScript repository extends or implements, as the compiler's checker
 * resolves it: `node typescript-implementers.cjs MODULE DIR`. One line a pair, as bench/graph/implementers.ts reads them.
 */
const path = require('node:path');
const fs = require('node:fs');

const ts = require(path.resolve(process.argv[2]));
const root = fs.realpathSync(process.argv[3]);
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'build', 'coverage', '.yarn']);

function* sources(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(full);
    else if (entry.isFile() && /\.[mc]?tsx?$/.test(entry.name)) yield full;
  }
}

const config = ts.findConfigFile(root, ts.sys.fileExists);
const parsed = config
  ? ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config))
  : { options: {} };
const program = ts.createProgram([...sources(root)], {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  ...parsed.options,
  noEmit: true,
  composite: false,
  allowImportingTsExtensions: true,
});
const checker = program.getTypeChecker();
const lines = new Set();

for (const source of program.getSourceFiles()) if (placeOf(source, source)) visit(source);
process.stdout.write([...lines].sort().join(''));

function visit(node) {
  if ((ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) && node.name) list(node);
  ts.forEachChild(node, visit);
}

function list(node) {
  const own = placeOf(node.getSourceFile(), node.name);
  lines.add(`-\t\t${own}\n`);
  lines.add(`${own}\t${node.name.text}\t\n`);
  for (const clause of node.heritageClauses ?? [])
    for (const type of clause.types) {
      let symbol = checker.getSymbolAtLocation(type.expression);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      for (const declaration of symbol?.declarations ?? []) {
        if (!ts.isClassLike(declaration) && !ts.isInterfaceDeclaration(declaration)) continue;
        const above = declaration.name && placeOf(declaration.getSourceFile(), declaration.name);
        if (above && above !== own) lines.add(`${above}\t${declaration.name.text}\t${own}\n`);
      }
    }
}

function placeOf(source, node) {
  const relative = path.relative(root, source.fileName);
  if (relative.startsWith('..') || relative.split(path.sep).includes('node_modules')) return undefined;
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${relative.split(path.sep).join('/')}:${line + 1}`;
}
