import { Decimal, sum } from '@exchange/core/decimal.ts';
import { SMALL_COINS_MAX } from '@exchange/core/small-balances.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { acceptSmallBalances, quoteSmallBalances, smallBalances } from '@exchange/wire/small-balances.ts';
import { useState } from 'react';
import { call, retryOnce } from '../api/client.ts';
import { refetchActive, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';

export type SmallBalance = DataOf<typeof smallBalances>['list'][number];
export type SmallQuote = DataOf<typeof quoteSmallBalances>;
type Target = DataOf<typeof quoteSmallBalances>['to'];

const SMALL = userKeys('small-balances');
/** Query keys of the user's conversions; `convert.ts` uses the same keys. */
const CONVERT = userKeys('convert');
const REFRESH_MS = 10_000;

/**
 * The user's spot balances whose value is at most the server's maximum for small balances, most valuable
 * first, each with the amount of the coin `to` that its conversion would yield now, after the fee. Refetched
 * every ten seconds while the component is mounted and the page is visible. Nothing is fetched for visitors.
 */
function useSmallBalances(to: Target) {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: SMALL.use(to),
    queryFn: ({ signal }) => call(smallBalances, { to }, { signal }),
    enabled: isSignedIn,
    refetchInterval: REFRESH_MS,
  });
}

async function acceptQuote({
  payload,
  clientId,
}: KeyedSubmission<{ readonly quoteId: string }>): Promise<SmallQuote> {
  try {
    return await retryOnce((timeoutMs) => call(acceptSmallBalances, payload, { clientId, timeoutMs }));
  } finally {
    refetchActive(SMALL.forCurrentUser());
    refetchActive(CONVERT.forCurrentUser());
    refetchBalances();
  }
}

/**
 * Returns the balances of `list` that the user has not deselected (deselected coin codes are in `unchosen`),
 * at most the first `SMALL_COINS_MAX`, the maximum number in one quote.
 */
export function chosenOf(
  list: readonly SmallBalance[],
  unchosen: ReadonlySet<string>,
): readonly SmallBalance[] {
  return list.filter(({ currency }) => !unchosen.has(currency)).slice(0, SMALL_COINS_MAX);
}

/** The total amount of the received coin that the conversion of the given balances would yield now, after the fee. */
export function totalOf(balances: readonly SmallBalance[]): string {
  return sum(balances.map(({ toAmount }) => Decimal.parse(toAmount))).toString();
}

/**
 * State of a conversion of small balances on screen: the selection, the firm quote, and the result.
 */
export function useSmallExchange() {
  const t = useWords('small');
  const [to, setTo] = useState<Target>('USDT');
  const [unchosen, setUnchosen] = useState<ReadonlySet<string>>(new Set());
  const [quote, setQuote] = useState<SmallQuote>();
  const [done, setDone] = useState<SmallQuote>();
  const [isAsking, setAsking] = useState(false);
  const balances = useSmallBalances(to);
  const chosen = chosenOf(balances.data?.list ?? [], unchosen);
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'small',
    title: t('title'),
    send: acceptQuote,
    onAnswered: (exchange) => {
      setDone(exchange);
      setQuote(undefined);
    },
  });
  const ask = async (): Promise<void> => {
    if (isAsking || chosen.length === 0) return;
    setAsking(true);
    try {
      setQuote(
        await call(quoteSmallBalances, { coins: chosen.map(({ currency }) => currency).join(','), to }),
      );
    } catch (error) {
      // The quote was refused or the request failed; the reason may be a changed balance, so the balances are
      // refetched.
      setQuote(undefined);
      notify.failure(error);
      refetchActive(SMALL.forCurrentUser());
    } finally {
      setAsking(false);
    }
  };
  return {
    to,
    balances,
    chosen,
    quote,
    done,
    isAsking,
    isBusy,
    unanswered,
    total: totalOf(chosen),
    isChosen: (currency: string) => !unchosen.has(currency),
    setTo,
    toggle: (currency: string) => {
      const next = new Set(unchosen);
      if (!next.delete(currency)) next.add(currency);
      setUnchosen(next);
    },
    ask,
    back: () => setQuote(undefined),
    confirm: async () => {
      if (quote !== undefined) await submit(quote.quoteId, () => ({ quoteId: quote.quoteId }));
    },
    again: () => setDone(undefined),
  };
}

export type SmallControl = ReturnType<typeof useSmallExchange>;
