-- The time zone in which a user's tax years begin and end, an IANA name; without a row it is UTC. It is the user's choice,
-- so it is kept when the books are counted again.
create table tax_zone (
  owner uuid primary key,
  zone text not null check (length(zone) between 1 and 64),
  changed_at bigint not null
);
