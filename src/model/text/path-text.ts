/** Splits and orders paths that are relative to a project's root, with forward slashes. */

/** The folder of a path; '' for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A file's name without all of its extensions: "user-service" for "user-service.test.ts". */
export function stemOf(name: string): string {
  const dot = name.indexOf('.', 1);
  return dot < 0 ? name : name.slice(0, dot);
}

/** Orders paths and names by their UTF-16 code units: the same order on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
