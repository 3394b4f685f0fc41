import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { MarginForm, SellForm } from '@exchange/web-kit/fund/holding-forms.tsx';
import { FUND_TABS } from '@exchange/web-kit/fund/queries.ts';
import { type OpenHoldingForm, FundRecords } from '@exchange/web-kit/fund/records.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';

export default function FundRecordScreen() {
  const t = useWords('fund');
  const [query, setQuery] = useSearchParams();
  const tab = FUND_TABS.find((candidate) => candidate === query.get('tab')) ?? 'holding';
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [openForm, setOpenForm] = useState<OpenHoldingForm>();
  return (
    <Screen title={t('records')} parent={paths.fund} end={<EyeButton />}>
      <FundRecords
        tab={tab}
        onTab={(nextTab) =>
          setQuery(nextTab === 'holding' ? {} : { tab: nextTab }, { replace: true, preventScrollReset: true })
        }
        onDeed={setOpenForm}
        hidden={!isVisible}
        action={
          <ButtonLink look="secondary" size="s" to={paths.fund}>
            {t('toFunds')}
          </ButtonLink>
        }
      />
      {openForm === undefined ? null : <DeedSheet asked={openForm} onClose={() => setOpenForm(undefined)} />}
    </Screen>
  );
}

function DeedSheet({ asked, onClose }: { readonly asked: OpenHoldingForm; readonly onClose: () => void }) {
  const t = useWords('fund');
  const shell = useWords('shell');
  const finance = useWords('finance');
  const { demoPassword } = usePurchaseGate();
  const { form, record } = asked;
  const hint = demoPassword === undefined ? undefined : finance('demoPassword', { password: demoPassword });
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(form === 'sell' ? 'sellTitle' : 'marginTitle', { name: record.name })}
      closeLabel={shell('close')}
    >
      {form === 'sell' ? (
        <SellForm record={record} onDone={onClose} />
      ) : (
        <MarginForm record={record} passwordHint={hint} onDone={onClose} />
      )}
    </Sheet>
  );
}
