export type FileTables = {
  file: {
    id: string;
    owner: string;
    purpose: string;
    sha256: Buffer;
    width: number;
    height: number;
    /** State of the file: `free`, `claimed`, or `gone` (to be erased). */
    state: string;
    claimed_for: string | null;
    created_at: bigint;
  };
  file_day: { owner: string; day: bigint; tries: number };
};
