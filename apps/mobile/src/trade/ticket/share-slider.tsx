import { useWords } from '@exchange/web-kit/i18n/words.ts';
import css from './share-slider.module.css';
import { snapped, STOPS } from './share.ts';

interface ShareSliderProps {
  /** Whole percent of what is available. */
  value: number;
  onChange: (percent: number) => void;
  isDisabled: boolean;
}

/** How much of what is available goes into the order: slides freely and catches on the quarters. */
export function ShareSlider({ value, onChange, isDisabled }: ShareSliderProps) {
  const t = useWords('mobile-trade');
  return (
    <div className={css.slider}>
      <span className={css.track} aria-hidden="true">
        <i className={css.reached} style={{ width: `${value}%` }} />
        {STOPS.map((stop) => (
          <i key={stop} className={css.stop} data-reached={stop <= value} style={{ left: `${stop}%` }} />
        ))}
      </span>
      <input
        type="range"
        className={css.input}
        min={0}
        max={100}
        step={1}
        value={value}
        disabled={isDisabled}
        aria-label={t('share')}
        aria-valuetext={t('shareOf', { percent: value })}
        onChange={(event) => onChange(snapped(event.currentTarget.valueAsNumber, value))}
      />
    </div>
  );
}
