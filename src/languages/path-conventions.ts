/**
 * Path conventions of a language: tests, generated code, examples, entry files. The walk applies them, together with
 * those of tools for many languages (src/walk/rules/path-rules.ts, which also states what counts as evidence).
 */

export interface FolderRule {
  readonly name: RegExp;
  /** A FileFlag. */
  readonly flag: number;
  readonly why: string;
  /** A condition on the enclosing folders (outermost first) and the extension of the file with its dot, '' for none. */
  readonly when?: (above: readonly string[], extension: string) => boolean;
  /** A folder that is excluded by its flag is listed as one entry. */
  readonly whole?: boolean;
}

export interface NameRule {
  /** Exact file names. */
  readonly names?: readonly string[];
  /** Extensions without the dot, lower case. Absent together with `pattern`: any. */
  readonly extensions?: readonly string[];
  /** Tested on file names with one of `extensions`; absent: the extension alone decides. */
  readonly pattern?: RegExp;
  /** A FileFlag. */
  readonly flag: number;
  readonly why: string;
  /** The rule does not apply below `src/main`, `Sources` and similar folders. */
  readonly notInProduct?: boolean;
  /** The rule does not apply below folders of these names. */
  readonly notBelow?: readonly string[];
}

/** A folder of product code: files below it are no tests or examples, whatever its subfolders are called. */
export interface ProductFolder {
  readonly name: RegExp;
  /** The name of the parent folder; absent: any. */
  readonly below?: string;
}

export interface PathConventions {
  readonly names?: readonly NameRule[];
  readonly folders?: readonly FolderRule[];
  readonly productFolders?: readonly ProductFolder[];
  /** Extensions with the dot: a nested folder `test` may be a package of the product (`django/test`). */
  readonly packagesNamedTest?: readonly string[];
  /** Extensions with the dot: `lib` contains product code, whatever its subfolders are called. */
  readonly productInLib?: readonly string[];
  /** Extensions with the dot: a folder `spec` contains tests at any depth. */
  readonly testsInSpec?: readonly string[];
}

/** `name_test.ext`, a convention of many languages. */
export const NAMED_TEST = { pattern: /_test\.\w+$/, why: 'name ends with _test' };
/** `name_tests.ext`. */
export const NAMED_TESTS = { pattern: /_tests\.\w+$/, why: 'name ends with _tests' };
