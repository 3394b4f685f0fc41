import type { ReactNode } from 'react';
import { DecimalField } from '../form/decimal-field.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { Amount, Percent } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { usePauseText } from '../market/pause-note.tsx';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import css from './seconds.module.css';
import { STAKE_SHARES, stakeShare } from './ticket.ts';
import type { TicketInputs } from './ticket-inputs.ts';
import type { TicketControl } from './use-seconds.ts';

interface TicketPanelProps {
  readonly control: TicketInputs;
  /** Opens the transfer form; undefined if the user cannot transfer. */
  readonly onTransfer: (() => void) | undefined;
}

const STAKE_PLACES = 8;

/**
 * Inputs for duration and stake, the figures that follow from them, and the available balance. Does not contain the up
 * and down buttons (`OpenButtons`).
 */
export function TicketPanel({ control, onTransfer }: TicketPanelProps) {
  const t = useWords('seconds');
  const { terms, context, stake, setStake, error } = control;
  const { coin, available, duration } = context;
  return (
    <div className={css.ticket}>
      <SegmentedControl
        label={t('duration')}
        className={css.durations}
        value={String(duration.second)}
        onChange={(duration) => control.choose(Number(duration))}
        options={terms.durations.map(({ second, rate }) => ({
          value: String(second),
          label: (
            <span className={css.duration}>
              <b>{t('secondsShort', { count: second })}</b>
              <Percent value={rate} signed digits={0} />
            </span>
          ),
        }))}
      />
      <DecimalField
        label={t('stake')}
        value={stake}
        onChange={setStake}
        places={STAKE_PLACES}
        unit={coin}
        error={error}
        placeholder={t('minimum', { amount: duration.minimum })}
      />
      <div className={css.shares} role="group" aria-label={t('shares')}>
        {STAKE_SHARES.map((percent) => {
          const share = stakeShare(percent, context);
          return (
            <button
              key={percent}
              type="button"
              disabled={share === undefined || share === '0'}
              onClick={() => setStake(share ?? '')}
            >
              {percent}%
            </button>
          );
        })}
      </div>
      <p className={css.available}>
        <span>{t('available')}</span>
        <Amount value={available} coin={coin} />
        {onTransfer === undefined ? null : (
          <button type="button" onClick={onTransfer}>
            {t('transfer')}
          </button>
        )}
      </p>
      <Figures control={control} />
    </div>
  );
}

/** The figures that follow from duration and stake: payout, loss, fee, break-even win rate and expected profit. */
function Figures({ control }: { readonly control: TicketInputs }) {
  const t = useWords('seconds');
  const { terms, figures } = control;
  const { coin } = control.context;
  return (
    <dl className={css.facts}>
      <Fact title={t('payout')}>
        <Amount value={figures.payout} coin={coin} />
      </Fact>
      <Fact title={t('lossIf')}>
        <Amount value={figures.loss} coin={coin} />
      </Fact>
      <Fact title={t('fee')}>
        <Amount value={figures.fee} coin={coin} /> (<Percent value={terms.feeRate} />)
      </Fact>
      <Fact title={t('breakEven')}>
        <Percent value={figures.breakEven} />
      </Fact>
      <Fact title={t('expected')}>
        <Percent value={figures.expected} signed />
      </Fact>
    </dl>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface OpenButtonsProps {
  readonly control: TicketControl;
  /**
   * Shown in place of the up and down buttons if the user cannot open a position (see `useGate`); undefined
   * shows the buttons.
   */
  readonly gate: ReactNode | undefined;
}

/**
 * The up and down buttons, or `gate` in their place. While the exchange accepts no positions the buttons are disabled
 * and the reason is shown.
 */
export function OpenButtons({ control, gate }: OpenButtonsProps) {
  const t = useWords('seconds');
  const pauseText = usePauseText();
  if (gate !== undefined) return <div className={css.gate}>{gate}</div>;
  const { figures, isBusy, open, terms, unanswered } = control;
  const isClosed = terms.open === 0;
  return (
    <div className={css.sides}>
      {(['up', 'down'] as const).map((direction) => (
        <Button
          key={direction}
          look={direction === 'up' ? 'buy' : 'sell'}
          size="l"
          wide
          busy={isBusy}
          disabled={isClosed}
          onClick={() => void open(direction)}
        >
          <span className={css.side}>
            <b>
              <span aria-hidden="true">{direction === 'up' ? '▲' : '▼'}</span> {t(direction)}
            </b>
            {figures.profit === undefined ? null : <small>{t('profitOf', { amount: figures.profit })}</small>}
          </span>
        </Button>
      ))}
      <UnansweredNote unanswered={unanswered} />
      {isClosed ? (
        <p className={css.closed}>
          {t('closed')} {pauseText(terms.pause)}
        </p>
      ) : null}
    </div>
  );
}
