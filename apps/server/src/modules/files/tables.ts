export type FileTables = {
  file: {
    id: string;
    owner: string;
    purpose: string;
    sha256: Buffer;
    width: number;
    height: number;
    /**
     * State of the file: `free` (no module has claimed it), `claimed` (by a module for the object
     * `claimed_for`), or `gone` (released; the next clean-up erases it).
     */
    state: string;
    claimed_for: string | null;
    created_at: bigint;
  };
  file_day: { owner: string; day: bigint; tries: number };
};
