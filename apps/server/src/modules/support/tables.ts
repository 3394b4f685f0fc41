import type { Generated } from 'kysely';

export type SupportTables = {
  support_request: {
    id: string;
    /** Ticket number, by which customers and operators name the support request. */
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
    /** Time of the request, or of the customer's reply that made an answered request wait for an answer again. */
    waiting_since: bigint;
    decided_at: bigint | null;
    decided_by: string | null;
    /**
     * Kind and id of the deposit, withdrawal or report of a missing deposit that the support request is
     * about; null if there is none.
     */
    about_kind: string | null;
    about_id: string | null;
  };
  support_message: {
    number: Generated<bigint>;
    request: string;
    /** Author of the message: 1 the customer, 2 customer service, 3 an operator who writes a note. */
    author: number;
    content: string;
    written_by: string | null;
    created_at: bigint;
  };
};
