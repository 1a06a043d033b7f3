/** Entry points that a manifest declares: the commands of a package, and the file that its users load. */
export interface EntryManifests {
  /** File names of the manifests. */
  readonly names: readonly string[];
  readonly read: (text: string, isRoot: boolean) => readonly DeclaredEntry[];
}

export interface DeclaredEntry {
  /** Where the file may be, relative to the manifest's folder; the first that exists is meant. */
  readonly paths: readonly string[];
  /** The function that is called; '' where the file itself runs. */
  readonly functionName: string;
}
