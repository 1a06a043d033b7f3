/** Applies the table of path-rules.ts. Verdicts on folders are shared by all files below them. */
import { FileFlag } from '../model/source-file.ts';
import { FOLDER_RULES, type FolderRule, isProductRoot, NAME_RULES, TEST_HELPER_NAME } from './path-rules.ts';

export interface PathVerdict {
  /** FileFlag bits. */
  readonly flags: number;
  /** First reason for each flag, in words. */
  why(flag: number): string;
  /** The outermost folder that is left out whole for this flag ("web/vendor"), or null. */
  folderFor(flag: number): string | null;
}

interface FolderVerdict {
  readonly flags: number;
  readonly reasons: readonly {
    readonly flag: number;
    readonly why: string;
    readonly folder: string;
    readonly whole: boolean;
  }[];
  /** Below product source: folder rules for tests and examples no longer apply. */
  readonly product: boolean;
  readonly names: readonly string[];
}

const ROOT: FolderVerdict = { flags: 0, reasons: [], product: false, names: [] };
const SWITCHED_OFF_IN_PRODUCT = FileFlag.Test | FileFlag.Example | FileFlag.Documentation;

/** FileFlag bits that the path alone decides. */
export function pathFlags(path: string): number {
  return createPathJudge()(path).flags;
}

/** A judge that remembers its verdicts on folders: use one for a whole listing. */
export function createPathJudge(): (path: string) => PathVerdict {
  const folders = new Map<string, FolderVerdict>();

  function judgeFolder(folder: string, extension: string): FolderVerdict {
    if (folder === '') return ROOT;
    const key = `${extension}\0${folder}`;
    const known = folders.get(key);
    if (known) return known;
    const slash = folder.lastIndexOf('/');
    const parent = judgeFolder(slash < 0 ? '' : folder.slice(0, slash), extension);
    const name = folder.slice(slash + 1);
    const matching = FOLDER_RULES.filter((rule) => applies(rule, parent, name, extension));
    const verdict: FolderVerdict = {
      flags: matching.reduce((flags, rule) => flags | rule.flag, parent.flags),
      reasons: [
        ...parent.reasons,
        ...matching.map((rule) => ({ flag: rule.flag, why: rule.why, folder, whole: rule.whole === true })),
      ],
      product: parent.product || isProductRoot(parent.names, name, extension),
      names: [...parent.names, name],
    };
    folders.set(key, verdict);
    return verdict;
  }

  return (path) => {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const dot = name.lastIndexOf('.');
    const folder = judgeFolder(slash < 0 ? '' : path.slice(0, slash), dot > 0 ? name.slice(dot) : '');
    let flags = folder.flags;
    for (const rule of NAME_RULES) {
      if ((flags & rule.flag) !== 0 || !rule.name.test(name)) continue;
      if (rule.notInProduct && folder.product) continue;
      if (rule.flag === FileFlag.Test && TEST_HELPER_NAME.test(name)) continue;
      flags |= rule.flag;
    }
    return {
      flags,
      why: (flag) =>
        folder.reasons.find((reason) => reason.flag === flag)?.why ??
        NAME_RULES.find((rule) => rule.flag === flag && rule.name.test(name))?.why ??
        '',
      folderFor: (flag) => folder.reasons.find((reason) => reason.flag === flag && reason.whole)?.folder ?? null,
    };
  };
}

function applies(rule: FolderRule, parent: FolderVerdict, name: string, extension: string): boolean {
  if (parent.product && (rule.flag & SWITCHED_OFF_IN_PRODUCT) !== 0) return false;
  return rule.name.test(name) && (rule.when?.(parent.names, extension) ?? true);
}
