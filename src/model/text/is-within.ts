/** Compares paths with folders. */
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is the folder or is below it. Both are absolute; resolve links before, if they matter. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path relative to a folder, with forward slashes; '' for the folder itself. Both are absolute. */
export function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** Whether a relative path leads out of its folder, judged by its text. */
export function leadsOut(path: string): boolean {
  return isAbsolute(path) || path.split(/[/\\]/).includes('..');
}
