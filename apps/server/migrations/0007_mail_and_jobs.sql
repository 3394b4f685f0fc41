-- Mail is written with the change that causes it and sent afterwards. The job queue keeps its own schema.

create table mail_outbox (
  id uuid primary key,
  -- The order of writing, also of letters of the same millisecond.
  number bigint generated always as identity unique,
  recipient text not null,
  purpose text not null,
  subject text not null,
  body text not null,
  code text,
  -- waiting: to be sent · kept: readable only here, nothing is sent · sent · failed: given up
  status text not null check (status in ('waiting', 'kept', 'sent', 'failed')),
  attempts integer not null default 0,
  created_at bigint not null,
  sent_at bigint
) with (fillfactor = 80);
create index mail_outbox_by_age on mail_outbox (created_at);
create index mail_outbox_by_recipient on mail_outbox (recipient, number desc);
create index mail_outbox_waiting on mail_outbox (created_at) where status = 'waiting';
