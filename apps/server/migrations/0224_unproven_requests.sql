-- Requests that name a key without proof that its owner sent them have a ring of their own, so that they push out none of
-- the owner's. The sequence counts them, so the newest row tells how many there were.
create table api_key_unproven_request (
  key_id uuid not null references api_key (id),
  place smallint not null check (place between 0 and 99),
  sequence bigint not null,
  at bigint not null,
  method text not null,
  path text not null,
  weight integer not null,
  status smallint not null,
  code integer not null,
  address text not null,
  duration_us integer not null check (duration_us >= 0),
  primary key (key_id, place)
) with (fillfactor = 70);
