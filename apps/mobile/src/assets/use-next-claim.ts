import { useNow } from '@exchange/web-kit/format/remaining.tsx';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { useState } from 'react';

/** When a person can claim play money again, as far as this device was told. */
export interface NextClaim {
  /** Milliseconds UTC; undefined when nothing stands in the way. */
  readonly waitsUntil: number | undefined;
  readonly keep: (nextMs: number) => void;
}

/** The next claim of the person who is signed in, by the server's clock and remembered on this device. */
export function useNextClaim(): NextClaim {
  const key = useSession(({ session }) => `faucet-next-${session?.userId ?? ''}`);
  const now = useNow();
  const [kept, setKept] = useState<{ key: string; nextMs: number }>();
  const nextMs = kept?.key === key ? kept.nextMs : Number(recall(key) ?? '0');
  return {
    waitsUntil: nextMs > now ? nextMs : undefined,
    keep: (next) => {
      remember(key, String(next));
      setKept({ key, nextMs: next });
    },
  };
}
