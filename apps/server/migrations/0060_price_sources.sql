-- Sources of the index that operators have switched off or on again. The newest change of a source holds; all are kept.
create table market_source_change (
  number bigint generated always as identity primary key,
  source text not null,
  is_on boolean not null,
  -- What everybody is told, by language; null where it was switched on.
  note jsonb,
  changed_by text not null,
  reason text not null,
  at bigint not null,
  check (is_on = (note is null))
);
create index market_source_change_source on market_source_change (source, number desc);
create trigger market_source_change_append_only before update or delete or truncate on market_source_change
  for each statement execute function refuse_change();
