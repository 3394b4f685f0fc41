-- OTO and OTOCO: a working order, and pending orders that are placed when it is filled.
alter table spot_order_terms
  add column oto_id uuid,
  add column oto_role text check (oto_role in ('working', 'pending')),
  add column oto_released_at bigint,
  add constraint spot_order_terms_oto check (
    (oto_id is null) = (oto_role is null) and (oto_released_at is null or oto_role = 'pending')
  );
create index spot_order_terms_list on spot_order_terms (coalesce(oto_id, group_id))
  where coalesce(oto_id, group_id) is not null;

-- The lists of orders of each owner (OCO, OTO, OTOCO), so that reading them does not read the owner's other orders.
create table spot_order_list (
  id uuid primary key,
  owner uuid not null
);
create index spot_order_list_of_owner on spot_order_list (owner, id);
insert into spot_order_list (id, owner)
  select distinct t.group_id, o.owner from spot_order_terms t join spot_order o on o.id = t.order_id
  where t.group_id is not null;
