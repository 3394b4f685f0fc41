-- The trades of a pair whose stops are being marked in portions: nothing else happens on the pair until all are marked.

create table spot_marking (
  symbol text primary key,
  -- The first trade of which some stops are still to be marked; null when there is none.
  from_trade bigint,
  -- The last trade of the step that made them.
  to_trade bigint,
  check ((from_trade is null) = (to_trade is null)),
  check (from_trade <= to_trade)
);

-- The public files of a sale by blocks, which are read one by one: put together they are the file. Files from before have
-- their whole text in `subscription_file`.
create table subscription_file_block (
  project uuid not null references subscription_project (id),
  kind text not null check (kind in ('commitments', 'result')),
  number integer not null check (number >= 0),
  content text not null,
  primary key (project, kind, number)
);
create trigger subscription_file_block_append_only before update or delete or truncate on subscription_file_block
  for each statement execute function refuse_change();

alter table subscription_file alter column content drop not null;
