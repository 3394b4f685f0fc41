-- Anybody can change the id of a transaction without witness before it is in a block: its signatures do not cover their
-- own encoding.

-- The id under which a block contains the transaction, if it is another one than it was signed with.
alter table utxo_variant add column mined_as text;
