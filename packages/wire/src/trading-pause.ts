import { PAUSE_CAUSES } from '@exchange/core/trading-pause.ts';
import * as z from 'zod/mini';
import { instantMs } from './codecs.ts';

/**
 * A pause of trading as users see it. `note` contains a text for each language. Users whose language has no text see
 * the English text.
 */
export const tradingPause = z.object({
  /** The coin that is halted; absent if only the pair or the product is paused. */
  coin: z.optional(z.string()),
  /** The public reason for the pause; `other` if none was published. */
  cause: z.enum(PAUSE_CAUSES),
  /** Time by which the operators have promised further news; absent if they have promised none. */
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
