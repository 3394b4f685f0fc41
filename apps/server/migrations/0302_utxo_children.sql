-- A child of a batch (child pays for parent): a batch without payments that spends only the change of one of the
-- transactions of its parent.
alter table utxo_batch add column parent uuid references utxo_batch (id);
create index utxo_batch_child on utxo_batch (parent) where parent is not null;
