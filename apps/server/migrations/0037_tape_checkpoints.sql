-- Signed marks of the index tape: whoever keeps one can tell whether a line before it was changed since.
create table tape_checkpoint (
  symbol text not null,
  seq bigint not null,
  t bigint not null,
  hash text not null,
  key text not null,
  signature text not null,
  primary key (symbol, seq)
);
create index tape_checkpoint_time on tape_checkpoint (symbol, t);
create trigger tape_checkpoint_append_only before update or delete or truncate on tape_checkpoint
  for each statement execute function refuse_change();
