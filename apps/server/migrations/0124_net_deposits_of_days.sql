-- What came from outside since the value that was stored before, less what left, in USDT at the prices of this one: the
-- change of a period leaves it out. Null where it was not stored yet; then it is made of the statement.
alter table portfolio_value add column net_deposits numeric(38, 8);
