-- From when a withdrawal may leave because its address is known by then; null for those from before addresses had an age.
alter table withdrawal add column known_at bigint;
-- When somebody first had to do with an address, in the book or not any more, and by withdrawals.
create index withdrawal_address_seen on withdrawal_address (owner, network, lower(address));
create index withdrawal_seen on withdrawal (owner, network, lower(address));
