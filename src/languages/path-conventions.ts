/**
 * What the path of a file tells by the conventions of its language: tests, generated code, examples, entry files. The
 * walk applies them, together with those of tools that serve many languages (src/walk/rules/path-rules.ts, which also
 * states what counts as evidence).
 */

export interface FolderRule {
  readonly name: RegExp;
  /** A FileFlag. */
  readonly flag: number;
  readonly why: string;
  /** Only when it holds: folders above (outermost first) and the file's extension with its dot, '' for none. */
  readonly when?: (above: readonly string[], extension: string) => boolean;
  /** The folder is left out as one entry when its flag is not wanted. */
  readonly whole?: boolean;
}

export interface NameRule {
  /** Whole names, exact. */
  readonly names?: readonly string[];
  /** Extensions without the dot, lower case. Absent together with `pattern`: any. */
  readonly extensions?: readonly string[];
  /** Tested on the name when the extension is one of `extensions`; absent: the extension alone decides. */
  readonly pattern?: RegExp;
  /** A FileFlag. */
  readonly flag: number;
  readonly why: string;
  /** Does not count below `src/main`, `Sources` and their like. */
  readonly notInProduct?: boolean;
  /** Does not count anywhere below folders of these names. */
  readonly notBelow?: readonly string[];
}

/** A folder of product source: what lies below it is no test or example, whatever its folders are called. */
export interface ProductFolder {
  readonly name: RegExp;
  /** The name of the folder right above it; absent: any. */
  readonly below?: string;
}

export interface PathConventions {
  readonly names?: readonly NameRule[];
  readonly folders?: readonly FolderRule[];
  readonly productFolders?: readonly ProductFolder[];
  /** Extensions with the dot: a nested folder `test` may be a package of the product (`django/test`). */
  readonly packagesNamedTest?: readonly string[];
  /** Extensions with the dot: `lib` holds product code, whatever its folders are called. */
  readonly productInLib?: readonly string[];
  /** Extensions with the dot: a folder `spec` holds tests at any depth. */
  readonly testsInSpec?: readonly string[];
}

/** `name_test.ext`, in the many languages that call their tests so. */
export const NAMED_TEST = { pattern: /_test\.\w+$/, why: 'name ends with _test' };
/** `name_tests.ext`. */
export const NAMED_TESTS = { pattern: /_tests\.\w+$/, why: 'name ends with _tests' };
