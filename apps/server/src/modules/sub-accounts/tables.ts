/** The rows of the tables of sub-accounts; amounts are decimal text, instants are in milliseconds since 1970. */
export type SubAccountTables = {
  sub_account: {
    id: string;
    master: string;
    uid: string;
    name: string;
    note: string;
    created_at: bigint;
    archived_at: bigint | null;
  };
  sub_account_transfer: {
    id: string;
    number: bigint;
    master: string;
    source: string;
    destination: string;
    asset: string;
    amount: string;
    client_id: string;
    at: bigint;
  };
};
