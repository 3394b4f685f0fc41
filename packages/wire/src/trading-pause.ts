import { PAUSE_CAUSES } from '@exchange/core/trading-pause.ts';
import * as z from 'zod/mini';
import { instantMs } from './codecs.ts';

/**
 * A pause of trading as it is published. `note` has a text for each language; readers of a missing language
 * get English.
 */
export const tradingPause = z.object({
  /** The coin that is halted as a whole; absent where the pair or the product alone is paused. */
  coin: z.optional(z.string()),
  /** The public reason; `other` where none was published. */
  cause: z.enum(PAUSE_CAUSES),
  /** The time by which users hear more; absent if none was promised. */
  newsTime: z.optional(instantMs),
  note: z.optional(
    z.object({
      'en-US': z.string(),
      'zh-CN': z.optional(z.string()),
      'ko-KR': z.optional(z.string()),
      'ja-JP': z.optional(z.string()),
    }),
  ),
});

export type TradingPauseShown = z.infer<typeof tradingPause>;
