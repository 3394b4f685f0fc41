export type MailTables = {
  mail_outbox: {
    id: string;
    recipient: string;
    purpose: string;
    subject: string;
    body: string;
    code: string | null;
    status: 'waiting' | 'kept' | 'sent' | 'failed';
    attempts: number;
    created_at: bigint;
    sent_at: bigint | null;
  };
};
