-- What users read about a pause of trading: a public reason of a fixed list, a note, and the time of the next news. A change of
-- the notice ends a row and begins another with the same start.
create table trading_pause (
  id uuid primary key,
  -- What is paused: a pair, a coin, or new positions of the seconds contract, which has no subject of its own.
  scope text not null check (scope in ('pair', 'coin', 'seconds')),
  subject text not null,
  cause text not null,
  -- A text by language.
  note jsonb,
  news_at bigint,
  since bigint not null,
  paused_by text not null,
  -- The reason for the log; it is not published.
  reason text not null,
  ended_at bigint,
  ended_by text,
  end_reason text,
  check ((ended_at is null) = (ended_by is null))
);
create unique index trading_pause_open on trading_pause (scope, subject) where ended_at is null;
