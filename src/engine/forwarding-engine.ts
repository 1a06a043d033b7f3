/**
 * Base classes of engines that wrap another engine. `RoutedEngine` routes every call to one of two methods: `about` for
 * calls about a folder, `general` for the others. `ForwardingEngine` forwards both to the inner engine; a subclass
 * overrides one of the two, or single calls.
 */
import type { Engine } from './engine.ts';

type Method = {
  [Name in keyof Engine]: Engine[Name] extends (...args: never) => Promise<unknown> ? Name : never;
}[keyof Engine];
/** Methods without a folder; `doctor` takes one or none. */
export type GeneralMethod =
  | 'doctor'
  | 'registeredRoots'
  | 'workspaces'
  | 'addToWorkspace'
  | 'removeFromWorkspace'
  | 'intentOf'
  | 'questionOf'
  | 'knownProjects';
/** Methods whose first argument is the path of a folder, or a scope. */
export type FolderMethod = Exclude<Method, GeneralMethod | 'close'> | 'doctor';
type Rest<Name extends Method> = Parameters<Engine[Name]> extends [unknown, ...infer Others] ? Others : never;
type Answer<Name extends Method> = ReturnType<Engine[Name]>;
type Call<T> = (...args: readonly unknown[]) => Promise<T>;

export abstract class RoutedEngine implements Engine {
  abstract readonly languageModel: string | null;
  abstract readonly hasLocalFiles: boolean;
  abstract close(): Promise<void>;

  /** `T` is the answer type of the method's own signature. */
  protected abstract about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T>;

  protected abstract general<T>(method: GeneralMethod, args: readonly unknown[]): Promise<T>;

  intentOf(query: string): Answer<'intentOf'> {
    return this.general('intentOf', [query]);
  }

  questionOf(query: string): Answer<'questionOf'> {
    return this.general('questionOf', [query]);
  }

  registeredRoots(): Answer<'registeredRoots'> {
    return this.general('registeredRoots', []);
  }

  knownProjects(): Answer<'knownProjects'> {
    return this.general('knownProjects', []);
  }

  workspaces(): Answer<'workspaces'> {
    return this.general('workspaces', []);
  }

  addToWorkspace(name: string, roots: readonly string[]): Answer<'addToWorkspace'> {
    return this.general('addToWorkspace', [name, roots]);
  }

  removeFromWorkspace(name: string, repos?: readonly string[]): Answer<'removeFromWorkspace'> {
    return this.general('removeFromWorkspace', [name, repos]);
  }

  doctor(path: string | null): Answer<'doctor'> {
    return path === null ? this.general('doctor', [path]) : this.about('doctor', path, []);
  }

  project(path: string): Answer<'project'> {
    return this.about('project', path, []);
  }

  root(path: string): Answer<'root'> {
    return this.about('root', path, []);
  }

  members(path: string): Answer<'members'> {
    return this.about('members', path, []);
  }

  register(path: string, ...rest: Rest<'register'>): Answer<'register'> {
    return this.about('register', path, rest);
  }

  index(path: string, ...rest: Rest<'index'>): Answer<'index'> {
    return this.about('index', path, rest);
  }

  startIndex(path: string, ...rest: Rest<'startIndex'>): Answer<'startIndex'> {
    return this.about('startIndex', path, rest);
  }

  firstIndex(path: string, ...rest: Rest<'firstIndex'>): Answer<'firstIndex'> {
    return this.about('firstIndex', path, rest);
  }

  watch(path: string, ...rest: Rest<'watch'>): Answer<'watch'> {
    return this.about('watch', path, rest);
  }

  status(path: string, ...rest: Rest<'status'>): Answer<'status'> {
    return this.about('status', path, rest);
  }

  skipped(path: string, ...rest: Rest<'skipped'>): Answer<'skipped'> {
    return this.about('skipped', path, rest);
  }

  verify(path: string, ...rest: Rest<'verify'>): Answer<'verify'> {
    return this.about('verify', path, rest);
  }

  dropRef(path: string, ...rest: Rest<'dropRef'>): Answer<'dropRef'> {
    return this.about('dropRef', path, rest);
  }

  collectGarbage(path: string): Answer<'collectGarbage'> {
    return this.about('collectGarbage', path, []);
  }

  exportChunks(path: string, ...rest: Rest<'exportChunks'>): Answer<'exportChunks'> {
    return this.about('exportChunks', path, rest);
  }

  exportContents(path: string, ...rest: Rest<'exportContents'>): Answer<'exportContents'> {
    return this.about('exportContents', path, rest);
  }

  search(path: string, ...rest: Rest<'search'>): Answer<'search'> {
    return this.about('search', path, rest);
  }

