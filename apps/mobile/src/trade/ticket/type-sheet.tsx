import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { isStop, TICKET_KINDS, type TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { OptionList } from '../../shell/option-list.tsx';
import css from './sheets.module.css';

interface TypeSheetProps {
  value: TicketKind;
  onChange: (kind: TicketKind) => void;
  onClose: () => void;
}

const IMMEDIATE = TICKET_KINDS.filter((kind) => kind !== 'oco' && !isStop(kind));
const CONDITIONAL = TICKET_KINDS.filter((kind) => !IMMEDIATE.includes(kind));

/** Sheet in which the user selects the order type; each type has a one-line explanation. */
export default function TypeSheet({ value, onChange, onClose }: TypeSheetProps) {
  const t = useWords('mobile-trade');
  const trade = useWords('trade');
  const shell = useWords('shell');
  const optionList = (label: string, kinds: readonly TicketKind[]) => (
    <section className={css.group}>
      <h3 className={css.heading}>{label}</h3>
      <OptionList<TicketKind>
        label={label}
        value={value}
        onChange={onChange}
        onPick={onClose}
        options={kinds.map((kind) => ({ value: kind, label: trade(kind), hint: trade(`hint.${kind}`) }))}
      />
    </section>
  );
  return (
    <Sheet isOpen onClose={onClose} title={trade('orderType')} closeLabel={shell('close')}>
      {optionList(t('groupNow'), IMMEDIATE)}
      {optionList(t('groupWaiting'), CONDITIONAL)}
    </Sheet>
  );
}
