-- Messages about corrections and debts that wait to be written into the inbox of their owner.
create table treasury_notice (
  -- Not an id of the step: replays of steps from before this table make the same ids.
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  owner uuid not null,
  -- Values for the texts of the message: decimal texts and names, no HTML.
  parameters jsonb not null
);
