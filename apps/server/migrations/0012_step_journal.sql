-- What every recorded step was asked, batch by batch: with it books, trades and balances can be made again
-- from zero or from a base copy, on another database, and compared.

create table step_journal (
  -- The last step of the batch.
  sequence bigint primary key,
  -- One JSON array per line: sequence, instant, operation, input.
  steps text not null
);
create trigger step_journal_append_only before update or delete or truncate on step_journal
  for each statement execute function refuse_change();
