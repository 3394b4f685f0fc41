export type TradingPauseTables = {
  trading_pause: {
    id: string;
    scope: string;
    subject: string;
    cause: string;
    note: unknown;
    news_at: bigint | null;
    since: bigint;
    paused_by: string;
    reason: string;
    ended_at: bigint | null;
    ended_by: string | null;
    end_reason: string | null;
  };
};
