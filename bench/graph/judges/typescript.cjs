/**
 * Lists every call of a TypeScript or JavaScript repository with the declaration that the compiler's checker gives it:
 * `node typescript.cjs MODULE DIR`, where MODULE is the path of the typescript 5 package. One line a call, as bench/graph/judged-sites.ts reads them.
 */
const path = require('node:path');
const fs = require('node:fs');

const ts = require(path.resolve(process.argv[2]));
const root = fs.realpathSync(process.argv[3]);
const SOURCE = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'build', 'coverage', '.codegraph', '.yarn']);

function* sources(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(full);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield full;
  }
}

/** The nearest tsconfig says how paths are mapped; what is judged is every source file, not what it includes. */
function optionsFor(folder) {
  const config = ts.findConfigFile(folder, ts.sys.fileExists);
  const parsed = config
    ? ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config))
    : { options: {} };
  return {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    ...parsed.options,
    allowJs: true,
    checkJs: false,
    noEmit: true,
    composite: false,
    allowImportingTsExtensions: true,
  };
}

/** What runs is judged, not what describes it: beside a.js, a.d.ts is passed over. */
function isDescription(file) {
  const [, stem, kind] = /^(.*)\.d\.([mc]?)ts$/.exec(file) ?? [];
  return stem !== undefined && !file.includes('node_modules') && fs.existsSync(`${stem}.${kind}js`);
}

const files = [...sources(root)].filter((file) => !isDescription(file));
const options = optionsFor(root);
const host = ts.createCompilerHost(options);
const { fileExists } = host;
host.fileExists = (file) => !isDescription(file) && fileExists(file);
const program = ts.createProgram(files, options, host);
const checker = program.getTypeChecker();
const lines = new Set();

for (const file of files) {
  const source = program.getSourceFile(file);
  if (source) visit(source, source);
}
process.stdout.write(
  [...lines]
    .sort()
    .map((line) => `${line}\n`)
    .join(''),
);

function visit(node, source) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) judge(node, node.expression, source);
  else if (ts.isTaggedTemplateExpression(node)) judge(node, node.tag, source);
  else if (ts.isDecorator(node) && !ts.isCallExpression(node.expression)) judge(node, node.expression, source);
  else if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) judge(node, node.tagName, source);
  ts.forEachChild(node, (child) => visit(child, source));
}

function judge(call, callee, source) {
  const name = nameOf(callee);
  if (!name || name.text === '' || (ts.isJsxOpeningLikeElement(call) && /^[a-z]/.test(name.text))) return;
  const declarations = declarationsOf(checker.getSymbolAtLocation(name), new Set());
  if (declarations.length === 0) return;
  // `module.exports = f` says where, the signature says what.
  const made = declarations.every(ts.isBinaryExpression) && !ts.isDecorator(call) && checker.getResolvedSignature(call);
  if (made?.declaration && isCallable(made.declaration) && !ts.isTypeNode(made.declaration))
    declarations.push(made.declaration);
  // A variable is right, and so is what it takes over; nobody is asked to follow it.
  const kind = declarations.some(isCallable) && !declarations.some(ts.isBindingElement) ? 'function' : 'value';
  const targets = new Set();
  for (const declaration of declarations) {
    for (const part of partsOf(declaration)) {
      const place = placeOf(part);
      if (place) targets.add(place);
    }
  }
  const { line, character } = source.getLineAndCharacterOfPosition(name.getStart(source));
  const start = source.getLineAndCharacterOfPosition(call.getStart(source)).line;
  const at = path.relative(root, source.fileName).split(path.sep).join('/');
  lines.add(
    [at, line + 1, character + 1, name.text, start + 1, kind, targets.size > 0 ? [...targets].join('|') : '-'].join(
      '\t',
    ),
  );
}

function nameOf(callee) {
  if (ts.isIdentifier(callee) || ts.isPrivateIdentifier(callee)) return callee;
  if (ts.isPropertyAccessExpression(callee)) return callee.name;
  if (
    ts.isParenthesizedExpression(callee) ||
    ts.isNonNullExpression(callee) ||
    ts.isAsExpression(callee) ||
    ts.isExpressionWithTypeArguments(callee)
  )
    return nameOf(callee.expression);
  return undefined;
}

/** Through imports and re-exports, and through `const { f } = module` and `{ f }` to what they take over. */
function declarationsOf(symbol, seen) {
  if (!symbol || seen.has(symbol)) return [];
  seen.add(symbol);
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const found = [];
  // `f.x = …` declares to the checker that f is a namespace too; what it is stands elsewhere.
  const all = real.declarations ?? [];
  const proper = all.filter(
    (each) => !ts.isIdentifier(each) && !ts.isAccessExpression(each) && !ts.isBinaryExpression(each),
  );
  for (const declaration of proper.length > 0 ? proper : all) {
    found.push(declaration);
    if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
      const taken = declaration.propertyName ?? declaration.name;
      const from = ts.isIdentifier(taken) && checker.getTypeAtLocation(declaration.parent).getProperty(taken.text);
      if (from) found.push(...declarationsOf(from, seen));
    }
    if (ts.isShorthandPropertyAssignment(declaration))
      found.push(...declarationsOf(checker.getShorthandAssignmentValueSymbol(declaration), seen));
    if (ts.isExportSpecifier(declaration) || ts.isImportSpecifier(declaration))
      found.push(...declarationsOf(checker.getExportSpecifierLocalTargetSymbol?.(declaration), seen));
  }
  return found;
}

function isCallable(declaration) {
  if (ts.isFunctionLike(declaration) || ts.isClassLike(declaration)) return true;
  if (ts.isShorthandPropertyAssignment(declaration)) return false;
  // `exports.f = function () {}` is declared by the assignment or by its left side.
  const assignment = ts.isBinaryExpression(declaration) ? declaration : declaration.parent;
  const isAssigned =
    ts.isBinaryExpression(declaration) || (ts.isAccessExpression(declaration) && ts.isBinaryExpression(assignment));
  let value = isAssigned ? assignment.right : declaration.initializer;
  while (
    value &&
    (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression?.(value))
  )
    value = value.expression;
  return (
    value !== undefined && (ts.isFunctionExpression(value) || ts.isArrowFunction(value) || ts.isClassExpression(value))
  );
}

/** A class is called through its constructor: both places mean it. */
function* partsOf(declaration) {
  yield declaration;
  if (ts.isClassLike(declaration)) yield* declaration.members.filter(ts.isConstructorDeclaration);
  if (ts.isConstructorDeclaration(declaration)) yield declaration.parent;
}

function placeOf(declaration) {
  const source = declaration.getSourceFile();
  const relative = path.relative(root, source.fileName);
  if (relative.startsWith('..') || relative.split(path.sep).includes('node_modules')) return undefined;
  let named = ts.getNameOfDeclaration(declaration);
  if (!named && (ts.isArrowFunction(declaration) || ts.isFunctionExpression(declaration)))
    named = ts.getNameOfDeclaration(declaration.parent);
  const { line } = source.getLineAndCharacterOfPosition((named ?? declaration).getStart(source));
  return `${relative.split(path.sep).join('/')}:${line + 1}`;
}
