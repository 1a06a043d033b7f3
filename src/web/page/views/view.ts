/** The properties of every view. */
export interface ViewProps {
  readonly parameters: URLSearchParams;
}
