-- Results of the seconds contract whose owners have no message yet; a row goes with the transaction that writes the message.
-- Positions that were settled before this migration get none.
create table seconds_notice (
  id uuid primary key references seconds_order (id)
);
