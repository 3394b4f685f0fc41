-- What moved for products is little beside what trading moves, and is asked for on its own.
create index ledger_movement_products on ledger_movement (owner, entry desc, posting desc, account desc)
  where kind not like 'spot.%';
