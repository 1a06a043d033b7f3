/** Where a path lies: whether it stays where it should, and how it is named from there. */
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder's own or lies below it. Both absolute, and as links lead where that matters. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A path as answers name it: from a folder on, with forward slashes. Both absolute; '' for the folder itself. */
export function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** Whether a path that is meant to be relative to a folder says that it leads out of it. */
export function leadsOut(path: string): boolean {
  return isAbsolute(path) || path.split(/[/\\]/).includes('..');
}