  searchSoFar(path: string, ...rest: Rest<'searchSoFar'>): Answer<'searchSoFar'> {
    return this.about('searchSoFar', path, rest);
  }

  locate(path: string, ...rest: Rest<'locate'>): Answer<'locate'> {
    return this.about('locate', path, rest);
  }

  symbol(path: string, ...rest: Rest<'symbol'>): Answer<'symbol'> {
    return this.about('symbol', path, rest);
  }

  research(path: string, ...rest: Rest<'research'>): Answer<'research'> {
    return this.about('research', path, rest);
  }

  commits(path: string, ...rest: Rest<'commits'>): Answer<'commits'> {
    return this.about('commits', path, rest);
  }

  impact(path: string, ...rest: Rest<'impact'>): Answer<'impact'> {
    return this.about('impact', path, rest);
  }

  map(path: string, ...rest: Rest<'map'>): Answer<'map'> {
    return this.about('map', path, rest);
  }

  readFile(path: string, ...rest: Rest<'readFile'>): Answer<'readFile'> {
    return this.about('readFile', path, rest);
  }

  grep(path: string, ...rest: Rest<'grep'>): Answer<'grep'> {
    return this.about('grep', path, rest);
  }

  findPaths(path: string, ...rest: Rest<'findPaths'>): Answer<'findPaths'> {
    return this.about('findPaths', path, rest);
  }

  files(path: string, ...rest: Rest<'files'>): Answer<'files'> {
    return this.about('files', path, rest);
  }

  indexedFile(path: string, ...rest: Rest<'indexedFile'>): Answer<'indexedFile'> {
    return this.about('indexedFile', path, rest);
  }

  identifierLinks(path: string, ...rest: Rest<'identifierLinks'>): Answer<'identifierLinks'> {
    return this.about('identifierLinks', path, rest);
  }

  lineHistory(path: string, ...rest: Rest<'lineHistory'>): Answer<'lineHistory'> {
    return this.about('lineHistory', path, rest);
  }

  callNeighbours(path: string, ...rest: Rest<'callNeighbours'>): Answer<'callNeighbours'> {
    return this.about('callNeighbours', path, rest);
  }

  repositoryMap(path: string, ...rest: Rest<'repositoryMap'>): Answer<'repositoryMap'> {
    return this.about('repositoryMap', path, rest);
  }

  activity(path: string): Answer<'activity'> {
    return this.about('activity', path, []);
  }

  remember(path: string, ...rest: Rest<'remember'>): Answer<'remember'> {
    return this.about('remember', path, rest);
  }

  contextSearch(path: string, ...rest: Rest<'contextSearch'>): Answer<'contextSearch'> {
    return this.about('contextSearch', path, rest);
  }

  discoveries(path: string, ...rest: Rest<'discoveries'>): Answer<'discoveries'> {
    return this.about('discoveries', path, rest);
  }

  discovery(path: string, ...rest: Rest<'discovery'>): Answer<'discovery'> {
    return this.about('discovery', path, rest);
  }

  editDiscovery(path: string, ...rest: Rest<'editDiscovery'>): Answer<'editDiscovery'> {
    return this.about('editDiscovery', path, rest);
  }

  importDiscoveries(path: string, ...rest: Rest<'importDiscoveries'>): Answer<'importDiscoveries'> {
    return this.about('importDiscoveries', path, rest);
  }

  forget(path: string, ...rest: Rest<'forget'>): Answer<'forget'> {
    return this.about('forget', path, rest);
  }

  memoryNotices(path: string): Answer<'memoryNotices'> {
    return this.about('memoryNotices', path, []);
  }

  brokenMemories(path: string): Answer<'brokenMemories'> {
    return this.about('brokenMemories', path, []);
  }

  sessions(path: string): Answer<'sessions'> {
    return this.about('sessions', path, []);
  }

  accesses(path: string): Answer<'accesses'> {
    return this.about('accesses', path, []);
  }
}

export class ForwardingEngine extends RoutedEngine {
  protected readonly inner: Engine;

  constructor(inner: Engine) {
    super();
    this.inner = inner;
  }

  get hasLocalFiles(): boolean {
    return this.inner.hasLocalFiles;
  }

  get languageModel(): string | null {
    return this.inner.languageModel;
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  protected about<T>(method: FolderMethod, path: string, args: readonly unknown[]): Promise<T> {
    return (this.inner[method] as Call<T>).call(this.inner, path, ...args);
  }

  protected general<T>(method: GeneralMethod, args: readonly unknown[]): Promise<T> {
    return (this.inner[method] as Call<T>).call(this.inner, ...args);
  }
}
