-- What takers bought in a candle: lots of the base coin and units of the turnover scale. Null if the candle has trades
-- from before this migration, whose takers were not counted.
ALTER TABLE market_candle ADD COLUMN taker_volume bigint CHECK (taker_volume >= 0);
ALTER TABLE market_candle ADD COLUMN taker_turnover bigint CHECK (taker_turnover >= 0);
ALTER TABLE market_candle ADD CHECK ((taker_volume IS NULL) = (taker_turnover IS NULL));

-- The number of 64-bit integers per candle of a block: eight in the blocks written before, ten in later ones.
ALTER TABLE market_candle_block ADD COLUMN fields smallint NOT NULL DEFAULT 8 CHECK (fields IN (8, 10));
ALTER TABLE market_candle_block DROP CONSTRAINT market_candle_block_candles_check;
ALTER TABLE market_candle_block ADD CHECK (length(candles) % (8 * fields) = 0);
