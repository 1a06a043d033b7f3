/** Resolves imports of Java, Kotlin and Scala: packages, types and members. */
import { folderOf } from '../../model/text/path-text.ts';
import { mirrored, throughPackages } from '../runtime/imports/declared-packages.ts';
import type { PathIndex } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type Resolved,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const jvmImports: ImportRules = {
  byName: true,
  over: (tree, paths) => ({ resolve: resolvePackages(tree, paths) }),
};

const WILD = '*';

function resolvePackages(tree: SourceTree, paths: PathIndex): ResolveImport {
  const languages = /^(?:java|kotlin|scala|groovy)$/;
  const wholePackage = (name: string) =>
    tree.inPackage(name).filter((index) => languages.test(tree.files[index]!.language));
  const byFolder = (segments: readonly string[]) => {
    const ending = segments.join('/');
    return segments.length < 2
      ? []
      : tree.files.flatMap(({ path, language }, index) => {
          const folder = folderOf(path);
          return languages.test(language) && (folder === ending || folder.endsWith(`/${ending}`)) ? [index] : [];
        });
  };
  /** The file of a class, or of the class that has a member. */
  const byPath = (segments: readonly string[], file: number) => {
    const direct = mirrored(paths, tree, segments, languages, file);
    return direct.length > 0 || segments.length < 4
      ? direct
      : mirrored(paths, tree, segments.slice(0, -1), languages, file);
  };
  const lookup = (file: number, source: string, names: readonly string[]): Resolved | null => {
    const segments = source.split('.').filter(Boolean);
    const files = new Set<number>();
    const last = segments.at(-1);
    for (const name of names.length > 0 ? names : [last ?? '']) {
      if (name === WILD) {
        for (const hit of wholePackage(source)) files.add(hit);
        if (files.size === 0) for (const hit of throughPackages(tree, segments)) files.add(hit);
        continue;
      }
      // The source of a Java import ends with the imported name; Scala lists names after the source.
      const full = name === last ? segments : [...segments, name];
      const exact = throughPackages(tree, full);
      const hits = exact.length > 0 ? exact : name !== last ? [] : throughPackages(tree, segments);
      for (const hit of hits.length > 0 ? hits : byPath(full, file)) files.add(hit);
      if (name !== last && hits.length === 0) for (const hit of wholePackage(full.join('.'))) files.add(hit);
    }
    if (files.size === 0 && (names.includes(WILD) || names.length === 0))
      for (const hit of byFolder(segments)) files.add(hit);
    if (files.size === 0 && names.length === 0) for (const hit of wholePackage(source)) files.add(hit);
    return found([...files]);
  };
  return (file, record) => {
    const names = record.names.map(({ name }) => name);
    const direct = lookup(file, record.source, names);
    if (direct || tree.files[file]!.language !== 'scala') return direct;
    // A Scala import may be relative to any enclosing package.
    const around = /^\s*package\s+([\w.]+)/m.exec(tree.text(file))?.[1]?.split('.') ?? [];
    for (let length = around.length; length >= 1; length--) {
      const hit = lookup(file, `${around.slice(0, length).join('.')}.${record.source}`, names);
      if (hit) return hit;
    }
    return OUTSIDE;
  };
}
