-- Alerts on crossings of two averages, of the relative strength index and a level, of MACD and its signal line, and of
-- Bollinger bands: `average_period` is the number of candles of the index, the bands or the fast average.
alter table price_alert
  drop constraint price_alert_average_kind_check,
  add constraint price_alert_average_kind_check
    check (average_kind in ('ma', 'ema', 'maPair', 'emaPair', 'rsi', 'macd', 'bollUpper', 'bollLower')),
  add column average_slow integer check (average_slow between 3 and 200),
  add column average_level numeric(38, 18) check (average_level between 1 and 99),
  add constraint price_alert_slow_check
    check ((average_slow is not null) = (coalesce(average_kind, '') in ('maPair', 'emaPair', 'macd'))),
  add constraint price_alert_level_check
    check ((average_level is not null) = (coalesce(average_kind, '') = 'rsi'));
