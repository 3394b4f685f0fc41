-- Answers to keys of all operations are removed after a while, but for those of withdrawals and deposits, which would
-- otherwise stand in the way of every search for old ones.
create index idempotency_removable on idempotency (at)
  where not (starts_with(operation, 'withdrawals.') or starts_with(operation, 'deposits.'));
drop index idempotency_at;
