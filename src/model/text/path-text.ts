/** Parts of a path inside a project: forward slashes, relative to its root. */

/** Folder of a path, '' for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** "user-service.test.ts" -> "user-service": a file's name without its endings. */
export function stemOf(name: string): string {
  const dot = name.indexOf('.', 1);
  return dot < 0 ? name : name.slice(0, dot);
}
