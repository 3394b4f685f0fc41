-- Entries of pretended and of real chains are counted by one sequence: a network that gets its chain later goes on
-- behind what it had while it was pretended, and nothing that comes in is taken for old.
create sequence chain_position;
select setval(
  'chain_position',
  1 + greatest(
    (select coalesce(max(position), 0) from chain_transfer),
    (select coalesce(max(position), 0) from chain_sighting)
  )
);
alter table chain_transfer alter column position drop identity;
alter table chain_transfer alter column position set default nextval('chain_position');
alter table chain_sighting alter column position drop identity;
alter table chain_sighting alter column position set default nextval('chain_position');
alter sequence chain_position owned by chain_transfer.position;
