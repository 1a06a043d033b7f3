/** Whether a path stays where it should. */
import { isAbsolute, sep } from 'node:path';

/** Whether a path is a folder's own or lies below it. Both absolute, and as links lead where that matters. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path that is meant to be relative to a folder says that it leads out of it. */
export function leadsOut(path: string): boolean {
  return isAbsolute(path) || path.split(/[/\\]/).includes('..');
}
