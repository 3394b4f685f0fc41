-- Signed states from which a replay of the journal may begin. The rows of the state are files in the data folder.

create table replay_checkpoint (
  -- The last step that is in it.
  step bigint primary key,
  at bigint not null,
  -- JSON as it was signed: hashes of every part of the state, of the journal up to here, and of the checkpoint before.
  manifest text not null,
  key text not null,
  signature text not null
);
create trigger replay_checkpoint_append_only before update or delete or truncate on replay_checkpoint
  for each statement execute function refuse_change();
