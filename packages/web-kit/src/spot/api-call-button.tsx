import { useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/overlay.tsx';
import css from './api-call.module.css';
import type { Ticket, TicketPair } from './ticket.ts';

const ApiCall = lazyPart('api-call', () => import('./api-call.tsx'));

/** Width of the dialog with the example program, whose lines are too long for the desktop's ticket. */
const DIALOG_WIDTH_PX = 720;

interface ApiCallButtonProps {
  readonly ticket: Ticket;
  readonly pair: TicketPair;
  /** Where the example program is shown: below the button, or in a dialog if the ticket is too narrow for it. */
  readonly shows: 'below' | 'dialog';
}

/**
 * Button that shows an example program which places the ticket's order through the trading API. The code of the example
 * is loaded when the user presses the button.
 */
export function ApiCallButton({ ticket, pair, shows }: ApiCallButtonProps) {
  const t = useWords('trade');
  const tShell = useWords('shell');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className={css.part}>
      <Button
        look="secondary"
        size="s"
        aria-expanded={shows === 'below' ? isOpen : undefined}
        aria-haspopup={shows === 'dialog' ? 'dialog' : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {t('apiCall')}
      </Button>
      {isOpen && shows === 'below' ? <ApiCall ticket={ticket} pair={pair} /> : null}
      {isOpen && shows === 'dialog' ? (
        <Dialog
          isOpen
          onClose={close}
          title={t('apiCall')}
          closeLabel={tShell('close')}
          width={DIALOG_WIDTH_PX}
        >
          <ApiCall ticket={ticket} pair={pair} />
        </Dialog>
      ) : null}
    </div>
  );
}
