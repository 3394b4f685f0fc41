import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { TICKET_KINDS, type TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { readStored, store } from '@exchange/web-kit/storage.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { ChevronDown } from 'lucide-react';
import { memo, useState } from 'react';
import { Dropdown } from '../shell/dropdown.tsx';
import classes from './kind-tabs.module.css';

const BASIC_KINDS = ['limit', 'market'] as const;
type ConditionalKind = Exclude<TicketKind, (typeof BASIC_KINDS)[number]>;

const CONDITIONAL = TICKET_KINDS.filter(
  (kind): kind is ConditionalKind => kind !== 'limit' && kind !== 'market',
);
const STORAGE_KEY = 'trade-conditional-kind';

interface KindTabsProps {
  readonly kind: TicketKind;
  readonly onChange: (kind: TicketKind) => void;
}

/**
 * Tabs that select the order type: limit, market, and a third tab with a menu of all other types. The third tab is
 * labelled with the selected type or, if limit or market is selected, with the last type chosen in the menu.
 */
export const KindTabs = memo(function KindTabs({ kind, onChange }: KindTabsProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  const [menuKind, setMenuKind] = useState(storedKind);
  const thirdKind = kind === 'limit' || kind === 'market' ? menuKind : kind;

  const choose = (nextKind: ConditionalKind): void => {
    setMenuKind(nextKind);
    store(STORAGE_KEY, nextKind);
    onChange(nextKind);
  };

  return (
    <div className={classes.kinds}>
      <Tabs
        label={t('orderType')}
        look="text"
        className={classes.tabs}
        value={kind}
        onChange={onChange}
        options={[...BASIC_KINDS, thirdKind].map((value) => ({ value, label: t(value) }))}
      />
      <Dropdown
        // A new key after a choice remounts the menu, which closes it.
        key={`${kind} ${menuKind}`}
        isWide
        className={classes.opener}
        label={tDesk('ticket.moreTypes')}
        face={<ChevronDown size={15} aria-hidden="true" />}
      >
        {CONDITIONAL.map((value) => (
          <button
            key={value}
            type="button"
            className={classes.choice}
            aria-pressed={kind === value}
            onClick={() => choose(value)}
          >
            <b>{t(value)}</b>
            <small>{tDesk(`ticket.about.${value}`)}</small>
          </button>
        ))}
      </Dropdown>
    </div>
  );
});

function storedKind(): ConditionalKind {
  const remembered = readStored(STORAGE_KEY);
  return CONDITIONAL.find((kind) => kind === remembered) ?? 'stopLimit';
}
