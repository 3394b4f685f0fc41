import { useWords } from '../i18n/words.ts';
import { Count } from '../ui/parts.tsx';
import { Tabs } from '../ui/choice.tsx';
import { useUnreadByType, type MessageKind } from './queries.ts';

const KINDS = ['1', '2', '3', '4'] as const satisfies readonly MessageKind[];

export type KindChoice = 'all' | MessageKind;

interface KindTabsProps {
  readonly value: KindChoice;
  readonly onChange: (kind: KindChoice) => void;
  readonly look?: 'line' | 'text';
}

/** Tabs for all inbox messages and for each kind of message; the tab of a kind shows its number of unread messages. */
export function KindTabs({ value, onChange, look = 'line' }: KindTabsProps) {
  const t = useWords('messages');
  const unread = useUnreadByType();
  return (
    <Tabs<KindChoice>
      label={t('title')}
      look={look}
      value={value}
      onChange={onChange}
      options={[
        { value: 'all', label: t('all') },
        ...KINDS.map((kind) => ({
          value: kind,
          label: (
            <>
              {t(`type${kind}`)} <Count value={unread?.[kind] ?? 0} />
            </>
          ),
        })),
      ]}
    />
  );
}
