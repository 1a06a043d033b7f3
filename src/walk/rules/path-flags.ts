/** Applies the table of path-rules.ts. The verdict on a folder is computed once for all files below it. */
import { FileFlag } from '../../model/records/source-file.ts';
import {
  EXTENSIONS_IN_FOLDER_RULES,
  FOLDER_RULES,
  type FolderRule,
  isProductRoot,
  NAME_RULES,
  type NameRule,
  TEST_HELPER_NAME,
} from './path-rules.ts';

export interface Reason {
  readonly flag: number;
  readonly why: string;
  /** The folder whose name matched a rule; absent if the file's name did. */
  readonly folder?: string;
  /** The folder is skipped as one entry if files with this flag are not listed. */
  readonly whole?: boolean;
}

export interface PathVerdict {
  /** FileFlag bits. */
  readonly flags: number;
  /** The outermost folder comes first. */
  readonly folderReasons: readonly Reason[];
  readonly nameReasons: readonly Reason[];
}

interface FolderVerdict {
  readonly flags: number;
  readonly reasons: readonly Reason[];
  /** The folder holds product source: the folder rules for tests, examples and documentation no longer apply. */
  readonly isProduct: boolean;
  readonly names: readonly string[];
}

/** The first reason for a flag, for people. */
export function whyFlagged(verdict: PathVerdict, flag: number): string {
  const find = (reasons: readonly Reason[]) => reasons.find((reason) => reason.flag === flag)?.why;
  return find(verdict.folderReasons) ?? find(verdict.nameReasons) ?? '';
}

/** The outermost folder that is skipped as a whole for this flag ("web/vendor"), or null. */
export function skippedFolder(verdict: PathVerdict, flag: number): string | null {
  return verdict.folderReasons.find((reason) => reason.flag === flag && reason.whole)?.folder ?? null;
}

const ROOT: FolderVerdict = { flags: 0, reasons: [], isProduct: false, names: [] };
const SWITCHED_OFF_IN_PRODUCT = FileFlag.Test | FileFlag.Example | FileFlag.Documentation;

/** The FileFlag bits that follow from a path alone. */
export function pathFlags(path: string): number {
  return createPathJudge()(path).flags;
}

/** A judge that caches its verdicts on folders; use one for a whole listing. */
export function createPathJudge(): (path: string) => PathVerdict {
  const byExtension = new Map<string, Map<string, FolderVerdict>>();

  function judgeFolder(folder: string, extension: string): FolderVerdict {
    if (folder === '') return ROOT;
    let folders = byExtension.get(extension);
    if (folders === undefined) {
      folders = new Map();
      byExtension.set(extension, folders);
    }
    const known = folders.get(folder);
    if (known) return known;
    const slash = folder.lastIndexOf('/');
    const parent = judgeFolder(slash < 0 ? '' : folder.slice(0, slash), extension);
    const name = folder.slice(slash + 1);
    const matching = rulesForFolder(name).filter((rule) => folderRuleApplies(rule, parent, extension));
    const verdict: FolderVerdict = {
      flags: matching.reduce((flags, rule) => flags | rule.flag, parent.flags),
      reasons: [
        ...parent.reasons,
        ...matching.map((rule) => ({ flag: rule.flag, why: rule.why, folder, whole: rule.whole === true })),
      ],
      isProduct: parent.isProduct || isProductRoot(parent.names, name, extension),
      names: [...parent.names, name],
    };
    folders.set(folder, verdict);
    return verdict;
  }

  return (path) => {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const dot = name.lastIndexOf('.');
    const folder = judgeFolder(
      slash < 0 ? '' : path.slice(0, slash),
      dot > 0 ? relevantExtension(name.slice(dot)) : '',
    );
    const matching = matchName(name, folder);
    let flags = folder.flags;
    for (const rule of matching) flags |= rule.flag;
    return { flags, folderReasons: folder.reasons, nameReasons: matching };
  };
}

/** Rules by the names and extensions that they need: most files are tested against five rules, not forty. */
const RULES_BY_NAME = new Map<string, NameRule[]>();
const RULES_BY_EXTENSION = new Map<string, NameRule[]>();
const RULES_FOR_ALL: NameRule[] = [];
const NO_RULES: readonly NameRule[] = [];
for (const rule of NAME_RULES) {
  for (const name of rule.names ?? []) RULES_BY_NAME.set(name, [...(RULES_BY_NAME.get(name) ?? []), rule]);
  for (const extension of rule.extensions ?? [])
    RULES_BY_EXTENSION.set(extension, [...(RULES_BY_EXTENSION.get(extension) ?? []), rule]);
  if (!rule.names && !rule.extensions) RULES_FOR_ALL.push(rule);
}

/** The rules for all names in one pattern, which rules out most names with one test. */
const ANY_RULE_FOR_ALL = new RegExp(RULES_FOR_ALL.map((rule) => rule.pattern?.source).join('|'));

function matchName(name: string, folder: FolderVerdict): NameRule[] {
  const found = [...(RULES_BY_NAME.get(name) ?? NO_RULES)];
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  for (const rule of RULES_BY_EXTENSION.get(extension) ?? NO_RULES)
    if (nameRuleApplies(rule, name, folder)) found.push(rule);
  if (ANY_RULE_FOR_ALL.test(name))
    for (const rule of RULES_FOR_ALL) if (nameRuleApplies(rule, name, folder)) found.push(rule);
  return found;
}

function nameRuleApplies(rule: NameRule, name: string, folder: FolderVerdict): boolean {
  if (rule.pattern && !rule.pattern.test(name)) return false;
  if (rule.notInProduct && folder.isProduct) return false;
  if (rule.notBelow?.some((above) => folder.names.includes(above))) return false;
  return rule.flag !== FileFlag.Test || !TEST_HELPER_NAME.test(name);
}

/** The extension if a folder rule depends on it, else '': files of all other extensions share their verdicts. */
function relevantExtension(extension: string): string {
  return EXTENSIONS_IN_FOLDER_RULES.has(extension) ? extension : '';
}

const rulesOfFolderName = new Map<string, readonly FolderRule[]>();

/** Caches the rules by folder name, since the names of folders repeat. */
function rulesForFolder(name: string): readonly FolderRule[] {
  let rules = rulesOfFolderName.get(name);
  if (rules === undefined) {
    rules = FOLDER_RULES.filter((rule) => rule.name.test(name));
    if (rulesOfFolderName.size > 50_000) rulesOfFolderName.clear();
    rulesOfFolderName.set(name, rules);
  }
  return rules;
}

function folderRuleApplies(rule: FolderRule, parent: FolderVerdict, extension: string): boolean {
  if (parent.isProduct && (rule.flag & SWITCHED_OFF_IN_PRODUCT) !== 0) return false;
  return rule.when?.(parent.names, extension) ?? true;
}
