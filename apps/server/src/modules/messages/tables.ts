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
    deleted_at: bigint | null;
  };
  message_choice: {
    user_id: string;
    topic: string;
    inbox: boolean;
    mail: boolean;
  };
};
