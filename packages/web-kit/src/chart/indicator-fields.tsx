import { RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import classes from './chart-toolbar.module.css';
import {
  type ChosenParameters,
  type IndicatorName,
  PARAMETER_BOUNDS,
  type ParameterKind,
  parameterIn,
  parameterKind,
  parametersOf,
  withParameter,
  withoutParameters,
} from './indicator-parameters.ts';

interface IndicatorFieldsProps {
  readonly shown: readonly IndicatorName[];
  readonly parameters: ChosenParameters;
  readonly onChange: (parameters: ChosenParameters) => void;
}

/** Input fields for the parameters of the displayed indicators. Each indicator has a button that resets them. */
export function IndicatorFields({ shown, parameters, onChange }: IndicatorFieldsProps) {
  const t = useWords('chart');
  const withFields = shown.filter((name) => parametersOf(name, parameters).length > 0);
  if (withFields.length === 0) return null;
  return (
    <fieldset className={classes.parameters}>
      <legend className={classes.legend}>{t('parameters')}</legend>
      {withFields.map((name) => (
        <div key={name} className={classes.parameterRow}>
          <span className={classes.parameterName}>{name}</span>
          {parametersOf(name, parameters).map((value, place) => (
            <ParameterField
              // oxlint-disable-next-line react/no-array-index-key -- a parameter is its place
              key={place}
              indicator={name}
              place={place}
              value={value}
              onChange={(next) => onChange(withParameter(parameters, name, { place, value: next }))}
            />
          ))}
          <button
            type="button"
            className={classes.parameterReset}
            aria-label={t('parametersReset', { indicator: name })}
            title={t('parametersReset', { indicator: name })}
            disabled={!parameters.has(name)}
            onClick={() => onChange(withoutParameters(parameters, name))}
          >
            <RotateCcw size={13} aria-hidden="true" />
          </button>
        </div>
      ))}
    </fieldset>
  );
}

interface ParameterFieldProps {
  readonly indicator: IndicatorName;
  readonly place: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/**
 * Input field for one parameter of an indicator. A valid value takes effect immediately. For an invalid one the
 * permitted range is shown.
 */
function ParameterField({ indicator, place, value, onChange }: ParameterFieldProps) {
  const t = useWords('chart');
  const locale = useLocale();
  const hint = useId();
  const [typed, setTyped] = useState<{ readonly text: string; readonly over: number }>();
  const kind: ParameterKind = parameterKind(indicator, place);
  // The entered text is discarded when the parameter gets another value, for example by a reset.
  const text = typed?.over === value ? typed.text : String(value);
  const isValid = parameterIn(text, kind) !== undefined;
  const { least, most } = PARAMETER_BOUNDS[kind];
  const onType = (next: string): void => {
    const number = parameterIn(next, kind);
    setTyped({ text: next, over: number ?? value });
    if (number !== undefined && number !== value) onChange(number);
  };
  return (
    <>
      <input
        className={classes.parameter}
        inputMode={kind === 'multiplier' ? 'decimal' : 'numeric'}
        autoComplete="off"
        maxLength={4}
        aria-label={t(`parameter.${kind === 'lookback' ? 'period' : kind}`, {
          indicator,
          place: String(place + 1),
        })}
        aria-invalid={!isValid || undefined}
        aria-describedby={isValid ? undefined : hint}
        value={text}
        onChange={({ target }) => onType(target.value)}
      />
      {!isValid && (
        <span id={hint} role="alert" className={classes.parameterHint}>
          {t(kind === 'multiplier' ? 'parameterDecimal' : 'parameterWhole', {
            least: formatDecimal(String(least), locale),
            most: formatDecimal(String(most), locale),
          })}
        </span>
      )}
    </>
  );
}
