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
  /** Claims demo funds and shows the result as a notification. */
  readonly claim: () => Promise<void>;
  readonly isBusy: boolean;
  /**
   * Time in milliseconds UTC from which the user can claim demo funds again; undefined if the user can claim them now.
   */
  readonly nextClaimAt: number | undefined;
}

/** Provides the signed-in user's claim of demo funds, which is possible once within 24 hours, and only in demo mode. */
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
      // The user has already claimed demo funds on another device within the last 24 hours, or the request failed. The
      // notification shows which of the two it was.
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
 * Returns the time (milliseconds UTC) from which the user can claim demo funds again: the later of the time that the
 * server reports and the time that is stored on this device. Undefined if the user can claim them now. `keep` stores
 * such a time on this device.
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
