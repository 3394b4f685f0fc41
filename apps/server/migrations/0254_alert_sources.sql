-- Price alerts watch the last price or the index, and repeating ones have a pause of their own.
alter table price_alert
  add column source text not null default 'last' check (source in ('last', 'index')),
  add column pause_minutes integer not null default 1 check (pause_minutes in (1, 15, 60, 1440));
