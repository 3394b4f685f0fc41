import type { Generated } from 'kysely';

export type WatchlistTables = {
  favorite_pair: {
    user_id: string;
    symbol: string;
    number: Generated<bigint>;
  };
  price_alert: {
    id: string;
    user_id: string;
    symbol: string;
    condition: 'gte' | 'lte' | 'pct';
    price: string;
    from_price: string;
    repeats: boolean;
    channels: string[];
    request_key: string | null;
    created_at: bigint;
    told_at: bigint | null;
    armed: boolean;
    deal_sequence: bigint;
    ended_at: bigint | null;
    source: 'last' | 'index';
    pause_minutes: number;
  };
  price_alert_mail: {
    number: Generated<bigint>;
    user_id: string;
    title: string;
    content: string;
    told_at: bigint;
    mailed_at: bigint | null;
  };
  price_alert_progress: {
    single: Generated<boolean>;
    deal_sequence: bigint;
  };
};
