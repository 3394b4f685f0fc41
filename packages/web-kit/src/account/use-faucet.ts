import { useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useNow } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { recall, remember } from '../storage.ts';
import { useClaimFaucet, useFaucetState } from './queries.ts';

export interface Faucet {
  /** Claims play money and says what came of it. */
  readonly claim: () => Promise<void>;
  readonly isBusy: boolean;
  /** When there is more, in milliseconds UTC; undefined when nothing stands in the way. */
  readonly waitsUntil: number | undefined;
}

/** Demo mode: play money for the person who is signed in, once a day. */
export function useFaucet(): Faucet {
  const t = useWords('assets');
  const locale = useLocale();
  const { mutateAsync, isPending } = useClaimFaucet();
  const { waitsUntil, keep } = useNextClaim();
  const claim = async () => {
    try {
      const { credited, nextTime } = await mutateAsync();
      keep(nextTime);
      const list = credited.map(({ currency, amount }) => withUnit(formatDecimal(amount, locale), currency));
      notify.success(t('claimed', { list: list.join(', ') }));
    } catch (error) {
      // Reason: claimed on another device within a day, or the call did not come through; the sentence says which.
      if (error instanceof CallRefused && error.errKey === 'l.faucet_wait')
        keep(Number(error.data['nextTime']));
      notify.failure(error);
    }
  };
  return { claim, isBusy: isPending, waitsUntil };
}

interface NextClaim {
  readonly waitsUntil: number | undefined;
  readonly keep: (nextMs: number) => void;
}

/**
 * The next claim of the person who is signed in, by the server's clock: as the exchange says, and until it does as
 * this device remembers it.
 */
function useNextClaim(): NextClaim {
  const key = useSession(({ session }) => `faucet-next-${session?.userId ?? ''}`);
  const now = useNow();
  const [kept, setKept] = useState<{ key: string; nextMs: number }>();
  const remembered = kept?.key === key ? kept.nextMs : Number(recall(key) ?? '0');
  const nextMs = Math.max(useFaucetState().data?.nextTime ?? 0, remembered);
  return {
    waitsUntil: nextMs > now ? nextMs : undefined,
    keep: (next) => {
      remember(key, String(next));
      setKept({ key, nextMs: next });
    },
  };
}
