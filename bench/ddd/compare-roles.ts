/** Roles that were found beside roles that were labelled. */
export interface Labels {
  readonly repositories: readonly {
    readonly repository: string;
    readonly commit: string;
    /** By `path#Type`: a role, or several where the code can be read either way; the first is the likelier one. */
    readonly roles: Readonly<Record<string, string | readonly string[]>>;
  }[];
}

export interface Outcome {
  readonly type: string;
  readonly found: string | null;
  /** Empty: a type without a role. */
  readonly labelled: readonly string[];
  readonly right: boolean;
}

/** A label whose type is not there is an error: the labels are of another commit. */
export function compareRoles(
  found: ReadonlyMap<string, string | null>,
  labels: Labels['repositories'][number]['roles'],
): Outcome[] {
  const missing = Object.keys(labels).filter((type) => !found.has(type));
  if (missing.length > 0) throw new Error(`labelled, but not in the repository: ${missing.join(', ')}`);
  return [...found].map(([type, role]) => {
    const label = labels[type] ?? [];
    const labelled = typeof label === 'string' ? [label] : label;
    return { type, found: role, labelled, right: role === null ? labelled.length === 0 : labelled.includes(role) };
  });
}

export interface Scores {
  /** Roles that were found and are labelled so. */
  readonly right: number;
  readonly found: number;
  readonly labelled: number;
  readonly precision: string;
  readonly recall: string;
}

export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const right = outcomes.filter((outcome) => outcome.right && outcome.found !== null).length;
  const found = outcomes.filter((outcome) => outcome.found !== null).length;
  const labelled = outcomes.filter((outcome) => outcome.labelled.length > 0).length;
  const share = (of: number) => (of === 0 ? 'none' : (right / of).toFixed(2));
  return { right, found, labelled, precision: share(found), recall: share(labelled) };
}
