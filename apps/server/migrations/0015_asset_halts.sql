-- Which assets were halted and released again, by whom and why. An asset is halted where its last change says so:
-- nothing of it moves until an operator has lifted the halt.

create table ledger_halt_change (
  -- The step that made it.
  sequence bigint primary key,
  asset text not null,
  is_halted boolean not null,
  set_by text not null check (set_by <> ''),
  reason text not null check (reason <> ''),
  at bigint not null
);
create index ledger_halt_change_asset on ledger_halt_change (asset, sequence desc);
create trigger ledger_halt_change_append_only before update or delete or truncate on ledger_halt_change
  for each statement execute function refuse_change();
