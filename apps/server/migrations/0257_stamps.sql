-- Statements of published hashes that are stamped outside the exchange, one per UTC hour at most.
create table stamp (
  -- Milliseconds since 1970-01-01 of the start of the hour.
  hour bigint primary key check (hour % 3600000 = 0),
  at bigint not null,
  -- The stamped text; its SHA-256 was sent to the calendars.
  statement text not null check (length(statement) between 1 and 100000)
);
create trigger stamp_append_only before update or delete or truncate on stamp
  for each statement execute function refuse_change();

-- What a calendar answered for a statement: operations and attestations in the format of OpenTimestamps.
create table stamp_proof (
  hour bigint not null references stamp (hour),
  calendar text not null,
  proof bytea not null check (length(proof) <= 10000),
  -- The Bitcoin block that attests the statement; null while the calendar waits for one.
  block integer check (block >= 0),
  primary key (hour, calendar)
);
create index stamp_proof_waiting on stamp_proof (hour) where block is null;
