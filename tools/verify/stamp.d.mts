export interface BlockHeader {
  /** The Merkle root, in the byte order of the header. */
  readonly root: Buffer;
  /** The block's time in seconds. */
  readonly seconds: number;
}

export function readProof(file: Buffer): {
  readonly digest: Buffer;
  readonly attested: readonly { readonly height: number | undefined; readonly message: Buffer }[];
};
export function readHeader(hex: string, workBits?: number): BlockHeader;
export function stampVerdict(
  stamp: {
    readonly statement: string;
    readonly sha256: string;
    readonly time: number;
    readonly ots?: string | undefined;
  },
  evidence: {
    readonly headers: ReadonlyMap<number, BlockHeader>;
    readonly checkpoints: readonly { readonly symbol: string; readonly seq: number; readonly hash: string }[];
    /** Data of `/proof/book`. */
    readonly books?: readonly {
      readonly text: string;
      readonly part: { readonly symbol: string; readonly seq: number; readonly hash: string };
    }[];
  },
): { readonly fault: string } | { readonly notes: readonly string[] };
