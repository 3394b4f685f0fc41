import { Bell, Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useWords } from '../../src/i18n/words.ts';
import { Button, ButtonLink, IconButton } from '../../src/ui/button.tsx';
import { Checkbox, Switch } from '../../src/ui/checkbox.tsx';
import { SegmentedControl, Select, Tabs } from '../../src/ui/choice.tsx';
import { DataTable, type Column } from '../../src/ui/data-table.tsx';
import { Dialog, Over, Sheet } from '../../src/ui/overlay.tsx';
import {
  Badge,
  Banner,
  Count,
  EmptyState,
  ErrorState,
  Pager,
  Skeleton,
  SkeletonRows,
} from '../../src/ui/parts.tsx';
import { Picker } from '../../src/ui/picker.tsx';
import { PickerList } from '../../src/ui/picker-list.tsx';
import { Step, Steps } from '../../src/ui/steps.tsx';
import { CodeField, PasswordField, TextArea, TextField } from '../../src/ui/text-field.tsx';
import { toast } from '../../src/ui/toast.tsx';

/** Examples of the UI components: by component name, then by a name that says what the example shows. */
export type PartStates = Readonly<Record<string, Readonly<Record<string, ReactNode>>>>;

const ignore = () => undefined;
const LOOKS = ['primary', 'secondary', 'quiet', 'danger', 'buy', 'sell'] as const;
const SIZES = ['s', 'm', 'l'] as const;
const TONES = ['neutral', 'accent', 'good', 'bad', 'warning'] as const;
const TOASTS = ['success', 'error', 'warning', 'alert'] as const;

/** Renders `children` with a state value and the function that sets the value. */
function Stateful<Value>({
  initial,
  children,
}: {
  readonly initial: Value;
  readonly children: (value: Value, setValue: (value: Value) => void) => ReactNode;
}) {
  const [value, setValue] = useState(initial);
  return children(value, setValue);
}

