/** The published keys of a verification by their ids. */
export interface Evidence {
  readonly keys: ReadonlyMap<string, unknown>;
  /** Hashes of index tape lines by `symbol seq`, and the lines by `symbol milliseconds`. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly lines: ReadonlyMap<string, unknown>;
}
type DocumentFault = (document: never, evidence: Evidence) => string | undefined;

export function gathered(paths: readonly string[]): Evidence;
export function verdicts(evidence: Evidence, documentFault: DocumentFault): [string, string | undefined][];
