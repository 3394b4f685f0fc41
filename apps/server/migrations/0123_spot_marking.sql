-- The trades of a pair whose stops are being marked in portions: nothing else happens on the pair until all are marked.

create table spot_marking (
  symbol text primary key,
  -- The first trade of which some stops are still to be marked; null when there is none.
  from_trade bigint,
  -- The last trade of the step that made them.
  to_trade bigint,
  check ((from_trade is null) = (to_trade is null)),
  check (from_trade <= to_trade)
);
