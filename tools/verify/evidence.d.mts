/** What the files of a verification contain: the published keys by their ids, and lines of the index tape. */
export interface Evidence {
  readonly keys: ReadonlyMap<string, unknown>;
  /** Hashes of index tape lines by `symbol seq`, and the lines by `symbol milliseconds`. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly lines: ReadonlyMap<string, unknown>;
}
type DocumentFault = (document: never, evidence: Evidence) => string | undefined;

export function gathered(paths: readonly string[]): Evidence;
export function verdicts(evidence: Evidence, documentFault: DocumentFault): [string, string | undefined][];
