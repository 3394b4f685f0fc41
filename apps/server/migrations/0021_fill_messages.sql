-- Fills of orders that rested are told in the inbox, each ended order once: `about` is what a message is about.

alter table message add column about uuid;
create unique index message_about on message (about, kind) where about is not null;

alter table user_account add column notify_fills boolean not null default true;

-- Up to which ledger entry every ended order has been told. What ended before this migration is not.
create table spot_fill_cursor (
  id integer primary key check (id = 1),
  sequence bigint not null
);
insert into spot_fill_cursor (id, sequence) select 1, coalesce(max(sequence), 0) from ledger_entry;
