export type MessageTables = {
  message: {
    id: string;
    user_id: string;
    type: number;
    kind: string;
    parameters: unknown;
    read_at: bigint | null;
    created_at: bigint;
    about: string | null;
  };
};
