export type SupportTables = {
  support_request: {
    id: string;
    owner: string | null;
    source: Buffer;
    request_key: string | null;
    email: string;
    locale: string;
    topic: string;
    content: string;
    status: number;
    created_at: bigint;
    answer: string;
    decided_at: bigint | null;
    decided_by: string | null;
  };
};
