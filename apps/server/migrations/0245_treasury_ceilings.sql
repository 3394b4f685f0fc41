-- Ceilings of roles: the highest value in USDT that an operator of a role decides about in one operation on the exchange's
-- money, by version; the newest one holds. No value: no ceiling.
create table treasury_ceiling_version (
  role text not null,
  version integer not null check (version > 0),
  most numeric(38, 18) check (most >= 0),
  set_by text not null,
  reason text not null,
  at bigint not null,
  primary key (role, version)
);
create trigger treasury_ceiling_version_append_only before update or delete or truncate on treasury_ceiling_version
  for each statement execute function refuse_change();
