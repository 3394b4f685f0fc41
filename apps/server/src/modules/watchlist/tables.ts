import type { AverageKind } from '@exchange/core/price-alert.ts';
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
    condition: 'gte' | 'lte' | 'pct' | 'move' | 'crossUp' | 'crossDown';
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
    window_minutes: number | null;
    average_kind: AverageKind | null;
    average_period: number | null;
    average_timer: string | null;
    average_slow: number | null;
    average_level: string | null;
    order_side: 'buy' | 'sell' | null;
    order_type: 'limit' | 'market' | null;
    order_price: string | null;
    order_amount: string | null;
    order_status: 'waiting' | 'due' | 'placed' | 'refused' | null;
    order_id: string | null;
    order_refusal: string | null;
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
    window_sequence: bigint;
    candles_at: bigint;
  };
  price_alert_index_minute: {
    symbol: string;
    minute: bigint;
    low: string;
    high: string;
  };
};
