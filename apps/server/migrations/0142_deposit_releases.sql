-- Small deposits of one person, coin and network that have come to the minimum together are credited in portions. A row says
-- that what still waits of them is to be credited whatever it comes to; it is deleted with the last portion.
create table deposit_release (
  owner uuid not null,
  network text not null,
  asset text not null,
  primary key (owner, network, asset)
);
