-- The beginning of the journal can be moved to an archive (`npm run archive-journal`). Rows are still never changed, and the
-- server's role has no right to delete them. Only their owner deletes them, in a transaction that declares it.

drop trigger step_journal_append_only on step_journal;
create trigger step_journal_append_only before update or truncate on step_journal
  for each statement execute function refuse_change();
create trigger step_journal_archived_only before delete on step_journal
  for each statement when (current_setting('exchange.archiving', true) is distinct from 'on')
  execute function refuse_change();
