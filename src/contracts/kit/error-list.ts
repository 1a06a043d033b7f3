/** How many file errors an answer lists. */
const MAX_ERRORS = 100;

/** The first errors, with their total if there are more. */
export function listErrors<T>(errors: readonly T[]): {
  readonly errors: readonly T[];
  readonly errors_total?: number;
  readonly errors_omitted?: number;
} {
  if (errors.length <= MAX_ERRORS) return { errors };
  const shown = errors.slice(0, MAX_ERRORS);
  return { errors: shown, errors_total: errors.length, errors_omitted: errors.length - shown.length };
}
