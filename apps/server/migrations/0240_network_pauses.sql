-- Deposits or withdrawals of a network that operators have paused, with a note and an expected end that users read. A change of
-- the note ends a row and begins another with the same start.
create table network_pause (
  id uuid primary key,
  network text not null,
  direction text not null check (direction in ('deposits', 'withdrawals')),
  -- A text by language.
  note jsonb not null,
  expected_at bigint,
  since bigint not null,
  paused_by text not null,
  reason text not null,
  ended_at bigint,
  ended_by text,
  end_reason text,
  check ((ended_at is null) = (ended_by is null))
);
create unique index network_pause_open on network_pause (network, direction) where ended_at is null;

-- Network fees of the last day are added up by network.
create index treasury_payment_gas on treasury_payment (at) where kind = 'gas';
