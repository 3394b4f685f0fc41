-- The last requests of every API key: a ring of 1,000 places, in which a new request replaces the oldest one. No secrets,
-- signatures, queries or bodies. Rows change in place, so pages leave room for new versions of their rows.
create table api_key_request (
  key_id uuid not null references api_key (id),
  place smallint not null check (place between 0 and 999),
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
