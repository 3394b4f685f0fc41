import { encode } from 'uqr';
import { lazy, Suspense, useState } from 'react';
import { DecimalField } from '../form/decimal-field.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { Amount } from '../format/numbers.tsx';
import { QrCode } from '../format/qr-code.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/parts.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { RouteChoice } from './parts.tsx';
import { sendTest, useDepositAddress, useNetworks } from './queries.ts';
import { useRoute } from './use-route.ts';
import css from './transfer.module.css';

const ProofPanel = lazy(() => import('./proof-panel.tsx'));

const QUIET_CELLS = 2;
const PICTURE_PX = 640;

/** Takes coins in: coin, network, address with its QR code; on a pretended network a test deposit. */
export function DepositPanel() {
  const t = useWords('transfer');
  const { route, onChange } = useRoute();
  const networks = useNetworks(route.coin);
  const chosen = networks.data?.find(({ network }) => network === route.network);
  const isOpen = chosen?.status === 1;
  const address = useDepositAddress(route.coin, route.network, isOpen);
  return (
    <div className={css.panel}>
      <RouteChoice {...route} onChange={onChange} />
      {chosen !== undefined && !isOpen ? <Banner tone="warning">{t('closed')}</Banner> : null}
      {isOpen ? (
        <ListBody isLoading={address.isPending} error={address.error} onRetry={() => void address.refetch()}>
          {address.data === undefined ? null : (
            <Address {...address.data} coin={route.coin} network={chosen.name} />
          )}
        </ListBody>
      ) : null}
      {chosen === undefined ? null : (
        <dl className={css.facts}>
          <div>
            <dt>{t('minDeposit')}</dt>
            <dd>
              <Amount value={chosen.minAmount} coin={route.coin} />
            </dd>
          </div>
          <div>
            <dt>{t('confirmations')}</dt>
            <dd>{chosen.confirmations}</dd>
          </div>
          <div>
            <dt>{t('expected')}</dt>
            <dd>{t('minutes', { minutes: chosen.minutes })}</dd>
          </div>
        </dl>
      )}
      {isOpen ? <p className={css.note}>{t('onlyOn', { coin: route.coin, network: chosen.name })}</p> : null}
      {chosen?.channel === 'demo' ? (
        <TestDeposit key={route.coin} {...route} least={chosen.minAmount} />
      ) : null}
      {chosen?.channel === 'manual' ? (
        <Suspense fallback={null}>
          <ProofPanel key={`${route.coin} ${route.network}`} {...route} />
        </Suspense>
      ) : null}
    </div>
  );
}

interface AddressProps {
  readonly address: string;
  readonly memo?: string | undefined;
  readonly qr: string;
  readonly coin: string;
  readonly network: string;
}

function Address({ address, memo, qr, coin, network }: AddressProps) {
  const t = useWords('transfer');
  return (
    <section className={css.address} aria-label={t('address')}>
      <QrCode className={css.qr} text={qr} label={t('qr', { coin, network })} />
      <div>
        <span className={css.label}>{t('address')}</span>
        <code>{address}</code>
        {memo === undefined ? null : (
          <>
            <span className={css.label}>{t('memo')}</span>
            <code>{memo}</code>
            <Banner tone="warning">{t('memoNeeded')}</Banner>
          </>
        )}
        <div className={css.buttons}>
          <CopyButton text={address} label={t('copyAddress')} />
          {memo === undefined ? null : <CopyButton text={memo} label={t('copyMemo')} />}
          <Button look="secondary" size="s" onClick={() => savePicture(qr, `${coin}-${network}`)}>
            {t('savePicture')}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Saves the code as a picture file. */
function savePicture(text: string, name: string): void {
  const { data, size } = encode(text, { border: QUIET_CELLS });
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE_PX;
  canvas.height = PICTURE_PX;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, PICTURE_PX, PICTURE_PX);
  pen.fillStyle = '#000';
  pen.scale(PICTURE_PX / size, PICTURE_PX / size);
  data.forEach((row, y) => row.forEach((isDark, x) => isDark && pen.fillRect(x, y, 1, 1)));
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = `${name}.png`;
  link.click();
}

function TestDeposit({
  coin,
  network,
  least,
}: {
  readonly coin: string;
  readonly network: string;
  readonly least: string;
}) {
  const t = useWords('transfer');
  const [amount, setAmount] = useState(least);
  const { submit, isBusy } = useKeyedSubmit({
    form: 'transfer test deposit',
    send: sendTest,
    onAnswered: () => notify.success(t('testSent')),
  });
  const send = () => {
    if (amount !== '')
      void submit(JSON.stringify([coin, network, amount]), () => ({ currency: coin, network, amount }));
  };
  return (
    <section className={css.panel}>
      <p className={css.note}>{t('testText')}</p>
      <DecimalField label={t('amount')} value={amount} onChange={setAmount} places={8} unit={coin} />
      <Button busy={isBusy} onClick={send}>
        {t('sendTest')}
      </Button>
    </section>
  );
}
