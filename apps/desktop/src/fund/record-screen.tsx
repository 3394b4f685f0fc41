import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { MarginForm, SellForm } from '@exchange/web-kit/fund/holding-forms.tsx';
import { FUND_TABS } from '@exchange/web-kit/fund/queries.ts';
import { FundRecords, type OpenHoldingForm } from '@exchange/web-kit/fund/records.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

export default function FundRecordScreen() {
  const t = useWords('fund');
  useTitle(t('records'));
  const [query, setQuery] = useSearchParams();
  const tab = FUND_TABS.find((candidate) => candidate === query.get('tab')) ?? 'holding';
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [openForm, setOpenForm] = useState<OpenHoldingForm>();
  const toFunds = (
    <ButtonLink look="secondary" to={paths.fund}>
      {t('toFunds')}
    </ButtonLink>
  );
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('records')}</h1>
        <div className={screen.tools}>
          <EyeButton />
          {toFunds}
        </div>
      </header>
      <FundRecords
        tab={tab}
        onTab={(nextTab) => setQuery(nextTab === 'holding' ? {} : { tab: nextTab }, { replace: true })}
        onDeed={setOpenForm}
        hidden={!isVisible}
        action={toFunds}
      />
      {openForm === undefined ? null : <DeedDialog asked={openForm} onClose={() => setOpenForm(undefined)} />}
    </div>
  );
}

function DeedDialog({ asked, onClose }: { readonly asked: OpenHoldingForm; readonly onClose: () => void }) {
  const t = useWords('fund');
  const shell = useWords('shell');
  const finance = useWords('finance');
  const { demoPassword } = usePurchaseGate();
  const { form, record } = asked;
  const hint = demoPassword === undefined ? undefined : finance('demoPassword', { password: demoPassword });
  return (
    <LazyDialog
      isOpen
      onClose={onClose}
      width={440}
      title={t(form === 'sell' ? 'sellTitle' : 'marginTitle', { name: record.name })}
      closeLabel={shell('close')}
    >
      {form === 'sell' ? (
        <SellForm record={record} onDone={onClose} />
      ) : (
        <MarginForm record={record} passwordHint={hint} onDone={onClose} />
      )}
    </LazyDialog>
  );
}
