import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { Ticket } from '@exchange/web-kit/spot/ticket-form.ts';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import classes from './ticket.module.css';

const WORDS = { GTC: 'gtc', IOC: 'ioc', FOK: 'fok' } as const;

interface MoreOptionsProps {
  readonly ticket: Ticket;
  readonly onChange: (ticket: Ticket) => void;
}

/** How long a limit order is valid, and whether it may take. Post-only orders always rest until cancelled. */
export function MoreOptions({ ticket, onChange }: MoreOptionsProps) {
  const t = useWords('trade');
  return (
    <details className={classes.more}>
      <summary>{t('more')}</summary>
      <Select
        label={t('timeInForce')}
        className={classes.by}
        value={ticket.timeInForce}
        onChange={(timeInForce) =>
          onChange({ ...ticket, timeInForce, postOnly: ticket.postOnly && timeInForce === 'GTC' })
        }
        options={(['GTC', 'IOC', 'FOK'] as const).map((value) => ({ value, label: t(WORDS[value]) }))}
      />
      <Checkbox
        label={t('postOnly')}
        checked={ticket.postOnly}
        onChange={(postOnly) =>
          onChange({ ...ticket, postOnly, timeInForce: postOnly ? 'GTC' : ticket.timeInForce })
        }
      />
    </details>
  );
}
