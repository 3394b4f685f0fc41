-- After a restore nothing is sent until an operator has compared withdrawals with their chains, and says so: for the
-- backup that the database was restored from, as the setting `restored_from` names it.
create table withdrawal_resumption (
  restored_from text primary key,
  resumed_by text not null,
  reason text not null,
  at bigint not null
);
create trigger withdrawal_resumption_append_only before update or delete or truncate on withdrawal_resumption
  for each statement execute function refuse_change();
