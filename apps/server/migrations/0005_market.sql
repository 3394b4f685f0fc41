-- Our own market as it is drawn, and the tape of the index.

-- Candles that are still written to. Prices are ticks, volume lots, turnover units of the pair's scale:
-- 64-bit integers, exact. Empty candles are not stored; readers repeat the last close.
CREATE TABLE market_candle (
  symbol text NOT NULL,
  timer text NOT NULL,
  opened bigint NOT NULL CHECK (opened >= 0),
  open bigint NOT NULL CHECK (open > 0),
  high bigint NOT NULL,
  low bigint NOT NULL CHECK (low > 0),
  close bigint NOT NULL CHECK (close > 0),
  volume bigint NOT NULL CHECK (volume >= 0),
  turnover bigint NOT NULL CHECK (turnover >= 0),
  deals integer NOT NULL CHECK (deals >= 0),
  seeded boolean NOT NULL,
  PRIMARY KEY (symbol, timer, opened),
  CHECK (high >= open AND high >= close AND low <= open AND low <= close)
) WITH (fillfactor = 50);

-- Closed candles, 500 intervals to a block, eight little-endian 64-bit integers per candle: a start reads
-- a quarter of a million candles from some hundred rows.
CREATE TABLE market_candle_block (
  symbol text NOT NULL,
  timer text NOT NULL,
  block bigint NOT NULL,
  candles bytea NOT NULL CHECK (length(candles) % 64 = 0),
  PRIMARY KEY (symbol, timer, block)
);
ALTER TABLE market_candle_block ALTER COLUMN candles SET STORAGE EXTERNAL;

-- The latest deals of each pair, so that a start can show them; the record of all deals is spot's.
CREATE TABLE market_deal (
  symbol text NOT NULL,
  sequence bigint NOT NULL,
  trade_id text NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  amount bigint NOT NULL CHECK (amount > 0),
  taker_side text NOT NULL CHECK (taker_side IN ('buy', 'sell')),
  at bigint NOT NULL,
  PRIMARY KEY (symbol, sequence)
);

-- Which deals the candles contain, advanced in the transaction that stores them; and, in demo mode, from
-- where the simulated path goes on.
CREATE TABLE market_progress (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  deal_sequence bigint NOT NULL CHECK (deal_sequence >= 0),
  path jsonb
);

CREATE TABLE market_tape (
  symbol text NOT NULL,
  seq bigint NOT NULL,
  t bigint NOT NULL CHECK (t % 1000 = 0),
  hash text NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (symbol, seq)
);
CREATE UNIQUE INDEX market_tape_second ON market_tape (t, symbol);

-- Closed hours of the tape: the same lines, one to a row of text, compressed.
CREATE TABLE market_tape_hour (
  symbol text NOT NULL,
  hour bigint NOT NULL CHECK (hour % 3600000 = 0),
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  last_t bigint NOT NULL,
  last_hash text NOT NULL,
  sha256 bytea NOT NULL,
  lines bytea NOT NULL,
  PRIMARY KEY (symbol, hour),
  CHECK (last_seq >= first_seq)
);
ALTER TABLE market_tape_hour ALTER COLUMN lines SET STORAGE EXTERNAL;

-- Nobody rewrites the tape, not even our own code by mistake.
CREATE FUNCTION market_tape_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the tape is append-only';
END $$;
CREATE TRIGGER market_tape_no_change BEFORE UPDATE OR TRUNCATE ON market_tape
  FOR EACH STATEMENT EXECUTE FUNCTION market_tape_is_written_once();
CREATE TRIGGER market_tape_hour_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON market_tape_hour
  FOR EACH STATEMENT EXECUTE FUNCTION market_tape_is_written_once();

-- Lines may leave the table only for the hour that holds them.
CREATE FUNCTION market_tape_leaves_for_its_hour() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM gone WHERE NOT EXISTS (
      SELECT FROM market_tape_hour h
      WHERE h.symbol = gone.symbol AND gone.seq BETWEEN h.first_seq AND h.last_seq
    )
  ) THEN
    RAISE EXCEPTION 'a line of the tape may only be removed once its hour is stored';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER market_tape_moves AFTER DELETE ON market_tape
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION market_tape_leaves_for_its_hour();
