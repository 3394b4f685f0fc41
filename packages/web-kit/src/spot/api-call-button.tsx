import { useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import { Button } from '../ui/button.tsx';
import css from './api-call.module.css';
import type { Ticket, TicketPair } from './ticket.ts';

const ApiCall = lazyPart('api-call', () => import('./api-call.tsx'));

interface ApiCallButtonProps {
  readonly ticket: Ticket;
  readonly pair: TicketPair;
}

/** Shows below itself how a program places the order of the ticket; the code for that is loaded on demand. */
export function ApiCallButton({ ticket, pair }: ApiCallButtonProps) {
  const t = useWords('trade');
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css.part}>
      <Button look="secondary" size="s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('apiCall')}
      </Button>
      {isOpen ? <ApiCall ticket={ticket} pair={pair} /> : null}
    </div>
  );
}
