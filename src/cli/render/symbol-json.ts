/** The JSON form of a symbol, shared by all JSON answers of the command line. */
import type { ReferenceSite, SymbolInfo } from '../../model/records/query.ts';

export function symbolJson(symbol: SymbolInfo) {
  return {
    symbol_id: symbol.symbolId,
    symbol_stable_id: symbol.stableId,
    name: symbol.name,
    qualified_name: symbol.qualifiedName,
    kind: symbol.kind,
    signature: symbol.signature,
    doc: symbol.doc,
    visibility: symbol.visibility,
    language: symbol.language,
    package: symbol.package,
    path: symbol.path,
    start_line: symbol.startLine,
    end_line: symbol.endLine,
    breadcrumb: symbol.breadcrumb,
    ddd_role: symbol.dddRole,
  };
}

export function referenceJson(site: ReferenceSite) {
  return {
    kind: site.kind,
    path: site.path,
    line: site.line,
    column: site.column,
    text: site.text,
    confidence: site.confidence,
    from: site.from
      ? { symbol_id: site.from.symbolId, qualified_name: site.from.qualifiedName, kind: site.from.kind }
      : null,
    candidates: site.candidates,
    is_test: site.isTest,
  };
}

export function symbolFields(prefix: string) {
  return [
    { field: `${prefix}symbol_id`, meaning: 'handle for follow-up calls' },
    {
      field: `${prefix}symbol_stable_id`,
      meaning: 'identity that survives moves inside a module (the language’s package, folder or target, else the file)',
    },
    { field: `${prefix}name`, meaning: 'name' },
    { field: `${prefix}qualified_name`, meaning: 'name with its scopes' },
    { field: `${prefix}kind`, meaning: 'function, method, class …' },
    { field: `${prefix}signature`, meaning: 'declaration without its body' },
    { field: `${prefix}doc`, meaning: 'doc comment, or empty' },
    { field: `${prefix}visibility`, meaning: 'public, protected, internal or private' },
    { field: `${prefix}language`, meaning: 'language' },
    { field: `${prefix}package`, meaning: 'package that the file declares, or empty' },
    { field: `${prefix}path`, meaning: 'file, relative to the project' },
    { field: `${prefix}start_line`, meaning: 'first line, from 1' },
    { field: `${prefix}end_line`, meaning: 'last line, inclusive' },
    { field: `${prefix}breadcrumb[]`, meaning: 'enclosing names, outermost first' },
    { field: `${prefix}ddd_role`, meaning: 'domain role, or null' },
  ];
}

export function referenceFields(prefix: string) {
  return [
    { field: `${prefix}kind`, meaning: 'call, type, inherit, conform, extend or read' },
    { field: `${prefix}path`, meaning: 'file' },
    { field: `${prefix}line`, meaning: 'line' },
    { field: `${prefix}column`, meaning: 'column, from 1' },
    { field: `${prefix}text`, meaning: 'the line’s text' },
    { field: `${prefix}confidence`, meaning: 'exact, likely or ambiguous' },
    { field: `${prefix}from`, meaning: 'the enclosing symbol (symbol_id, qualified_name, kind), or null' },
    { field: `${prefix}candidates[]`, meaning: 'ids of the possible symbols, if ambiguous' },
    { field: `${prefix}is_test`, meaning: 'whether it is in a test; tests come last' },
  ];
}
