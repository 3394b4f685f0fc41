-- Networks on which operators chose the table's withdrawal fees instead of fees that follow the network's cost, with the end of each
-- choice.
create table network_table_fees (
  id uuid primary key,
  network text not null,
  since bigint not null,
  chosen_by text not null,
  reason text not null,
  ended_at bigint,
  ended_by text,
  end_reason text,
  check ((ended_at is null) = (ended_by is null))
);
create unique index network_table_fees_open on network_table_fees (network) where ended_at is null;