/** A button that opens the overlay that `children` render. */
function Opened({
  name,
  children,
}: {
  readonly name: string;
  readonly children: (isOpen: boolean, close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        {name}
      </Button>
      {children(isOpen, () => setOpen(false))}
    </>
  );
}

function each<Name extends string>(names: readonly Name[], draw: (name: Name) => ReactNode) {
  return Object.fromEntries(names.map((name) => [name, draw(name)]));
}

/**
 * Returns elements of every component of `ui/` in all of its states, with texts in the language of the page.
 */
export function useUiParts(): PartStates {
  return {
    ...useButtons(),
    ...useFields(),
    ...useChoices(),
    ...useLists(),
    ...useNotes(),
    ...useOverlays(),
  };
}

function useButtons(): PartStates {
  const t = useWords('shell');
  const trade = useWords('trade');
  return {
    Button: {
      ...each(LOOKS, (look) => (
        <Button look={look}>
          {look === 'sell' ? trade('sell') : look === 'buy' ? trade('buy') : t('save')}
        </Button>
      )),
      ...each(SIZES, (size) => <Button size={size}>{t('confirm')}</Button>),
      'with an icon': <Button icon={<Bell size={18} />}>{t('messages')}</Button>,
      busy: <Button busy>{t('save')}</Button>,
      disabled: <Button disabled>{t('save')}</Button>,
      wide: <Button wide>{t('login')}</Button>,
    },
    ButtonLink: each(LOOKS, (look) => (
      <ButtonLink to="/" look={look}>
        {t('navMarkets')}
      </ButtonLink>
    )),
    IconButton: {
      enabled: (
        <IconButton label={t('search')}>
          <Search size={18} aria-hidden="true" />
        </IconButton>
      ),
      disabled: (
        <IconButton label={t('search')} disabled>
          <Search size={18} aria-hidden="true" />
        </IconButton>
      ),
    },
  };
}

function useFields(): PartStates {
  const t = useWords('user');
  const shell = useWords('shell');
  const email = { label: t('email'), placeholder: t('emailPlaceholder') };
  const password = { label: t('password'), showLabel: t('showPassword'), hideLabel: t('hidePassword') };
  const failure = shell('error');
  return {
    TextField: {
      empty: (
        <Stateful initial="">
          {(value, set) => <TextField {...email} value={value} onChange={set} />}
        </Stateful>
      ),
      'with a hint': (
        <TextField {...email} value="ada@example.com" onChange={ignore} hint={t('codePlaceholder')} />
      ),
      'with an error': <TextField {...email} value="ada@" onChange={ignore} error={failure} />,
      'with an end': <TextField {...email} value="" onChange={ignore} end={<Badge>USDT</Badge>} />,
      disabled: <TextField {...email} value="ada@example.com" onChange={ignore} disabled />,
    },
    TextArea: {
      filled: (
        <Stateful initial={shell('screenOffline')}>
          {(value, set) => <TextArea label={t('email')} value={value} onChange={set} maxLength={200} />}
        </Stateful>
      ),
      'with an error': (
        <TextArea label={t('email')} value="" onChange={ignore} maxLength={200} error={failure} />
      ),
    },
    PasswordField: {
      filled: (
        <Stateful initial="correct horse">
          {(value, set) => <PasswordField {...password} value={value} onChange={set} />}
        </Stateful>
      ),
      'with an error': <PasswordField {...password} value="short" onChange={ignore} error={failure} />,
    },
    CodeField: {
      'before sending': (
        <CodeField
          label={t('code')}
          value=""
          onChange={ignore}
          resend={<Button size="s">{t('sendCode')}</Button>}
        />
      ),
      'with an error': (
        <CodeField
          label={t('code')}
          value="123456"
          onChange={ignore}
          error={failure}
          resend={
            <Button size="s" disabled>
              {t('resendIn', { seconds: 59 })}
            </Button>
          }
        />
      ),
    },
    Checkbox: {
      changeable: (
        <Stateful<boolean> initial>
          {(value, set) => <Checkbox label={t('agreeTerms')} checked={value} onChange={set} />}
        </Stateful>
      ),
      'with an error': <Checkbox label={t('agreeTerms')} checked={false} onChange={ignore} error={failure} />,
      disabled: <Checkbox label={t('agreePrivacy')} checked onChange={ignore} disabled />,
    },
    Switch: {
      changeable: (
        <Stateful<boolean> initial>
          {(value, set) => <Switch label={shell('hideBalances')} checked={value} onChange={set} />}
        </Stateful>
      ),
      disabled: <Switch label={shell('hideBalances')} checked={false} onChange={ignore} disabled />,
    },
  };
}

type Kind = 'limit' | 'market' | 'oco';

function useChoices(): PartStates {
  const t = useWords('trade');
  const shell = useWords('shell');
  const kinds = [
    { value: 'limit' as Kind, label: t('limit') },
    { value: 'market' as Kind, label: t('market') },
    { value: 'oco' as Kind, label: t('oco'), disabled: true },
  ];
  const sides = [
    { value: 'buy', label: t('buy') },
    { value: 'sell', label: t('sell') },
  ];
  const coins = ['BTC', 'ETH', 'USDT'].map((key) => ({
    key,
    text: key,
    row: key,
    isDisabled: key === 'ETH',
  }));
  const list = {
    label: shell('search'),
    searchLabel: shell('search'),
    emptyText: shell('noMore'),
    choices: coins,
  };
  return {
    Tabs: each(['line', 'text'], (look) => (
      <Stateful<Kind> initial="limit">
        {(value, set) => (
          <Tabs label={t('orderType')} look={look} options={kinds} value={value} onChange={set} />
        )}
      </Stateful>
    )),
    SegmentedControl: {
      plain: (
        <Stateful<Kind> initial="market">
          {(value, set) => (
            <SegmentedControl label={t('orderType')} options={kinds} value={value} onChange={set} />
          )}
        </Stateful>
      ),
      sides: (
        <Stateful initial="buy">
          {(value, set) => (
            <SegmentedControl label={t('side')} look="sides" options={sides} value={value} onChange={set} />
          )}
        </Stateful>
      ),
    },
    Select: {
      changeable: (
        <Stateful<Kind> initial="limit">
          {(value, set) => <Select label={t('orderType')} options={kinds} value={value} onChange={set} />}
        </Stateful>
      ),
    },
    Picker: each(['floating', 'sheet'], (look) => (
      <Stateful initial="BTC">
        {(value, set) => (
          <Picker
            {...list}
            look={look}
            face={value}
            value={value}
            onChange={set}
            closeLabel={shell('close')}
          />
        )}
      </Stateful>
    )),
    PickerList: {
      'with a disabled option': <PickerList {...list} value="BTC" onPick={ignore} />,
      empty: <PickerList {...list} choices={[]} value={undefined} onPick={ignore} />,
    },
  };
}

interface Row {
  readonly pair: string;
  readonly price: string;
}

const ROWS: readonly Row[] = [
  { pair: 'BTC/USDT', price: '97,250.00' },
  { pair: 'ETH/USDT', price: '3,412.55' },
];

function useLists(): PartStates {
  const t = useWords('trade');
  const shell = useWords('shell');
  const columns: readonly Column<Row>[] = [
    { key: 'pair', title: t('pairs'), cell: ({ pair }) => pair, onSort: ignore, sorted: 'ascending' },
    { key: 'price', title: t('price'), cell: ({ price }) => price, align: 'end', onSort: ignore },
  ];
  const table = { caption: t('pairs'), columns, rowKey: ({ pair }: Row) => pair };
  const pager = { moreLabel: shell('loadMore'), onMore: () => Promise.resolve(true) };
  return {
    DataTable: {
      filled: (
        <DataTable {...table} rows={ROWS} isNew={({ pair }) => pair === 'ETH/USDT'} onRowClick={ignore} />
      ),
      dense: <DataTable {...table} rows={ROWS} dense />,
      empty: <DataTable {...table} rows={[]} empty={<EmptyState text={shell('noMore')} />} />,
    },
    Pager: {
      'with more': <Pager {...pager} hasMore isLoading={false} />,
      loading: <Pager {...pager} hasMore isLoading />,
      'at the end': <Pager {...pager} hasMore={false} isLoading={false} endText={shell('noMore')} />,
    },
    Skeleton: {
      line: <Skeleton />,
      circle: <Skeleton width={40} height={40} radius="50%" />,
    },
    SkeletonRows: { rows: <SkeletonRows rows={3} /> },
  };
}

function useNotes(): PartStates {
  const t = useWords('shell');
  return {
    Badge: each(TONES, (tone) => <Badge tone={tone}>{t('demoShort')}</Badge>),
    Count: {
      'below 100': <Count value={7} />,
      'above 99': <Count value={120} />,
    },
    Banner: {
      ...each(TONES, (tone) => <Banner tone={tone}>{t('screenOffline')}</Banner>),
      'with icon and end': (
        <Banner icon={<Bell size={18} aria-hidden="true" />} end={<Button size="s">{t('reload')}</Button>}>
          {t('screenOffline')}
        </Banner>
      ),
    },
    EmptyState: {
      plain: <EmptyState text={t('noMore')} />,
      'with an action': (
        <EmptyState text={t('noMore')} action={<Button size="s">{t('navMarkets')}</Button>} />
      ),
    },
    ErrorState: {
      retry: <ErrorState text={t('failed')} retryLabel={t('retry')} onRetry={ignore} />,
    },
    Steps: {
      'of a sequence': (
        <Steps>
          <Step title={t('identity')} end={<Badge tone="good">1</Badge>}>
            {t('accountSettings')}
          </Step>
          <Step title={t('preferences')}>{t('language')}</Step>
        </Steps>
      ),
    },
    Step: {
      alone: (
        <Steps>
          <Step title={t('identity')}>{t('accountSettings')}</Step>
        </Steps>
      ),
    },
    Toaster: each(TOASTS, (look) => (
      <Button look="secondary" onClick={() => toast(look, t('screenOffline'))}>
        {look}
      </Button>
    )),
  };
}

function useOverlays(): PartStates {
  const t = useWords('shell');
  const words = { title: t('preferences'), closeLabel: t('close'), children: t('screenOffline') };
  return {
    Dialog: {
      opened: (
        <Opened name="Dialog">
          {(isOpen, close) => <Dialog {...words} isOpen={isOpen} onClose={close} />}
        </Opened>
      ),
    },
    Sheet: {
      opened: (
        <Opened name="Sheet">
          {(isOpen, close) => <Sheet {...words} isOpen={isOpen} onClose={close} />}
        </Opened>
      ),
    },
    Over: each(['floating', 'sheet'], (look) => (
      <Opened name={`Over, ${look}`}>
        {(isOpen, close) => <Over {...words} look={look} isOpen={isOpen} onClose={close} />}
      </Opened>
    )),
  };
}
