import { useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useNow } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { readStored, store } from '../storage.ts';
import { useClaimFaucet, useFaucetState } from './queries.ts';

export interface Faucet {
  /** Claims play money and shows the result as a notification. */
  readonly claim: () => Promise<void>;
  readonly isBusy: boolean;
  /**
   * Time of the next possible claim of play money in milliseconds UTC; undefined when claiming is possible
   * now.
   */
  readonly nextClaimAt: number | undefined;
}

/** Demo mode: lets the signed-in user claim play money once a day. */
export function useFaucet(): Faucet {
  const t = useWords('assets');
  const locale = useLocale();
  const { mutateAsync, isPending } = useClaimFaucet();
  const { nextClaimAt, keep } = useNextClaim();
  const claim = async () => {
    try {
      const { credited, nextTime } = await mutateAsync();
      keep(nextTime);
      const list = credited.map(({ currency, amount }) => withUnit(formatDecimal(amount, locale), currency));
      notify.success(t('claimed', { list: list.join(', ') }));
    } catch (error) {
      // Reason: the user has claimed on another device within a day, or the call failed; the notification
      // says which.
      if (error instanceof CallRefused && error.errKey === 'l.faucet_wait')
        keep(Number(error.data['nextTime']));
      notify.failure(error);
    }
  };
  return { claim, isBusy: isPending, nextClaimAt };
}

interface NextClaim {
  readonly nextClaimAt: number | undefined;
  readonly keep: (nextMs: number) => void;
}

/**
 * Time of the user's next possible claim of play money by the server's clock: as reported by the server or as
 * stored on this device, whichever is later. `keep` stores such a time.
 */
function useNextClaim(): NextClaim {
  const key = useSession(({ session }) => `faucet-next-${session?.userId ?? ''}`);
  const now = useNow();
  const [stored, setStored] = useState<{ key: string; nextMs: number }>();
  const remembered = stored?.key === key ? stored.nextMs : Number(readStored(key) ?? '0');
  const nextMs = Math.max(useFaucetState().data?.nextTime ?? 0, remembered);
  return {
    nextClaimAt: nextMs > now ? nextMs : undefined,
    keep: (nextMs) => {
      store(key, String(nextMs));
      setStored({ key, nextMs });
    },
  };
}
