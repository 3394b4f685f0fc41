/** The rows of the tables of the hourly stamps; instants are in milliseconds since 1970. */
export type StampTables = {
  stamp: {
    /** Start of the UTC hour of the statement. */
    hour: bigint;
    at: bigint;
    statement: string;
  };
  stamp_proof: {
    hour: bigint;
    calendar: string;
    /** The calendar's proof of the statement, in the binary format of OpenTimestamps. */
    proof: Buffer;
    /** Height of the Bitcoin block that attests the statement; null while no block attests it yet. */
    block: number | null;
  };
};
