-- Why a mail that waits did not leave the last time, in words and without an address: known over a restart.
alter table mail_outbox add column failure text, add column failed_at bigint;
