import type { Generated } from 'kysely';

export type SupportTables = {
  support_request: {
    id: string;
    /** The number of the request, which people say and search for. */
    number: Generated<bigint>;
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
    /** The transfer that the request is about. */
    about_kind: string | null;
    about_id: string | null;
  };
};
