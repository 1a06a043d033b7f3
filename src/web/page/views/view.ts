/** What every view gets. */
export interface ViewProps {
  readonly parameters: URLSearchParams;
}
