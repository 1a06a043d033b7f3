/** Finds the symbols and files that a name in a question may mean. */
import { FileFlag } from '../../model/records/source-file.ts';
import { isOwnProgram } from '../program-files.ts';
import type { SymbolPlace } from '../symbol-graph.ts';
import type { ResearchInput } from './evidence-trail.ts';
import { bareName, plainName, segmentsOf } from './question.ts';

export const MAX_STARTS = 8;

/** Symbols of the last part of a name whose scopes or path fit best, else all of that name. */
export function placesOf(input: ResearchInput, query: string): readonly SymbolPlace[] {
  return findPlaces(input, query).places;
}

export interface Places {
  /** The name as answers show it: without its scopes where no symbol of that name has such scopes. */
  readonly shownName: string;
  readonly places: readonly SymbolPlace[];
  /** Places beyond the limit. */
  readonly others: readonly SymbolPlace[];
  /** Places in tests, dependencies, examples and generated code, where the program itself has one. */
  readonly aside: readonly SymbolPlace[];
}

/**
 * `preferred`: the kind of symbol that the question is about. Others are returned only where none of that kind fits.
 */
export function findPlaces(
  { graph, view }: ResearchInput,
  query: string,
  preferred: (place: SymbolPlace) => boolean = () => true,
): Places {
  // `empty?` may be a Ruby method or a name before a question mark: a symbol of that name decides.
  const name = graph.named(bareName(query)).length > 0 ? query : plainName(query);
  const all = graph.named(bareName(name)).filter((place) => graph.symbol(place).kind !== 'extension');
  const scopes = segmentsOf(name).slice(0, -1);
  const outer = (place: SymbolPlace) => segmentsOf(graph.symbol(place).qualifiedName).slice(0, -1);
  const pathOf = ({ file }: SymbolPlace) => view.files[file]!.path;
  const fits: readonly ((place: SymbolPlace) => boolean)[] = [
    // Ruby: `Client.push` is a method of the class, `Client#push` one of its instances.
    (place) => graph.symbol(place).qualifiedName === name,
    (place) => outer(place).slice(-scopes.length).join('\n') === scopes.join('\n'),
    (place) => scopes.every((scope) => outer(place).includes(scope)),
    (place) => scopes.every((scope) => [...outer(place), ...segmentsOf(pathOf(place))].includes(scope)),
    (place) => scopes.every((scope) => `${graph.symbol(place).qualifiedName}/${pathOf(place)}`.includes(scope)),
  ];
  const fit = scopes.length === 0 ? undefined : fits.find((test) => all.some(test));
  const fitting = fit ? all.filter(fit) : all;
  const found = fitting.some(preferred) ? fitting.filter(preferred) : fitting;
  const inProgram = found.filter(({ file }) => isOwnProgram(view.files[file]!));
  const outsideTests = found.filter(({ file }) => (view.files[file]!.flags & FileFlag.Test) === 0);
  const chosen = [inProgram, outsideTests].find((places) => places.length > 0) ?? found;
  const shownName = chosen.length === 0 || scopes.length === 0 || fit ? name : bareName(name);
  return {
    shownName,
    places: chosen.slice(0, MAX_STARTS),
    others: chosen.slice(MAX_STARTS),
    aside: found.filter((place) => !chosen.includes(place)),
  };
}

/** Files by a path, the end of a path, a folder, or the name of a module. */
export function membersOf({ view, moduleOf }: ResearchInput, name: string): number[] {
  const wanted = plainName(name).replace(/^\.\//, '').replace(/\/$/, '');
  const exact = view.indexOfPath(wanted);
  if (exact >= 0) return [exact];
  const fits = (test: (path: string) => boolean) =>
    view.files.flatMap(({ path }, index) => (test(path) ? [index] : []));
  const inFolder = fits((path) => path.startsWith(`${wanted}/`));
  if (inFolder.length > 0) return inFolder;
  const byModule = fits((path) => moduleOf(path) === wanted);
  if (byModule.length > 0) return byModule;
  const ending = (path: string) => path === wanted || path.endsWith(`/${wanted}`);
  const byEnding = fits((path) => ending(path) || ending(path.replace(/\.[^./]+$/, '')));
  if (byEnding.length > 0) return byEnding;
  const within = fits((path) => `/${path}`.includes(`/${wanted}/`));
  // Names of modules and packages as code writes them: `django.utils`, `com.acme.shop`.
  const folders = wanted.replaceAll(/\.|::/g, '/');
  const isDotted = within.length === 0 && folders !== wanted && !wanted.includes('/');
  return isDotted
    ? fits((path) => `/${path}`.includes(`/${folders}/`) || `/${path.replace(/\.[^./]+$/, '')}`.endsWith(`/${folders}`))
    : within;
}
