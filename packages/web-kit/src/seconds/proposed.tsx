import { SECONDS_COIN } from '@exchange/core/seconds.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { secondsFullConfig } from '@exchange/wire/seconds.ts';
import { useWords } from '../i18n/words.ts';
import { Banner } from '../ui/parts.tsx';
import { termsOf } from './queries.ts';
import { useTicketInputs } from './ticket-inputs.ts';
import { TicketPanel } from './ticket-panel.tsx';

/**
 * Preview for operators: the ticket of the seconds contract under proposed terms. Duration and stake can be changed, so
 * that the figures of each stake can be read; no position can be opened.
 */
export function ProposedSeconds({ shown }: { readonly shown: DataOf<typeof secondsFullConfig> }) {
  const t = useWords('seconds');
  const terms = termsOf(shown, shown.feeRate);
  const inputs = useTicketInputs(terms, { coin: SECONDS_COIN, maxStake: undefined, available: undefined });
  if (inputs === undefined) return null;
  return (
    <section aria-label={t('title')}>
      {terms.open === 0 && <Banner tone="warning">{t('closed')}</Banner>}
      <TicketPanel control={inputs} onTransfer={undefined} />
    </section>
  );
}
