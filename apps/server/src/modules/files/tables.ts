export type FileTables = {
  file: {
    id: string;
    owner: string;
    purpose: string;
    sha256: Buffer;
    width: number;
    height: number;
    /** Values: free, claimed, or gone (to be erased). */
    state: string;
    claimed_for: string | null;
    created_at: bigint;
  };
  file_day: { owner: string; day: bigint; tries: number };
};
