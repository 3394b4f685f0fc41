/** The contents of the given files by kind. */
export interface Evidence {
  readonly keys: ReadonlyMap<string, unknown>;
  /** Hashes of tape lines by `symbol seq`, and tape lines by `symbol milliseconds`. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly lines: ReadonlyMap<string, unknown>;
}
type DocumentFault = (document: never, evidence: Evidence) => string | undefined;

export function gathered(paths: readonly string[]): Evidence;
export function verdicts(evidence: Evidence, documentFault: DocumentFault): [string, string | undefined][];
