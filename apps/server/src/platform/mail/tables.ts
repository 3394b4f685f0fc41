import type { Generated } from 'kysely';

export type MailTables = {
  mail_outbox: {
    id: string;
    number: Generated<bigint>;
    recipient: string;
    purpose: string;
    subject: string;
    body: string;
    code: string | null;
    status: 'waiting' | 'kept' | 'sent' | 'failed';
    attempts: number;
    created_at: bigint;
    sent_at: bigint | null;
    /** Why it did not leave the last time, and when that was. */
    failure: string | null;
    failed_at: bigint | null;
  };
};
